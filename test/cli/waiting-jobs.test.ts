/** Jobs that wait, as a person sees them in the terminal: what each waits for, and how to go on. */
import { join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/node/clock.ts';
import { announceServer } from '../../src/node/running-server.ts';
import { contract } from '../../src/contract/index.ts';
import type { Job } from '../../src/contract/job.ts';
import { startApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { createCli, samples } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

let api: Api;
let cli: Cli;
let asClient: { env: NodeJS.ProcessEnv };
let job: Job;
const send = ['record', 'generate', '--audio', join(samples, 'dictation.wav'), '--async'];

beforeAll(async () => {
  api = await startApi({ listen: true });
  const login = { username: 'nunes', password: 'correct horse' };
  await api.createUser({ ...login, display_name: 'Dra. Nunes' });
  const { access_token: token } = await api.tokens({ client: await api.createClient(), login });
  cli = await createCli({ LAUDIO_SERVER: api.server.url });
  asClient = { env: { LAUDIO_TOKEN: token } };
  const data_dir = join(cli.directory, 'data');
  await mkdir(data_dir);
  const withdraw = await announceServer(
    { url: api.server.url, pid: process.pid, data_dir, admin_token: api.server.adminToken, started_at: '2026-03-02' },
    { stateDirectory: join(cli.directory, 'state'), clock: systemClock, onTrouble: () => expect.unreachable() },
  );
  job = await cli.json<Job>(send, asClient);
  return withdraw;
});
afterAll(async () => {
  await cli.close();
  await api.close();
});

test('show and list explain in words why a job waits, and how to continue', async () => {
  const shown = await cli.call(['job', 'show', job.id], asClient);
  expect(shown.stdout).toContain('waits because the server has no speech recogniser');
  expect(shown.stderr).toContain(`laudio job cancel ${job.id}`);
  expect((await cli.call(['job', 'list'], asClient)).stdout).toContain(
    'waits because the server has no speech recogniser',
  );
  expect((await cli.call(['job', 'logs', job.id], asClient)).stdout).toContain('Waits for a speech recogniser');
});

test('wait ends with 10, and names the cause of the wait and the remedy', async () => {
  const { code, stderr } = await cli.call(['job', 'wait', job.id, '--for', '0', '--json'], asClient);
  expect(code).toBe(10);
  expect(JSON.parse(stderr.trim().split('\n').at(-1)!)).toMatchObject({
    error: {
      code: 'STILL_PENDING',
      message: 'The job waits because the server has no speech recogniser.',
      details: { waiting_for: { reason: 'engine' } },
      hint: expect.stringContaining('laudio serve --recogniser'),
    },
  });
});

test('asking for the document at once says how to get a recogniser', async () => {
  const { code, stderr } = await cli.call([...send.slice(0, -1), '--retries', '0'], asClient);
  expect(code).toBe(8);
  expect(stderr).toContain('laudio serve --recogniser');
});

test('the status of the server counts the jobs that wait and their audio', async () => {
  const { stdout } = await cli.call(['server', 'status']);
  expect(stdout).toMatch(/Dictations\s+1 waiting for a recogniser/);
  expect(stdout).toMatch(/Waiting\s+1 job, [\d.]+ KiB of audio/);
  await api.call(contract.jobs.endpoints.cancel, { token: asClient.env['LAUDIO_TOKEN']!, params: { id: job.id } });
  await expect.poll(async () => (await cli.call(['server', 'status'])).stdout).toMatch(/Waiting\s+0 jobs, 0 B/);
});

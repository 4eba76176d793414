/** A server for tests whose time is moved: what QA does in a pipeline, through the command line alone. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MovedClock } from '../../src/contract/clock.ts';
import { createCli, samples } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { examAt } from '../support/worklist-files.ts';

let cli: Cli;
let ready: Record<string, unknown>;
beforeAll(async () => {
  cli = await createCli();
  const simulation = ['--clock', 'fixed:2026-03-02T09:00:00Z', '--seed', 'demo', '--access-token-ttl', '10min'];
  const served = await cli.serveHere('--rate-limit', '0', ...simulation);
  ready = served.ready as unknown as Record<string, unknown>;
  await cli.json(['login']);
});
afterAll(() => cli.close());

const advance = (by: string): Promise<MovedClock> => cli.json(['server', 'clock', 'advance', by]);

test('the start says that the time is simulated, and that ids repeat', () => {
  expect(ready).toMatchObject({ clock: { kind: 'fixed', now: '2026-03-02T09:00:00.000Z' }, seeded: true });
});

test('the command line goes on after its access token has expired, and the next ones too', async () => {
  await cli.json(['worklist', 'ingest', join(samples, 'worklist.json')]);
  expect(await advance('2h')).toMatchObject({ now: '2026-03-02T11:00:00.000Z', settled: true });
  expect(await cli.json<object[]>(['worklist', 'list'])).not.toEqual([]);
  await advance('1d');
  await writeFile(join(cli.directory, 'text.txt'), 'Test Patient. Findings: clear lungs.');
  const record = await cli.json<{ created_at: string }>(['record', 'generate', '--text', 'text.txt']);
  expect(record.created_at).toBe('2026-03-03T11:00:00.000Z');
});

test('a stream goes on after the token by which it was opened has expired', async () => {
  const watching = cli.startHere(['worklist', 'watch', '--count', '1']);
  await watching.heard('Following the worklist');
  await advance('15min');
  await writeFile(join(cli.directory, 'one.json'), JSON.stringify(examAt(1, { accession_number: 'CL-1' })));
  const { items } = await cli.json<{ items: { id: string }[] }>(['worklist', 'ingest', 'one.json']);
  const { code, stdout } = await watching.ended;
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ id: items[0]!.id, change: 'inserted' })]);
});

test('webhook listen takes events that were signed at a simulated time', async () => {
  const listening = cli.startHere(['webhook', 'listen', '--count', '1', '--json']);
  await listening.heard('Listening');
  await cli.json(['webhook', 'trigger', 'medical_record.job.completed']);
  const { code, stdout } = await listening.ended;
  expect([code, stdout]).toEqual([0, expect.stringMatching(/"verified": ?true/)]);
});

test('a client with a key logs in at the time of the server', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  await writeFile(join(cli.directory, 'ris.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  const key = join(cli.directory, 'ris.key');
  await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const words = ['client', 'create', '--name', 'RIS', '--type', 'server', '--public-key', 'ris.pub'];
  const { id } = await cli.json<{ id: string }>(words);
  const env = { LAUDIO_CLIENT_ID: id, LAUDIO_CLIENT_KEY_FILE: key };
  for (const _more of ['now', 'later']) {
    expect(await cli.json(['worklist', 'list'], { env })).toEqual([]);
    await advance('2h');
  }
});

test('the login ends with its refresh token, with a remedy', async () => {
  await advance('31d');
  const { code, stderr } = await cli.call(['worklist', 'list']);
  expect(code).toBe(4);
  expect(stderr).toMatch(/laudio login/);
  await cli.json(['login']);
  expect(await cli.json<object[]>(['worklist', 'list'])).toBeDefined();
});

test.each([
  [['advance'], 2, /advance takes a length of time such as 30min, 12h, 90d or 4w, or 0s/],
  [['advance', '-2h'], 2, /-2|advance takes/],
  [['set', 'yesterday'], 2, /set takes an instant/],
  [['set', '2026-03-02'], 11, /cannot go back/],
  [['stop'], 2, /takes show, advance, set, not stop/],
  [['show', 'now'], 2, /show takes no time/],
])('%j is refused', async (words, exit, message) => {
  const { code, stderr } = await cli.call(['server', 'clock', ...words]);
  expect([code, stderr]).toEqual([exit, expect.stringMatching(message)]);
});

test.each([
  [['--clock', 'tomorrow'], /A clock is fixed: and an instant/],
  [['--access-token-ttl', '2d'], /from 1s to 24h/],
  [['--seed', 'demo', '--host', '0.0.0.0'], /takes no --seed/],
  [['--clock', 'offset:+2h', '--public-url', 'https://laudio.example.com'], /takes no --clock/],
])('serve %j does not start', async (words, message) => {
  const { code, stderr } = await cli.call(['serve', '--port', '0', '--store', 'memory', ...words]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});

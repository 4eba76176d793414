/** A server that ends while a model on this computer hears a dictation: the job is heard again, and ends in one document. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { manualClock } from '../../src/domain/clock.ts';
import { startApi, succeeded } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { flacOf } from '../support/flac.ts';
import { organs, tones } from '../support/sound.ts';
import { installToneModel } from '../support/tone-model.ts';

const recogniser = 'local:tone';
const login = { username: 'nunes', password: 'correct horse' };
/** Twenty minutes, which take more than a moment to decode. */
const bytes = flacOf([tones(organs), 16_000 * 1200, tones([6]), 16_000]);
const program = fileURLToPath(new URL('hearing-server.ts', import.meta.url));

/** A server in this process, over the directory. */
const here = (dataDir: string, options: { recogniser?: { use: string } } = {}): Promise<Api> =>
  startApi({ dataDir, clock: manualClock(Date.now()), ...options }, onTestFinished);

/** The processes that a process started, as the system tells. */
const childrenOf = async (pid: number): Promise<number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')).split(' ').filter(Boolean).map(Number);
const isGone = async (pid: number): Promise<boolean> =>
  / [ZX] /.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ' X '));

/** A directory in which a dictation waits for a recogniser. */
async function waitingDictation() {
  const dataDir = await mkdtemp(join(tmpdir(), 'laudio-hearing-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await installToneModel(join(dataDir, 'models'));
  const api = await here(dataDir, { recogniser: { use: 'none' } });
  await api.createUser(login);
  const client = await api.createClient();
  const { access_token: token } = await api.tokens({ client, login });
  const audio = { content_type: 'audio/flac', data: bytes.toString('base64') } as const;
  const { id } = await api.enqueue({ audio, language: 'pt-BR' }, { token });
  await api.close();
  return { dataDir, id, client };
}

/** A server in a process of its own, which is in the midst of hearing: its decoder runs. */
async function hearing(dataDir: string) {
  const child = spawn(process.execPath, [program, dataDir, recogniser], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  let children: number[] = [];
  while (children.length < 1) {
    await setImmediate();
    children = await childrenOf(child.pid!);
  }
  return { child, ended, children };
}

test.runIf(process.platform === 'linux').each([
  ['killed', 'SIGKILL', [null, 'SIGKILL']],
  ['stopped by its operator', 'SIGTERM', [0, null]],
] as const)('%s in mid-hearing, it hears the dictation once more after its start', async (_, signal, end) => {
  const { dataDir, id, client } = await waitingDictation();
  const { child, ended, children } = await hearing(dataDir);
  child.kill(signal);
  expect(await ended).toEqual(end);
  // Nobody goes on hearing for a server that is gone.
  await expect
    .poll(async () => (await Promise.all(children.map(isGone))).includes(false), { timeout: 60_000 })
    .toBe(false);

  const api = await here(dataDir, { recogniser: { use: recogniser } });
  const { access_token: token } = await api.tokens({ client, login });
  const job = async () => succeeded(await api.call(contract.jobs.endpoints.get, { token, params: { id } }));
  await expect.poll(async () => (await job()).status, { timeout: 120_000, interval: 50 }).toBe('completed');
  expect((await job()).attempts).toBe(2);
  const { items } = succeeded(await api.call(contract.records.endpoints.list, { token }));
  expect(items.map(({ id: record, transcript }) => [record, transcript])).toEqual([
    [(await job()).record_id, 'coração pulmão fígado rim rim'],
  ]);
  const lines = succeeded(await api.call(contract.jobs.endpoints.logs, { token, params: { id } })).items;
  expect(lines.map(({ message }) => message).filter((line) => /Interrupted|transcribed|stored/.test(line))).toEqual([
    'Interrupted; queued again.',
    'The audio has been transcribed.',
    'The record has been stored.',
  ]);
});

/** What the app offers of speech models: one is fetched when somebody asks, and the server that runs hears with it at once. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { ManagedModel, ModelManager } from '../../../server/speech/local/model-manager.ts';
import type { ModelManagerOptions, MountHost } from '../../../server/index.ts';
import { contract } from '../../../src/contract/index.ts';
import type { Choice } from '../../../src/domain/choice.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { recogniserKeeper } from '../../../src/node/user-settings.ts';
import { startApi, succeeded } from '../../support/api.ts';
import { haveRead, startArchiveServer, status, well } from '../../support/archive-server.ts';
import type { ArchiveServer } from '../../support/archive-server.ts';
import { changed, archiveOf, packToneModel } from '../../support/model-archive.ts';
import type { PackedModel } from '../../support/model-archive.ts';
import { organs, tones, wavOf } from '../../support/sound.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { installToneModel } from '../../support/tone-model.ts';

let tone: PackedModel;
let mirror: ArchiveServer;
beforeAll(async () => {
  tone = await packToneModel();
  mirror = await startArchiveServer(tone.bytes);
});
beforeEach(() => {
  Object.assign(mirror, { body: tone.bytes, etag: '"1"' });
  mirror.next.length = 0;
  mirror.asked.length = 0;
});
afterAll(() => mirror.close());

/** A server whose app keeps its choice of recogniser in `kept`. */
async function start(own: ModelManagerOptions = {}, dataDir?: string, recogniser?: Choice) {
  const directory = dataDir ?? (await temporaryDirectory());
  const kept: (string | undefined)[] = [];
  const models: ModelManagerOptions = {
    keep: async (recogniser) => void kept.push(recogniser),
    offers: tone.offer(),
    from: mirror.url,
    ...own,
  };
  const host = Promise.withResolvers<MountHost>();
  const mount = async (given: MountHost) => {
    host.resolve(given);
    return { close: async () => {} };
  };
  const api = await startApi({ dataDir: directory, mount, models, ...(recogniser && { recogniser }) }, onTestFinished);
  const offer = await (await host.promise).models!();
  return { api, offer, kept, directory };
}

const toneIn = async (offer: ModelManager, id = 'tone'): Promise<ManagedModel> =>
  (await offer.state()).items.find((model) => model.id === id)!;
/** Resolves once nothing is under way with the model. */
const settled = (offer: ModelManager, id?: string): Promise<ManagedModel> =>
  expect
    .poll(async () => (await toneIn(offer, id)).work)
    .toBeNull()
    .then(() => toneIn(offer, id));

const body = {
  audio: { content_type: 'audio/wav', data: Buffer.from(wavOf([tones(organs)])).toString('base64') },
  language: 'pt-BR',
} as const;

test('nothing is fetched before somebody asks; then the model hears without a restart, also what waited', async () => {
  const { api, offer, kept } = await start();
  expect(await toneIn(offer)).toMatchObject({
    state: 'available',
    licence: 'MIT',
    languages: ['pt-BR', 'en-US', 'es-ES'],
    archive_bytes: tone.bytes.length,
    fetched_bytes: 0,
    in_use: false,
  });
  expect(mirror.asked).toEqual([]);
  const login = { username: 'nunes', password: 'correct horse' };
  await api.createUser({ ...login, display_name: 'Dra. Nunes' });
  const { access_token: token } = await api.tokens({ client: await api.createClient(), login });
  const { generate } = contract.records.endpoints;
  const job = succeeded(await api.call(generate, { token, body: { ...body, mode: 'async' } }), 202) as {
    id: string;
  };
  const jobNow = async () => succeeded(await api.call(contract.jobs.endpoints.get, { token, params: { id: job.id } }));
  expect(await jobNow()).toMatchObject({ status: 'queued', waiting_for: { reason: 'engine' } });

  await offer.install('tone');
  expect(await settled(offer)).toMatchObject({ state: 'installed', in_use: true, problem: null });
  expect(kept).toEqual([undefined]);
  await expect.poll(async () => (await jobNow()).status, { timeout: 10_000 }).toBe('completed');
  expect(succeeded(await api.call(generate, { token, body }), 201)).toMatchObject({
    transcript: 'coração pulmão fígado rim',
  });
  expect(succeeded(await api.call(contract.engines.endpoints.get, { token }))).toMatchObject({
    recogniser: { name: 'local:tone' },
    queue: { available: true, at_once: 2 },
  });

  await offer.remove('tone');
  expect(await toneIn(offer)).toMatchObject({ state: 'available', in_use: false });
  expect(kept).toEqual([undefined, undefined]);
  expect(await api.call(generate, { token, body })).toMatchObject({ error: { code: 'ENGINE_UNAVAILABLE' } });
});

test('a download that was cancelled is kept, and the next attempt resumes it', async () => {
  const { offer, directory } = await start();
  const half = Math.floor(tone.bytes.length / 2);
  mirror.next.push(well('"1"', half));
  await offer.install('tone');
  await expect.poll(async () => (await toneIn(offer)).fetched_bytes).toBe(half);
  await expect.poll(async () => (await toneIn(offer)).work?.done).toBe(half);
  expect((await toneIn(offer)).work).toMatchObject({ step: 'fetching', of: tone.bytes.length });
  await offer.cancel('tone');
  expect(await toneIn(offer)).toMatchObject({ state: 'available', fetched_bytes: half, work: null, problem: null });
  // The same after the program ended: what is on the disk counts.
  const again = await start({}, await copyOf(directory));
  expect(await toneIn(again.offer)).toMatchObject({ fetched_bytes: half });
  await again.offer.install('tone');
  expect(await settled(again.offer)).toMatchObject({ state: 'installed', in_use: true });
  expect(mirror.asked.at(-1)?.headers.range).toBe(`bytes=${half}-`);
  haveRead(Infinity);
});

async function copyOf(directory: string): Promise<string> {
  const copy = await temporaryDirectory();
  await cp(join(directory, 'models'), join(copy, 'models'), { recursive: true });
  return copy;
}

test.each([
  ['another file', async () => (mirror.body = await archiveOf(changed(tone.files))), 'BAD_ANSWER'],
  ['no such file', async () => mirror.next.push(status(404)), 'NOT_FOUND'],
])(
  '%s at the address installs nothing, and the reason is reported until the next attempt',
  async (_name, spoil, code) => {
    const { offer, kept } = await start();
    await spoil();
    await offer.install('tone');
    expect(await settled(offer)).toMatchObject({ state: 'available', in_use: false, problem: { code } });
    expect(kept).toEqual([]);
    Object.assign(mirror, { body: tone.bytes });
    await offer.install('tone');
    expect(await settled(offer)).toMatchObject({ state: 'installed', problem: null });
  },
);

test('an unreachable server is reported, and a full disk with the space needed', async () => {
  const offline = await start({ from: 'http://127.0.0.1:9/' });
  await offline.offer.install('tone');
  expect(await settled(offline.offer)).toMatchObject({ problem: { code: 'NETWORK' } });
  const [archive] = Object.values(tone.offer());
  const huge = { tone: { ...archive!, archive: { ...archive!.archive, bytes: 2 ** 50 } } };
  const full = await start({ offers: huge });
  await full.offer.install('tone');
  expect(await settled(full.offer)).toMatchObject({
    problem: {
      code: 'STORAGE_UNAVAILABLE',
      free_bytes: expect.any(Number) as number,
      needed_bytes: expect.any(Number) as number,
    },
  });
});

test('a model that cannot be had here is refused, and one that is too large for the memory is not offered', async () => {
  const { files: _files, ...rest } = Object.values(tone.offer())[0]!;
  const giant = { ...rest, archive: { ...rest.archive, bytes: 2 ** 50 } };
  const { offer } = await start({ offers: { giant } });
  expect((await offer.state()).items).toEqual([]);
  await expect(offer.install('other')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('another model that is installed is used at once, and a damaged one changes nothing', async () => {
  const directory = await temporaryDirectory();
  for (const id of ['one', 'two']) await installToneModel(join(directory, 'models'), { id });
  const { offer, kept } = await start({}, directory);
  expect(await toneIn(offer, 'one')).toMatchObject({ in_use: true });
  await offer.use('two');
  expect(await toneIn(offer, 'two')).toMatchObject({ in_use: true });
  await writeFile(join(directory, 'models', 'one', 'tokens.txt'), 'less');
  await expect(offer.use('one')).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  expect(await toneIn(offer, 'two')).toMatchObject({ in_use: true });
  expect(kept).toEqual(['local:two']);
  // What is removed is not heard with any more; the other is damaged.
  await offer.remove('two');
  expect((await offer.state()).recogniser).toBeNull();
});

test('a model that only hears a second time is in use too', async () => {
  const directory = await temporaryDirectory();
  for (const id of ['one', 'two']) await installToneModel(join(directory, 'models'), { id });
  const choice = { use: 'local:one', options: { second: 'two' } };
  const { offer: fixed } = await start({ keep: undefined }, directory, choice);
  expect(await toneIn(fixed, 'two')).toMatchObject({ in_use: true });
  await expect(fixed.remove('two')).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  const { offer, kept } = await start({}, await copyOf(directory), choice);
  await offer.remove('two');
  expect(await offer.state()).toMatchObject({ recogniser: 'local:one' });
  expect(kept).toEqual(['local:one']);
});

test('where whoever starts the server has chosen, models are installed but not used', async () => {
  const { offer } = await start({ keep: undefined });
  await offer.install('tone');
  expect(await settled(offer)).toMatchObject({ state: 'installed', in_use: false });
  expect(await offer.state()).toMatchObject({ fixed: true, recogniser: null });
  await expect(offer.use('tone')).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
});

test('the choice is kept in the settings of the user, unless it comes from elsewhere', async () => {
  const config = await temporaryDirectory();
  const keeper = (from: 'user' | 'default' | 'environment' | 'flag') =>
    recogniserKeeper({ config, clock: systemClock, origin: { from, name: '' } });
  const path = await keeper('default')!('local:tone');
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ recogniser: 'local:tone' });
  await keeper('user')!(undefined);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({});
  expect([keeper('environment'), keeper('flag')]).toEqual([undefined, undefined]);
});

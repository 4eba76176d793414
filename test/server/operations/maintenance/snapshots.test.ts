/** Snapshots under names, through the API: on a disk, encrypted, and in memory. */
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import type { Snapshot } from '../../../../src/contract/maintenance.ts';
import { examFields, startApi } from '../../../support/api.ts';
import type { Api, ApiOptions } from '../../../support/api.ts';
import { wav } from '../../../support/audio.ts';
import { everything } from '../../../support/maintenance.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const { snapshots, saveSnapshot, loadSnapshot, removeSnapshot, reset } = contract.maintenance.endpoints;
const speech = { audio: { content_type: 'audio/wav' as const, data: wav({ seconds: 1 }).toString('base64') } };
const passphrase = { encrypt: 'passphrase', passphrase: async () => 'a long passphrase' } as const;

const start = (options: ApiOptions = {}): Promise<Api> => startApi(options, onTestFinished);
const named = (name: string) => ({ params: { name } });
const save = (api: Api, name: string) => api.call(saveSnapshot, { ...named(name), token: api.server.adminToken });
const load = (api: Api, name: string) => api.call(loadSnapshot, { ...named(name), token: api.server.adminToken });
const names = async (api: Api): Promise<string[]> => {
  const { json } = await api.call(snapshots, { token: api.server.adminToken });
  return (json as { data: { items: Snapshot[] } }).data.items.map(({ name }) => name);
};

describe.each<[string, () => Promise<ApiOptions>]>([
  ['in memory', async () => ({})],
  ['on a disk', async () => ({ dataDir: await temporaryDirectory() })],
  ['on a disk, encrypted', async () => ({ dataDir: await temporaryDirectory(), key: passphrase })],
])('a snapshot %s', (_name, options) => {
  test('brings everything back, audio included, as often as one likes, and leaves the others', async () => {
    const api = await start(await options());
    await api.generate(speech);
    const before = await everything(api);
    expect((await save(api, 'one-exam')).status).toBe(200);
    await api.exam();
    expect((await save(api, 'two')).status).toBe(200);
    for (let time = 0; time < 2; time++) {
      await api.call(reset, { body: {}, token: api.server.adminToken });
      const loaded = await load(api, 'one-exam');
      expect(loaded).toMatchObject({ status: 200, json: { data: { audio_files: 1, missing_audio: 0 } } });
      expect(await everything(api)).toBe(before);
    }
    expect((await names(api)).toSorted()).toEqual(['one-exam', 'two']);
    expect((await api.call(removeSnapshot, { ...named('one-exam'), token: api.server.adminToken })).status).toBe(200);
    expect(await names(api)).toEqual(['two']);
  });

  test('is replaced by a later one of its name', async () => {
    const api = await start(await options());
    await save(api, 'a');
    await api.exam(examFields({ accession_number: 'later' }));
    const later = await everything(api);
    await save(api, 'a');
    await api.call(reset, { body: {}, token: api.server.adminToken });
    await load(api, 'a');
    expect(await everything(api)).toBe(later);
    expect(await names(api)).toEqual(['a']);
  });
});

test.each(['../../etc/passwd', 'A', 'a/b', 'a_b', '-a', 'a'.repeat(41)])('%j is no name', async (name) => {
  const api = await start();
  for (const endpoint of [saveSnapshot, loadSnapshot, removeSnapshot]) {
    const answer = await api.send({
      method: endpoint.method,
      url: endpoint.path.replace('{name}', encodeURIComponent(name)),
      headers: { authorization: `Bearer ${api.server.adminToken}` },
    });
    expect([400, 404, 405]).toContain(answer.status);
  }
  expect(await names(api)).toEqual([]);
});

test('one that there is not is not found, and changes nothing', async () => {
  const api = await start();
  await api.exam();
  const before = await everything(api);
  expect(await load(api, 'none')).toMatchObject({ status: 404, json: { error: { code: 'NOT_FOUND' } } });
  expect((await api.call(removeSnapshot, { ...named('none'), token: api.server.adminToken })).status).toBe(404);
  expect(await everything(api)).toBe(before);
});

test('only the operator has any', async () => {
  const api = await start();
  const { access_token } = await api.tokens();
  for (const endpoint of [snapshots, saveSnapshot, loadSnapshot, removeSnapshot])
    expect((await api.call(endpoint, { ...named('a'), token: access_token } as never)).status).toBeGreaterThanOrEqual(
      401,
    );
});

describe('on a disk', () => {
  const filesOf = async (dataDir: string): Promise<string[]> =>
    (await readdir(join(dataDir, 'audio'))).filter((name) => name.startsWith('blb_snapshot_'));

  test('outlasts the server, and is encrypted with the directory', async () => {
    const dataDir = await temporaryDirectory();
    const first = await start({ dataDir });
    await first.exam(examFields({ accession_number: 'CANARIO' }));
    await save(first, 'kept-state');
    await first.server.close();
    const [plain] = await filesOf(dataDir);
    expect(await readFile(join(dataDir, 'audio', plain!), 'latin1')).toContain('CANARIO');

    const second = await start({ dataDir, key: passphrase });
    const [sealed, ...others] = await filesOf(dataDir);
    expect(others).toEqual([]);
    expect(await readFile(join(dataDir, 'audio', sealed!), 'latin1')).not.toContain('CANARIO');
    await second.call(reset, { body: {}, token: second.server.adminToken });
    expect(await load(second, 'kept-state')).toMatchObject({
      status: 200,
      json: { data: { documents: { items: 1 } } },
    });
  });

  test('that was cut off is refused, and changes nothing', async () => {
    const dataDir = await temporaryDirectory();
    const api = await start({ dataDir });
    await api.exam();
    await save(api, 'a');
    const [file] = await filesOf(dataDir);
    const path = join(dataDir, 'audio', file!);
    await writeFile(path, (await readFile(path)).subarray(0, 2000));
    const before = await everything(api);
    expect((await load(api, 'a')).status).toBe(400);
    expect(await everything(api)).toBe(before);
    // A save that a crash interrupted left an older one of the same name: the newer counts, and takes it away.
    await rename(path, join(dataDir, 'audio', 'blb_snapshot_1_a'));
    await save(api, 'a');
    expect(await filesOf(dataDir)).toHaveLength(1);
    expect((await load(api, 'a')).status).toBe(200);
  });
});

/** A data directory with a key: what is on disk tells nobody anything, and everything is there again. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { KeyOptions } from '../../../server/index.ts';
import { openEncryption } from '../../../server/storage/data-directory/keys.ts';
import { blobStores, documentStores } from '../../../server/storage/registry.ts';
import { contract } from '../../../src/contract/index.ts';
import { startApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { wavHeader } from '../../support/audio.ts';
import { openerOf } from '../../support/open-stores.ts';
import { memoryKeychain } from '../../support/memory-keychain.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const open = openerOf('lowdb');
const contents = [documentStores.lowdb.contents!, blobStores.files.contents!];
const canary = 'Demo Patient';
const said = 'Test Patient. Findings: the canary sings. Impression: normal examination.';
/** Sound that is nowhere else. */
const sound = Buffer.alloc(200_000, Buffer.from('1ec0ffee5eed', 'hex'));
const audio = Buffer.concat([wavHeader(sound.length), sound]);
const traces = [canary, 'the canary sings', sound.subarray(0, 24), 'acc-canary', 'id-canary'].map((trace) =>
  Buffer.from(trace),
);

/** The files in which anything can be read, with what. */
async function readable(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  const found: string[] = [];
  for (const { name, parentPath } of entries.filter((entry) => entry.isFile())) {
    const content = await readFile(join(parentPath, name));
    if (traces.some((trace) => content.includes(trace))) found.push(name);
  }
  return found;
}

const start = (dataDir: string, key: KeyOptions = {}): Promise<Api> =>
  startApi({ dataDir, key }, (close) => onTestFinished(close));

/** Everything that a day leaves behind; gives the records. */
async function work(api: Api): Promise<{ spoken: string; written: string }> {
  const item = await api.exam({ patient_name: canary, accession_number: 'acc-canary', patient_id: 'id-canary' });
  const written = await api.generate({ text: said, worklist_item_id: item });
  const { data } = await api.call(contract.records.endpoints.generate, {
    body: { audio: { data: audio.toString('base64'), content_type: 'audio/wav' }, mode: 'sync', metadata: { canary } },
    headers: { 'idempotency-key': 'canary-1' },
  });
  return { spoken: (data as { id: string }).id, written: written.id };
}

async function expectEverything(api: Api, { spoken, written }: { spoken: string; written: string }): Promise<void> {
  const { get, audio: audioOf } = contract.records.endpoints;
  expect((await api.call(get, { params: { id: written } })).data).toMatchObject({ id: written });
  const { rawPayload } = await api.server.inject({
    url: audioOf.path.replace('{id}', spoken),
    headers: { authorization: `Bearer ${api.token}` },
  });
  expect(rawPayload.equals(audio)).toBe(true);
}

test('nothing of a day’s work can be read from the disk, and all of it is there the next day', async () => {
  const directory = await temporaryDirectory();
  const keychain = memoryKeychain();
  const api = await start(directory, { encrypt: 'keychain', keychain });
  expect(api.server.encryptedBy).toBe('keychain');
  const done = await work(api);
  expect(await readable(directory)).toEqual([]);
  await expectEverything(api, done);
  await api.close();
  expect(await readable(directory)).toEqual([]);
  const again = await start(directory, { keychain });
  expect(again.server.encryptedBy).toBe('keychain');
  await expectEverything(again, done);
});

describe('a directory that was plain', () => {
  test('is encrypted as a whole when its server starts with a key, and stays so', async () => {
    const directory = await temporaryDirectory();
    const before = await start(directory);
    const done = await work(before);
    await before.close();
    // The test would show nothing if nothing had been readable.
    expect((await readable(directory)).length).toBeGreaterThan(1);
    await writeFile(join(directory, 'database.json.imported'), canary);

    const keychain = memoryKeychain();
    const api = await start(directory, { encrypt: 'keychain', keychain });
    expect(await readable(directory)).toEqual([]);
    await expectEverything(api, done);
    await api.close();
    const again = await start(directory, { keychain });
    await expectEverything(again, done);
  });
});

test('a start that died once it had made the key is made good by the next one', async () => {
  const directory = await temporaryDirectory();
  const before = await start(directory);
  const done = await work(before);
  await before.close();
  const keychain = memoryKeychain();
  await openEncryption(directory, { encrypt: 'keychain', keychain }, contents);
  expect((await readable(directory)).length).toBeGreaterThan(1);
  const api = await start(directory, { keychain });
  expect(await readable(directory)).toEqual([]);
  await expectEverything(api, done);
});

describe('without its key', () => {
  test('nothing is opened, made or removed', async () => {
    const directory = await temporaryDirectory();
    const keychain = memoryKeychain();
    const api = await start(directory, { encrypt: 'keychain', keychain });
    await work(api);
    await api.close();
    const files = async () => (await readdir(directory, { recursive: true })).toSorted();
    const before = await files();
    await expect(open({ directory })).rejects.toMatchObject({ code: 'CREDENTIAL_STORE' });
    await expect(open({ directory, key: { keychain: memoryKeychain() } })).rejects.toMatchObject({
      code: 'CREDENTIAL_STORE',
      message: expect.stringContaining('no entry'),
    });
    expect(await files()).toEqual(before);
    await rm(join(directory, 'encryption.json'));
    await expect(open({ directory, key: {} })).rejects.toMatchObject({ code: 'CONFIGURATION' });
    const key = { encrypt: 'keychain', keychain } as const;
    await expect(open({ directory, key })).rejects.toMatchObject({ code: 'DATA_DAMAGED' });
    expect(await files()).toEqual(before.filter((name) => name !== 'encryption.json'));
  });
});

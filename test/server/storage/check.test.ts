/** `check` listens to all audio that documents name. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Documents } from '../../../server/storage/collections.ts';
import { writeArchive } from '../../../src/node/files/backup-archive.ts';
import { noCounts } from '../../../server/operations/maintenance/backup.ts';
import { openFileBlobs } from '../../../server/storage/files/file-blobs.ts';
import { openSnapshots } from '../../../server/storage/snapshots.ts';
import { createFileBlobs } from '../../support/lowdb-store.ts';
import { checkDirectory } from '../../support/lowdb-store.ts';
import { openLowdbStore } from '../../support/lowdb-store.ts';
import { createSealing } from '../../../server/storage/sealing/sealing.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { hookedFileSystem } from '../../support/hooked-file-system.ts';

const key = createSealing(Buffer.alloc(32, 7));
const blob = (n: number): string => `blb_${String(n).padStart(26, '0')}`;
const fileOf = (problem: { file: string | null } | undefined): string => basename(problem?.file ?? '');

/** A store of one job and one record with audio each, and a record without. */
async function prepare(sealing: typeof key | undefined) {
  const directory = await temporaryDirectory();
  const store = await openLowdbStore({ directory, ...(sealing && { sealing: async () => sealing }) });
  const blobs = await createFileBlobs(join(directory, 'audio'), { sealing });
  const keep = async (n: number) => {
    async function* sound() {
      yield Buffer.alloc(100_000, n);
    }
    return blobs.write(blob(n), sound(), Infinity);
  };
  const [one, two] = [await keep(1), await keep(2)];
  await keep(3);
  await store.transact(async (tx) => {
    const record = (id: string, audio_blob: string | null, sha256?: string) =>
      tx.put('records', {
        id,
        space: 'local',
        worklist_item_id: null,
        title: null,
        text: '',
        audio_blob,
        source: { kind: 'audio', sha256 },
      } as unknown as Documents['records']);
    record('rec_1', blob(1), one.sha256);
    record('rec_2', null);
    const audio = { blob: blob(2), ...two };
    tx.put('jobs', { id: 'job_1', space: 'local', status: 'done', audio } as unknown as Documents['jobs']);
  });
  const check = (fs?: ReturnType<typeof hookedFileSystem>) =>
    checkDirectory({ directory, ...(fs && { fs }), ...(sealing && { sealing: async () => sealing }) });
  const path = (n: number): string => join(directory, 'audio', sealing ? `${blob(n)}.sealed` : blob(n));
  return { directory, store, blobs, check, path };
}

describe.each([
  ['plain', undefined],
  ['encrypted', key],
] as const)('%s audio', (_, sealing) => {
  test('is counted, and nothing is changed', async () => {
    const { directory, store, check } = await prepare(sealing);
    const before = await readdir(join(directory, 'audio'));
    expect(await check()).toMatchObject({ sound: true, audio: { named: 2, bad: 0 }, problems: [] });
    expect(await readdir(join(directory, 'audio'))).toEqual(before);
    await store.close();
    expect(await check()).toMatchObject({ sound: true, audio: { named: 2, bad: 0 } });
  });

  test('that is missing or changed is reported by its file', async () => {
    const { store, check, path } = await prepare(sealing);
    await store.close();
    await rm(path(1));
    const bytes = await readFile(path(2));
    bytes[70_000]! ^= 1;
    await writeFile(path(2), bytes);
    const report = await check();
    expect(report).toMatchObject({ sound: false, audio: { named: 2, bad: 2 }, found: { documents: { records: 2 } } });
    expect(report.problems.map((problem) => [fileOf(problem), problem.harmless, problem.what])).toEqual([
      [blob(1), false, 'the audio of a document is missing'],
      [sealing ? `${blob(2)}.sealed` : blob(2), false, expect.stringMatching(/cannot be read|does not hold the audio/)],
    ]);
  });

  test('that goes with its document meanwhile is not missed', async () => {
    const { store, blobs, check } = await prepare(sealing);
    let once = true;
    const fs = hookedFileSystem(async (call, name) => {
      if (call !== 'open' || !name.includes(blob(1)) || !once) return;
      once = false;
      await store.transact(async (tx) => tx.remove('records', 'rec_1'));
      await blobs.remove(blob(1));
    });
    expect(await check(fs)).toMatchObject({ sound: true, audio: { bad: 0 }, problems: [] });
    expect(once).toBe(false);
    await store.close();
  });
});

test('audio that the next start is to encrypt is read as it is', async () => {
  const { directory, store, check } = await prepare(undefined);
  await store.close();
  expect(await check()).toMatchObject({ sound: true });
  const later = await openLowdbStore({ directory, sealing: async () => key });
  await later.close();
  const report = await checkDirectory({ directory, sealing: async () => key });
  expect(report).toMatchObject({ sound: true, audio: { named: 2, bad: 0 } });
});

describe.each([
  ['plain', undefined],
  ['encrypted', key],
] as const)('%s snapshots under names', (_, sealing) => {
  test('are read through, and a damaged one is reported by its file', async () => {
    const { directory, store, check } = await prepare(sealing);
    const blobStore = await openFileBlobs(join(directory, 'audio'));
    const snapshots = await openSnapshots(blobStore, sealing);
    const archive = () =>
      writeArchive(async (writer) => {
        const content = Buffer.alloc(100_000, 'x');
        await writer.add('documents.ndjson', content.length, Readable.from([content]));
        return {
          created_at: '2026-03-02T12:00:00.000Z',
          version: '0',
          schema: 1,
          documents: noCounts(),
          missing_audio: [],
        };
      });
    await snapshots.save('before-import', archive(), 1_000_000);
    await snapshots.save('good', archive(), 2_000_000);
    const found = (name: string, at: number, sound: boolean) => ({
      name,
      created_at: new Date(at).toISOString(),
      sound,
    });
    expect(await check()).toMatchObject({
      sound: true,
      snapshots: [found('good', 2_000_000, true), found('before-import', 1_000_000, true)],
      problems: [],
    });
    await store.close();
    const file = (await readdir(join(directory, 'audio'))).find((name) => name.includes('before__import'))!;
    const bytes = await readFile(join(directory, 'audio', file));
    bytes[50_000]! ^= 1;
    await writeFile(join(directory, 'audio', file), bytes);
    expect(await check()).toMatchObject({
      sound: false,
      snapshots: [found('good', 2_000_000, true), found('before-import', 1_000_000, false)],
      problems: [{ file: `audio/${file}`, harmless: false, what: expect.stringContaining('before-import') }],
    });
  });
});

test('the number of the last acknowledged commit is reported, as is a file without one', async () => {
  const { directory, store, check } = await prepare(undefined);
  await store.close();
  expect(await check()).toMatchObject({ sound: true, acknowledged: 1, problems: [] });
  await writeFile(join(directory, 'acknowledged'), 'no number');
  expect(await check()).toMatchObject({
    sound: true,
    acknowledged: null,
    problems: [{ file: 'acknowledged', harmless: true }],
  });
  await rm(join(directory, 'acknowledged'));
  expect(await check()).toMatchObject({ sound: true, acknowledged: null, problems: [] });
});

test('no file is blamed that is not there', async () => {
  const { directory, store, check } = await prepare(undefined);
  await store.close();
  for (const name of await readdir(directory)) if (name.startsWith('journal-')) await rm(join(directory, name));
  const { problems } = await check();
  expect(problems).toMatchObject([{ file: 'acknowledged', what: expect.stringContaining('there is no journal-') }]);
  const present = await readdir(directory);
  for (const { file } of problems) expect(present).toContain(file);
});

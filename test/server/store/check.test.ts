/** `check` listens to all audio that documents name. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Documents } from '../../../server/store/collections.ts';
import { createFileBlobs } from '../../support/lowdb-store.ts';
import { checkDirectory } from '../../support/lowdb-store.ts';
import { openLowdbStore } from '../../support/lowdb-store.ts';
import { createSealing } from '../../../server/sealing/sealing.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { hookedFileSystem } from '../../support/hooked-file-system.ts';

const key = createSealing(Buffer.alloc(32, 7));
const blob = (n: number): string => `blb_${String(n).padStart(26, '0')}`;
const fileOf = (problem: { file: string } | undefined): string => basename(problem?.file ?? '');

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

  test('that is gone, or was changed, is told by its file', async () => {
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
      [blob(2), false, expect.stringMatching(/cannot be read|does not hold the audio/)],
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

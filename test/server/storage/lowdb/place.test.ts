/** The data directory, or a file of it, goes away under a running store: nothing is acknowledged that is not there. */
import { spawnSync } from 'node:child_process';
import { statSync, truncateSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../../../src/domain/clock.ts';
import type { ManualClock } from '../../../../src/domain/clock.ts';
import { createFileBlobs } from '../../../support/lowdb-store.ts';
import { openLowdbStore } from '../../../support/lowdb-store.ts';
import type { LowdbStoreOptions } from '../../../support/lowdb-store.ts';
import type { Store } from '../../../../server/storage/store.ts';
import { noSmallDisk } from '../../../support/small-disk.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';
import { asCrashed, dataFiles, foundIn, kept, put } from './data-directory.ts';
import { hookedFileSystem } from '../../../support/hooked-file-system.ts';
import type { Hook } from '../../../support/hooked-file-system.ts';

let parent: string;
let directory: string;
let elsewhere: string;
let clock: ManualClock;
let told: string[];

const open = async (options: Partial<LowdbStoreOptions> = {}): Promise<Store> => {
  const log: LowdbStoreOptions['log'] = ({ event }) => void told.push(event);
  const store = await openLowdbStore({ directory, clock, log, ...options });
  onTestFinished(() => store.close());
  return store;
};
const journal = async (): Promise<string> => join(directory, (await dataFiles(directory)).at(0)!);
const gone = { code: 'STORAGE_UNAVAILABLE', status: 503, message: expect.stringContaining('not where it was') };
const afterCrash = (place: string): Promise<string[]> => asCrashed(place, (copy) => foundIn(copy));
const contents = async (place: string): Promise<Record<string, Buffer>> =>
  Object.fromEntries(
    await Promise.all((await readdir(place)).map(async (name) => [name, await readFile(join(place, name))] as const)),
  );

beforeEach(async () => {
  parent = await temporaryDirectory();
  directory = join(parent, 'data');
  elsewhere = join(parent, 'elsewhere');
  clock = manualClock(Date.UTC(2026, 2, 2));
  told = [];
});

/** Ways in which a directory goes away and comes back. */
const ways: Record<string, { away: () => Promise<unknown>; back: () => Promise<unknown>; hidden: () => string }> = {
  'is moved': {
    away: () => rename(directory, elsewhere),
    back: () => rename(elsewhere, directory),
    hidden: () => elsewhere,
  },
  'is moved, and an empty one takes its place': {
    away: async () => {
      await rename(directory, elsewhere);
      await mkdir(directory);
    },
    back: async () => {
      await rm(directory, { recursive: true });
      await rename(elsewhere, directory);
    },
    hidden: () => elsewhere,
  },
  'is moved, and a copy takes its place': {
    away: async () => {
      await rename(directory, elsewhere);
      await cp(elsewhere, directory, { recursive: true });
    },
    back: async () => {
      await rm(directory, { recursive: true });
      await rename(elsewhere, directory);
    },
    hidden: () => elsewhere,
  },
};

describe.each(Object.entries(ways))('a data directory that %s', (_what, { away, back, hidden }) => {
  // With a snapshot at each commit there is always something to be made, and to be removed.
  test.each([1 << 20, 1])('acknowledges nothing until it is back (journals of %d bytes)', async (journalLimit) => {
    const store = await open({ journalLimit });
    await put(store, 'a');
    await put(store, 'b');
    await away();
    for (const id of ['c', 'd', 'e']) await expect(put(store, id)).rejects.toMatchObject(gone);
    await expect(store.compact()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(await kept(store)).toEqual(['a', 'b']);
    // What was refused is not there either.
    expect(await afterCrash(hidden())).toEqual(['a', 'b']);
    await back();
    clock.advance(1000);
    await put(store, 'f');
    expect(await afterCrash(directory)).toEqual(['a', 'b', 'f']);
    expect(told.filter((event) => event.startsWith('data_directory'))).toEqual([
      'data_directory_gone',
      'data_directory_back',
    ]);
  });
});

test('a data directory that is removed acknowledges nothing any more, and what was read stays to be read', async () => {
  const store = await open();
  await put(store, 'a');
  await rm(directory, { recursive: true });
  for (let n = 0; n < 50; n++) await expect(put(store, `${n}`)).rejects.toMatchObject(gone);
  expect(await kept(store)).toEqual(['a']);
  await store.close();
  expect(await readdir(parent)).toEqual([]);
});

test('another data directory in its place is left as it is', async () => {
  const other = await openLowdbStore({ directory: elsewhere, journalLimit: 1 });
  for (let n = 0; n < 9; n++) await put(other, `other ${n}`);
  await other.close();
  const before = await contents(elsewhere);
  const store = await open({ journalLimit: 1 });
  for (const id of ['a', 'b', 'c']) await put(store, id);
  await rename(directory, join(parent, 'ours'));
  await rename(elsewhere, directory);
  for (let n = 0; n < 5; n++) {
    await expect(put(store, `${n}`)).rejects.toMatchObject(gone);
    clock.advance(1000);
  }
  await store.compact().catch(() => undefined);
  await store.replace(store.dump()).catch(() => undefined);
  await store.close();
  expect(await contents(directory)).toEqual(before);
});

const unmountable = noSmallDisk();
test('a volume that is laid over the directory takes nothing, and what was below goes on when it is gone', async (context) => {
  if (unmountable !== undefined) return context.skip(unmountable);
  const store = await open();
  const blobs = await createFileBlobs(join(directory, 'audio'));
  await put(store, 'a');
  const { status } = spawnSync('mount', ['-t', 'tmpfs', 'laudio-test', directory]);
  expect(status).toBe(0);
  const unmount = () => spawnSync('umount', [directory]).status;
  onTestFinished(() => void unmount());
  await mkdir(join(directory, 'audio'));
  for (let n = 0; n < 50; n++) await expect(put(store, `${n}`)).rejects.toMatchObject(gone);
  await expect(blobs.write(blob(1), sound(), 100)).rejects.toMatchObject(gone);
  expect(await readdir(directory, { recursive: true })).toEqual(['audio']);
  expect(unmount()).toBe(0);
  await put(store, 'b');
  expect(await afterCrash(directory)).toEqual(['a', 'b']);
});

test('without its lock file nothing is acknowledged: another process could take the directory', async () => {
  const store = await open();
  await put(store, 'a');
  await rm(join(directory, 'lock.held'));
  await expect(put(store, 'b')).rejects.toMatchObject(gone);
  const second = await openLowdbStore({ directory });
  await expect(put(store, 'c')).rejects.toMatchObject(gone);
  await put(second, 'd');
  await second.close();
  await store.close();
  expect(await foundIn(directory)).toEqual(['a', 'd']);
});

describe('a journal in its directory', () => {
  const harms: Record<string, () => Promise<void>> = {
    removed: async () => rm(await journal()),
    'replaced by a copy': async () => {
      const path = await journal();
      const bytes = await readFile(path);
      // Another file may get the number of one that is gone.
      await rename(path, elsewhere);
      await writeFile(path, bytes);
    },
    'cut off': async () => truncate(await journal(), 120),
  };
  test.each(Object.entries(harms))('that was %s is rewritten from memory', async (_what, harm) => {
    const store = await open();
    await put(store, 'a');
    await put(store, 'b');
    await harm();
    await expect(put(store, 'c')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await put(store, 'd');
    expect(await afterCrash(directory)).toEqual(['a', 'b', 'd']);
    expect(told).toEqual(['store_read_only', 'store_writable_again']);
  });

  test('to which less was written than the system said takes nothing back that was acknowledged', async () => {
    let lie = false;
    const hook: Hook = (call, path) => {
      if (!lie || call !== 'stat' || !path.includes('journal')) return;
      lie = false;
      truncateSync(path, statSync(path).size - 1);
    };
    const store = await open({ fs: hookedFileSystem(hook) });
    await put(store, 'a');
    lie = true;
    await expect(put(store, 'b')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(await afterCrash(directory)).toEqual(['a']);
    await put(store, 'c');
    expect(await afterCrash(directory)).toEqual(['a', 'c']);
  });
});

const blob = (n: number): string => `blb_${String(n).padStart(26, '0')}`;
async function* sound(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('sound');
}

describe('audio', () => {
  test.each([
    ['moved', () => rename(directory, elsewhere), () => rename(elsewhere, directory)],
    [
      'hidden by another directory',
      async () => {
        await rename(directory, elsewhere);
        await mkdir(directory);
      },
      async () => {
        await rm(directory, { recursive: true });
        await rename(elsewhere, directory);
      },
    ],
  ])('in a directory that is %s is neither taken, nor called missing, until it is back', async (_what, away, back) => {
    const blobs = await createFileBlobs(directory);
    await blobs.write(blob(1), sound(), 100);
    await away();
    await expect(blobs.write(blob(2), sound(), 100)).rejects.toMatchObject(gone);
    await expect(blobs.read(blob(1))).rejects.toMatchObject(gone);
    await expect(blobs.remove(blob(1))).rejects.toMatchObject(gone);
    await expect(blobs.list()).rejects.toMatchObject(gone);
    await back();
    await blobs.write(blob(3), sound(), 100);
    expect((await blobs.list()).toSorted()).toEqual([blob(1), blob(3)]);
    expect(await blobs.read(blob(2))).toBeUndefined();
  });

  test('whose directory goes while it is written is refused', async () => {
    const blobs = await createFileBlobs(directory);
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('sound');
      await rename(directory, elsewhere);
      await mkdir(directory);
      yield Buffer.from('sound');
    }
    await expect(blobs.write(blob(1), slow(), 100)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(await readdir(directory)).toEqual([]);
  });
});

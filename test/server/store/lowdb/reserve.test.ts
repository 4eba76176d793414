/** The room that a journal has ahead: made where it is worth it, never relied upon, and given back. */
import { open as openFile, readFile, stat, truncate } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../../../src/domain/clock.ts';
import { nodeFileSystem } from '../../../../server/data-directory/private-files.ts';
import type { FileSystem } from '../../../../server/data-directory/private-files.ts';
import { createFrameBuffer, headerLength, newHeader, readFrames } from '../../../../server/store/lowdb/frame.ts';
import { createReserve } from '../../../../server/store/lowdb/reserve.ts';
import type { Store } from '../../../../server/store/store.ts';
import { checkDirectory, openLowdbStore } from '../../../support/lowdb-store.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';
import { afterCrash, asCrashed, dataFiles, foundIn, kept, put } from './data-directory.ts';
import { hookedFileSystem, systemError } from '../../../support/hooked-file-system.ts';
import type { Hook } from '../../../support/hooked-file-system.ts';

const name = 'journal-0000000000000000.laudio';
const clock = manualClock(Date.UTC(2026, 2, 2));
let directory: string;
let hook: Hook;
let told: string[];
const path = (): string => join(directory, name);
const sizeOf = async (): Promise<number> => (await stat(path())).size;
/** Where the last commit ends. */
const endOf = async (): Promise<number> => (await readFile(path())).findLastIndex((byte) => byte !== 0) + 1;
const unavailable = { code: 'STORAGE_UNAVAILABLE', status: 503 };

beforeEach(async () => {
  directory = await temporaryDirectory();
  hook = () => {};
  told = [];
});

const open = async (): Promise<Store> => {
  const store = await openLowdbStore({
    directory,
    clock,
    fs: hookedFileSystem((call, file) => hook(call, file)),
    log: ({ event }) => void told.push(event),
  });
  onTestFinished(() => store.close());
  return store;
};

/** So much that room is made after it. */
const large = (store: Store, id: string, length = 9000): Promise<void> =>
  store.transact(async (tx) => tx.put('settings', { id, value: 'x'.repeat(length) }));

/** A store whose journal has room, for which the next commit waited. */
async function openWithRoom(): Promise<Store> {
  const store = await open();
  await large(store, 'a');
  await put(store, 'b');
  expect(await sizeOf()).toBeGreaterThan(await endOf());
  return store;
}

describe('room', () => {
  test('is made for small commits, no more than there is already, and given back at the end', async () => {
    const store = await open();
    await put(store, 'a');
    await put(store, 'b');
    expect(await sizeOf()).toBe(await endOf());
    const lengths = new Set<number>();
    for (let n = 0; n < 60; n++) {
      await large(store, `c ${n}`, n % 20 === 0 ? 40_000 : 4000);
      const [size, end] = [await sizeOf(), await endOf()];
      expect(size - end).toBeLessThanOrEqual(end * 1.5 + 4096);
      lengths.add(size);
    }
    // The file grew once in a while only.
    expect(lengths.size).toBeLessThan(20);
    const end = await endOf();
    expect(await checkDirectory({ directory })).toMatchObject({ sound: true, problems: [] });
    expect(await afterCrash(directory)).toHaveLength(62);
    await store.close();
    expect(await sizeOf()).toBe(end);
    expect(told).toEqual([]);
  });

  test('is a MiB at most, and leaves a disk what it has where that is little', async () => {
    const written: number[] = [];
    let blocks = 4096;
    const handle = {
      write: async (_bytes: Uint8Array, _from: number, length: number) => ({
        bytesWritten: written.push(length) && length,
      }),
      truncate: async () => {},
      datasync: async () => {},
    } as unknown as FileHandle;
    const fs = { ...nodeFileSystem, statfs: async () => ({ bavail: blocks, bsize: 4096 }) } as unknown as FileSystem;
    const size = 5_000_000;
    for (const bavail of [4096, 4000, 0]) {
      blocks = bavail;
      const reserve = createReserve(fs, { path: path(), handle, appending: handle }, size);
      reserve.makeRoom(size, 600);
      await reserve.ready();
      expect(reserve.end - size).toBe(bavail === 4096 ? 1024 * 1024 - (size % 4096) : 0);
    }
    expect(written).toHaveLength(1);
  });

  test('is not made where most commits are large', async () => {
    const store = await open();
    for (let n = 0; n < 20; n++) await large(store, `${n}`, 60_000);
    hook = (call) => {
      if (call === 'statfs') expect.unreachable();
    };
    for (let n = 20; n < 25; n++) await large(store, `${n}`, 60_000);
    expect(await sizeOf()).toBeGreaterThan(25 * 60_000);
  });

  test('is not asked for again and again where there is none', async () => {
    let asked = 0;
    hook = (call) => {
      if (call !== 'statfs') return;
      asked++;
      throw systemError('ENOSPC');
    };
    const store = await open();
    await large(store, 'a', 20_000);
    for (let n = 0; n < 20; n++) await put(store, `${n}`);
    expect(asked).toBe(1);
    expect(await sizeOf()).toBe(await endOf());
    expect(await afterCrash(directory)).toHaveLength(21);
    await large(store, 'b', 20_000);
    await put(store, 'c');
    expect(asked).toBe(2);
  });

  test.each(['ENOSPC', 'short'])('that the disk refuses is done without: %s', async (failure) => {
    let begun = false;
    let writes = 0;
    hook = (call) => {
      if (call === 'statfs') begun = true;
      if (!begun || call !== 'handle.write') return;
      if (failure === 'short' && writes++ < 3) return 1000;
      begun = false;
      throw systemError('ENOSPC');
    };
    const store = await open();
    await large(store, 'a');
    await put(store, 'b');
    expect(await sizeOf()).toBe(await endOf());
    await put(store, 'c');
    expect(await afterCrash(directory)).toEqual(['a', 'b', 'c']);
    expect(told).toEqual([]);
  });

  test('whose sync fails is never written to: the store goes on in fresh files', async () => {
    let begun = false;
    hook = (call) => {
      if (call === 'statfs') begun = true;
      if (!begun || call !== 'handle.datasync') return;
      begun = false;
      throw systemError('EIO');
    };
    const store = await open();
    await large(store, 'a');
    await expect(put(store, 'b')).rejects.toMatchObject(unavailable);
    expect(await kept(store)).toEqual(['a']);
    expect(await afterCrash(directory)).toEqual(['a']);
    clock.advance(1000);
    await put(store, 'c');
    expect(await afterCrash(directory)).toEqual(['a', 'c']);
    expect(await dataFiles(directory)).not.toContain(name);
    expect(told).toEqual(['store_read_only', 'store_writable_again']);
  });

  test('takes a commit that is longer than it, whole or not at all', async () => {
    const store = await openWithRoom();
    let writes = 0;
    hook = (call) => {
      if (call !== 'handle.write') return;
      if (writes++ === 0) return 20_000;
      throw systemError('ENOSPC');
    };
    await expect(large(store, 'c', 30_000)).rejects.toMatchObject(unavailable);
    expect(await afterCrash(directory)).toEqual(['a', 'b']);
    hook = () => {};
    await large(store, 'c', 30_000);
    await put(store, 'd');
    expect(await afterCrash(directory)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('a journal with room', () => {
  async function overwrite(position: number, bytes: Uint8Array): Promise<void> {
    const handle = await openFile(path(), 'r+');
    await handle.write(bytes, 0, bytes.length, position);
    await handle.close();
  }

  test('to which less was written than the system said takes nothing back that was acknowledged', async () => {
    const store = await openWithRoom();
    let lie = true;
    hook = async (call, file) => {
      if (!lie || call !== 'stat' || !file.endsWith(name)) return;
      lie = false;
      await overwrite((await endOf()) - 1, Buffer.alloc(1));
    };
    await expect(put(store, 'c')).rejects.toMatchObject(unavailable);
    expect(await afterCrash(directory)).toEqual(['a', 'b']);
    clock.advance(1000);
    await put(store, 'd');
    expect(await afterCrash(directory)).toEqual(['a', 'b', 'd']);
  });

  test.each([
    ['while nothing is done', 9],
    ['before a commit that is longer than the room', 40_000],
    ['while room is made', 9],
  ])('that was cut off %s is written anew', async (when, length) => {
    const store = when === 'while room is made' ? await open() : await openWithRoom();
    if (when === 'while room is made') {
      hook = async (call) => {
        if (call === 'statfs') await truncate(path(), 120);
      };
      await large(store, 'a');
    } else {
      await truncate(path(), 120);
    }
    await expect(large(store, 'c', length)).rejects.toMatchObject(unavailable);
    hook = () => {};
    clock.advance(1000);
    await put(store, 'd');
    expect(await afterCrash(directory)).toEqual(when === 'while room is made' ? ['a', 'd'] : ['a', 'b', 'd']);
  });

  test('loses its room at the next start, and whatever a crash left there', async () => {
    const store = await openWithRoom();
    const end = await endOf();
    await overwrite(end + 100, Buffer.from('a page of a commit whose other pages are not there'));
    await asCrashed(directory, async (copy) => {
      const events: object[] = [];
      expect(await foundIn(copy, { log: (entry) => void events.push(entry) })).toEqual(['a', 'b']);
      expect(events).toContainEqual({ level: 'warn', event: 'journal_cut', file: name, bytes: 150 });
      expect((await readFile(join(copy, name))).length).toBe(end);
    });
    await overwrite(end + 100, Buffer.alloc(50));
    await put(store, 'c');
    expect(await afterCrash(directory)).toEqual(['a', 'b', 'c']);
  });
});

/** A file that looks like this at each reading. */
const readingOf = (imageAt: (reading: number) => Buffer): FileHandle => {
  let readings = 0;
  const read = async (buffer: Buffer, offset: number, length: number, position: number) => {
    const image = imageAt(readings++);
    return { bytesRead: image.copy(buffer, offset, Math.min(position, image.length), position + length) };
  };
  return { read } as unknown as FileHandle;
};

test('what is written while a journal is read is no damage', async () => {
  const header = newHeader('journal', { schema: 1, sequence: 0, sealed: false });
  const frames = createFrameBuffer(header, undefined);
  const ends = [1, 2, 3].map((n) => {
    frames.add(n, Buffer.alloc(50, n));
    return headerLength + frames.length;
  });
  const whole = Buffer.concat([Buffer.alloc(headerLength), frames.take(), Buffer.alloc(5000)]);
  const found = async (handle: FileHandle): Promise<number[]> => {
    const all: number[] = [];
    for await (const { end } of readFrames(handle, header, whole.length)) all.push(end);
    return all;
  };
  // Two commits are written while it reads: it sees a part of the first, and the second.
  const between = Buffer.from(whole).fill(0, ends[0]! + 20, ends[0]! + 40);
  expect(await found(readingOf((reading) => (reading === 0 ? between : whole)))).toEqual(ends);
  expect(await found(readingOf(() => between))).toEqual([ends[0], ends[1], ends[2]]);
  // Its room is given back while it reads.
  expect(await found(readingOf(() => whole.subarray(0, ends[2])))).toEqual(ends);
});

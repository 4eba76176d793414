/** The scrub reads every file beside other work, finds what the disk lost, and waits between its pieces. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blockLength, headerLength } from '../../../../server/storage/lowdb/frame.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { openLowdbStore } from '../../../support/lowdb-store.ts';
import { dataFiles, foundIn, put, unreadableAt } from './data-directory.ts';

const journal = 'journal-0000000000000000.laudio';
let directory: string;
const path = (name = journal): string => join(directory, name);
const unhindered = new AbortController().signal;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'laudio-scrub-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function flip(name: string, at: number): Promise<void> {
  const bytes = await readFile(path(name));
  bytes[at < 0 ? bytes.length + at : at]! ^= 1;
  await writeFile(path(name), bytes);
}

test('finds nothing where nothing is wrong, also while commits go on', async () => {
  const store = await openLowdbStore({ directory, journalLimit: 1 });
  const writing = (async () => {
    for (let n = 0; n < 40; n++) await put(store, `id ${String(n).padStart(4, '0')}`);
  })();
  for (let n = 0; n < 10; n++) expect(await store.scrub(unhindered)).toMatchObject({ faults: [] });
  await writing;
  const { bytes, faults } = await store.scrub(unhindered);
  expect({ faults, isMuch: bytes > headerLength }).toEqual({ faults: [], isMuch: true });
  await store.close();
});

test('takes nothing for a fault that was refused and lies behind the last commit', async () => {
  const store = await openLowdbStore({ directory });
  await put(store, 'a');
  await writeFile(path(), Buffer.concat([await readFile(path()), Buffer.alloc(50, 7)]));
  expect(await store.scrub(unhindered)).toMatchObject({ faults: [] });
  await store.close();
});

describe('finds', () => {
  test.each([
    { what: 'a byte of a commit', at: headerLength + 20, offset: headerLength, says: 'it was changed' },
    { what: 'a byte of the last commit', at: -1, offset: expect.any(Number), says: 'it was changed' },
  ])('$what that was changed', async ({ at, offset, says }) => {
    const store = await openLowdbStore({ directory });
    for (const id of ['a', 'b', 'c']) await put(store, id);
    await flip(journal, at);
    expect((await store.scrub(unhindered)).faults).toEqual([{ file: journal, offset, what: says }]);
    // Memory still has everything: fresh files are whole again.
    await store.compact();
    expect(await store.scrub(unhindered)).toMatchObject({ faults: [] });
    await store.close();
    expect(await foundIn(directory)).toEqual(['a', 'b', 'c']);
  });

  test('a journal that was cut off, and a damaged snapshot', async () => {
    const store = await openLowdbStore({ directory });
    await put(store, 'a');
    await store.compact();
    await put(store, 'b');
    const files = await dataFiles(directory);
    const last = files.findLast((name) => name.startsWith('journal'))!;
    const [snapshot] = files.filter((name) => name.startsWith('snapshot'));
    await writeFile(path(last), (await readFile(path(last))).subarray(0, headerLength));
    await flip(snapshot!, -1);
    expect((await store.scrub(unhindered)).faults).toEqual([
      { file: snapshot, offset: expect.any(Number), what: 'it was changed' },
      { file: last, offset: headerLength, what: 'its end is missing' },
    ]);
    await store.close().catch(() => undefined);
  });

  test('a sector that the disk does not read', async () => {
    const fs = unreadableAt(path(), headerLength, headerLength + blockLength);
    const store = await openLowdbStore({ directory, fs });
    await put(store, 'a');
    expect((await store.scrub(unhindered)).faults).toEqual([
      { file: journal, offset: headerLength, what: 'the disk does not read what is there' },
    ]);
    await store.close();
  });

  test('a damaged copy of a header, and repairs it', async () => {
    const store = await openLowdbStore({ directory });
    await put(store, 'a');
    const whole = await readFile(path());
    await flip(journal, blockLength + 3);
    expect((await store.scrub(unhindered)).faults).toEqual([
      { file: journal, offset: 0, what: 'a copy of its header was damaged' },
    ]);
    expect(await readFile(path())).toEqual(whole);
    expect(await store.scrub(unhindered)).toMatchObject({ faults: [] });
    await put(store, 'b');
    await store.close();
    expect(await foundIn(directory)).toEqual(['a', 'b']);
  });
});

test('pauses after each MiB by the clock, and ends on request', async () => {
  const clock = manualClock(0);
  const store = await openLowdbStore({ directory, clock });
  const value = 'x'.repeat(1024 * 1024);
  for (const id of ['a', 'b', 'c']) await store.transact(async (tx) => tx.put('settings', { id, value }));
  const stopping = new AbortController();
  let isOver = false;
  const scrub = store.scrub(unhindered).finally(() => (isOver = true));
  const interrupted = store.scrub(stopping.signal);
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  stopping.abort();
  await expect(interrupted).rejects.toMatchObject({ code: 'INTERRUPTED' });
  await expect.poll(() => (clock.advance(100), isOver)).toBe(true);
  expect(await scrub).toMatchObject({ faults: [] });
  await store.close();
});

test('has what was only added since the last snapshot covered by another one at the next commit', async () => {
  const store = await openLowdbStore({ directory, journalLimit: undefined });
  const snapshots = async () => (await dataFiles(directory)).filter((name) => name.startsWith('snapshot')).length;
  await put(store, 'a');
  await put(store, 'b');
  expect(await snapshots()).toBe(0);
  await store.scrub(unhindered);
  await put(store, 'c');
  await expect.poll(snapshots).toBe(1);
  await store.scrub(unhindered);
  await put(store, 'd');
  await store.close();
  expect(await foundIn(directory)).toEqual(['a', 'b', 'c', 'd']);
});

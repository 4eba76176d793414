/** What a start makes of a journal that is cut off, changed, or not alone. */
import { copyFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blockLength, headerLength } from '../../../../server/storage/lowdb/frame.ts';
import { checkDirectory, openLowdbStore, repairDirectory } from '../../../support/lowdb-store.ts';
import { createSealing } from '../../../../server/storage/sealing/sealing.ts';
import type { Store } from '../../../../server/storage/store.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { asCrashed, bytesOf, dataFiles, forgetAcknowledged, foundIn, put, unreadableAt } from './data-directory.ts';
import { hookedFileSystem, systemError } from '../../../support/hooked-file-system.ts';

const journal = 'journal-0000000000000000.laudio';
const beside = 'journal-0000000000000000.header';
let directory: string;
const path = (name = journal): string => join(directory, name);

/** Makes these commits and tells where each of them ends in the journal. */
async function write(store: Store, ids: readonly string[]): Promise<number[]> {
  const ends: number[] = [];
  for (const id of ids) {
    await put(store, id);
    ends.push((await readFile(path())).length);
  }
  return ends;
}

/** A store that has just these commits, and was then closed. */
async function prepare(ids: readonly string[], options: object = {}): Promise<number[]> {
  const store = await openLowdbStore({ directory, ...options });
  const ends = await write(store, ids);
  await store.close();
  return ends;
}

/** The same after a power failure: which commits were acknowledged is not known. */
async function prepareUnknown(ids: readonly string[], options: object = {}): Promise<number[]> {
  const ends = await prepare(ids, options);
  await forgetAcknowledged(directory);
  return ends;
}

const refusal = (at: string | RegExp) => ({
  code: 'DATA_DAMAGED',
  message: expect.stringMatching(at),
  hint: expect.stringContaining('laudio server repair'),
});

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'laudio-journal-'));
});
afterEach(() => rm(directory, { recursive: true }));

const key = randomBytes(32);

describe.each([
  ['plain', {}],
  ['sealed', { sealing: async () => createSealing(key) }],
])('a %s journal', (_name, options) => {
  test('cut off at any byte gives exactly the commits before, and goes on from there', async () => {
    const ids = ['a', 'b', 'c'];
    const ends = await prepareUnknown(ids, options);
    const whole = await readFile(path());
    for (const [turn, length] of [...bytesOf(ends), whole.length].entries()) {
      await rm(join(directory, 'acknowledged'), { force: true });
      await writeFile(path(), whole.subarray(0, length));
      const expected = ids.filter((_, n) => ends[n]! <= length);
      expect(await foundIn(directory, options), `length ${length}`).toEqual(expected);
      if (turn % 8 !== 0 && length !== whole.length) continue;
      const store = await openLowdbStore({ directory, ...options });
      await put(store, 'z');
      await store.close();
      expect(await foundIn(directory, options), `length ${length}`).toEqual([...expected, 'z']);
    }
  });

  test('cut off at any byte is refused where that takes what was acknowledged', async () => {
    const ids = ['a', 'b', 'c'];
    const ends = await prepare(ids, options);
    const whole = await readFile(path());
    for (const length of bytesOf(ends)) {
      const cut = whole.subarray(0, length);
      await writeFile(path(), cut);
      const left = ids.filter((_, n) => ends[n]! <= length).length;
      await expect(foundIn(directory, options), `length ${length}`).rejects.toMatchObject(
        refusal(
          `${journal} in the data directory lacks its end: ${left === 2 ? 'commit' : `the commits from ${left + 1} to`} 3 `,
        ),
      );
      expect(await readFile(path())).toEqual(cut);
    }
    await writeFile(path(), Buffer.concat([whole, Buffer.from('a commit that was just being written')]));
    expect(await foundIn(directory, options)).toEqual(ids);
  });

  test('with any one byte changed loses nothing in silence', async () => {
    const ids = ['a', 'b', 'c'];
    const ends = await prepareUnknown(ids, options);
    const whole = await readFile(path());
    for (const at of bytesOf(ends)) {
      await rm(join(directory, 'acknowledged'), { force: true });
      const changed = Buffer.from(whole);
      changed[at]! ^= 1 << (at % 8);
      await writeFile(path(), changed);
      // Its header is there twice; what follows the last commit that can be read may never have been acknowledged.
      const found = at < headerLength ? ids : at >= ends[1]! ? ['a', 'b'] : undefined;
      if (found) {
        expect(await foundIn(directory, options), `byte ${at}`).toEqual(found);
      } else {
        const begin = at < ends[0]! ? headerLength : ends[0]!;
        await expect(foundIn(directory, options), `byte ${at}`).rejects.toMatchObject(
          refusal(new RegExp(`${journal}.*at byte ${begin}:`)),
        );
        expect(await readFile(path())).toEqual(changed);
      }
      await writeFile(path(), whole);
    }
  });
});

test('a journal without its header is refused', async () => {
  await prepare(['a']);
  const bytes = await readFile(path());
  await writeFile(path(), bytes.fill(0, 0, headerLength));
  await rm(path(beside));
  await expect(foundIn(directory)).rejects.toMatchObject(refusal('no header'));
  // The directory is free again, and as it was.
  expect(await readdir(directory)).toEqual(['acknowledged', journal, 'lock.held']);
});

describe('of the three copies of a header any one is enough, and the others are repaired', () => {
  const zero = (from: number, to: number) => async () => {
    await writeFile(path(), (await readFile(path())).fill(0, from, to));
  };
  const places = {
    first: zero(0, blockLength),
    second: zero(blockLength, headerLength),
    beside: () => rm(path(beside)),
  };
  type Place = keyof typeof places;
  const losses: readonly (readonly Place[])[] = [
    ['first'],
    ['second'],
    ['beside'],
    ['first', 'second'],
    ['first', 'beside'],
    ['second', 'beside'],
  ];

  test.each(
    losses.flatMap((lost) => [
      { lost, sealed: false },
      { lost, sealed: true },
    ]),
  )('without $lost, encrypted: $sealed', async ({ lost, sealed }) => {
    const options = sealed ? { sealing: async () => createSealing(Buffer.alloc(32, 7)) } : {};
    await prepare(['a', 'b'], options);
    const whole = [await readFile(path()), await readFile(path(beside))];
    for (const place of lost) await places[place]();
    const report = await checkDirectory({ directory, ...options });
    expect(report).toMatchObject({ sound: true });
    expect(report.problems).toHaveLength(lost.length);
    const told: object[] = [];
    expect(await foundIn(directory, { ...options, log: (entry) => void told.push(entry) })).toEqual(['a', 'b']);
    expect(told).toEqual([{ level: 'warn', event: 'header_mended', file: journal }]);
    expect([await readFile(path()), await readFile(path(beside))]).toEqual(whole);
    expect(await checkDirectory({ directory, ...options })).toMatchObject({ problems: [] });
  });

  test('also where the disk refuses to read the sector', async () => {
    await prepare(['a', 'b']);
    const fs = unreadableAt(path(), 0, blockLength);
    expect(await checkDirectory({ directory, fs })).toMatchObject({
      sound: true,
      problems: [{ file: journal, offset: 0, harmless: true }],
    });
    expect(await foundIn(directory, { fs })).toEqual(['a', 'b']);
  });

  test('nothing is lost if they cannot be repaired', async () => {
    await prepare(['a']);
    await places.first();
    const fs = hookedFileSystem((call, name) => {
      if (call === 'handle.write' && name === path()) throw systemError('EIO');
    });
    const told: object[] = [];
    expect(await foundIn(directory, { fs, log: (entry) => void told.push(entry) })).toEqual(['a']);
    expect(told).toEqual([{ level: 'warn', event: 'header_not_mended', file: journal, code: 'EIO' }]);
  });

  test('one that a crash left without its file is removed', async () => {
    await prepare(['a']);
    await writeFile(path('journal-0000000000000009.header'), 'of nothing');
    expect(await foundIn(directory)).toEqual(['a']);
    expect(await readdir(directory)).toEqual(['acknowledged', beside, journal, 'lock.held']);
  });
});

test('a commit that the disk does not read is not taken for a torn end', async () => {
  const ends = await prepare(['a', 'x'.repeat(2 * blockLength), 'c']);
  await forgetAcknowledged(directory);
  const fs = unreadableAt(path(), headerLength + blockLength, headerLength + 2 * blockLength);
  const before = await readFile(path());
  await expect(foundIn(directory, { fs })).rejects.toMatchObject(refusal(`at byte ${ends[0]}: the disk does not read`));
  expect(await readFile(path())).toEqual(before);
  expect(await repairDirectory({ directory, fs })).toMatchObject({ lost: [{ from: 2, to: 2 }] });
  expect(await foundIn(directory)).toEqual(['a', 'c']);
});

test('a file that only got its length is a journal that never began', async () => {
  await writeFile(path(), Buffer.alloc(headerLength));
  expect(await foundIn(directory)).toEqual([]);
});

test('a further journal that was just being made is made again, and nothing goes to the one before', async () => {
  await prepare(['a']);
  for (const begun of [0, 10, headerLength]) {
    const next = 'journal-0000000000000001.laudio';
    await writeFile(path(next), Buffer.alloc(begun));
    const before = await readFile(path());
    const id = `after ${begun}`;
    const store = await openLowdbStore({ directory });
    await put(store, id);
    await store.close();
    expect(await foundIn(directory), `${begun} bytes`).toEqual(['a', id]);
    expect(await readFile(path())).toEqual(before);
    await rm(path(next));
    await forgetAcknowledged(directory);
  }
});

test('zeros after the last commit, as a power loss may leave them, are cut off', async () => {
  await prepare(['a']);
  const bytes = await readFile(path());
  await writeFile(path(), Buffer.concat([bytes, Buffer.alloc(5000)]));
  const told: object[] = [];
  expect(await foundIn(directory, { log: (entry) => void told.push(entry) })).toEqual(['a']);
  expect(told).toEqual([{ level: 'warn', event: 'journal_cut', file: journal, bytes: 5000 }]);
  expect(await readFile(path())).toEqual(bytes);
});

test('commits of another journal do not count, even in their place', async () => {
  const [end] = await prepare(['a']);
  const own = await readFile(path());
  await rm(path());
  await forgetAcknowledged(directory);
  const [, otherEnd] = await prepareUnknown(['x', 'y']);
  const other = await readFile(path());
  await writeFile(path(), Buffer.concat([own, other.subarray(end!, otherEnd)]));
  expect(await foundIn(directory)).toEqual(['a']);
});

test('a commit that is missing in between is missed', async () => {
  const ends = await prepare(['a', 'b', 'c']);
  const bytes = await readFile(path());
  await writeFile(path(), Buffer.concat([bytes.subarray(0, ends[0]), bytes.subarray(ends[1])]));
  await expect(foundIn(directory)).rejects.toMatchObject(refusal('commit 2 is missing'));
});

test('a journal that is missing in between is missed', async () => {
  const store = await openLowdbStore({ directory, journalLimit: 1 });
  for (const id of ['a', 'b', 'c', 'd', 'e']) await put(store, id);
  await store.close();
  const journals = (await dataFiles(directory)).filter((name) => name.startsWith('journal'));
  for (const name of (await dataFiles(directory)).filter((each) => each.startsWith('snapshot'))) await rm(path(name));
  expect(journals.length).toBeGreaterThan(1);
  await rm(path(journals[0]));
  await expect(foundIn(directory)).rejects.toMatchObject(refusal('are missing'));
});

test('a journal under another name is refused', async () => {
  await prepare(['a']);
  await copyFile(path(), path('journal-0000000000000001.laudio'));
  await expect(foundIn(directory)).rejects.toMatchObject(refusal('header of another file'));
});

test('an encrypted journal needs its key, and no other', async () => {
  await prepare(['a'], { sealing: async () => createSealing(key) });
  const bytes = await readFile(path());
  expect(bytes.includes('settings')).toBe(false);
  await expect(foundIn(directory)).rejects.toMatchObject({ message: expect.stringContaining('is encrypted') });
  const another = { sealing: async () => createSealing(randomBytes(32)) };
  await expect(foundIn(directory, another)).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: expect.stringContaining('cannot be decrypted'),
  });
  expect(await readFile(path())).toEqual(bytes);
});

test('plain data is encrypted by the first start with a key, and nothing of it stays plain', async () => {
  await prepare(['a-recognisable-value']);
  const sealed = { sealing: async () => createSealing(key) };
  expect(await foundIn(directory, sealed)).toEqual(['a-recognisable-value']);
  for (const name of await dataFiles(directory)) {
    expect((await readFile(path(name))).includes('recognisable'), name).toBe(false);
  }
  expect(await foundIn(directory, sealed)).toEqual(['a-recognisable-value']);
});

test('many commits of every size come back as they were', async () => {
  const store = await openLowdbStore({ directory });
  const values = Array.from({ length: 300 }, (_, n) => 'ü\u2028"\ud800'.repeat((n * 7919) % 5000));
  values.push('x'.repeat(3 * 1024 * 1024));
  await Promise.all(
    values.map((value, n) => store.transact(async (tx) => tx.put('settings', { id: String(n), value }))),
  );
  await store.close();
  const reopened = await openLowdbStore({ directory });
  for (const [n, value] of values.entries()) {
    expect(await reopened.get('settings', String(n))).toEqual({ id: String(n), value });
  }
  await reopened.close();
});

describe('a newest journal that is gone', () => {
  const name = (n: number): string => `journal-${n.toString(16).padStart(16, '0')}.laudio`;

  test('is missed, be it the only one', async () => {
    await prepare(['a', 'b']);
    await rm(path());
    await expect(foundIn(directory)).rejects.toMatchObject(
      refusal(`${journal} in the data directory is missing: the commits from 1 to 2 are missing`),
    );
  });

  test('is missed, be there a snapshot up to it', async () => {
    const store = await openLowdbStore({ directory });
    async function* documents() {
      yield { collection: 'settings' as const, document: { id: 'kept', value: 1 } };
    }
    await store.replace(documents());
    await put(store, 'a');
    await store.close();
    await rm(path(name(1)));
    await expect(foundIn(directory)).rejects.toMatchObject(refusal('commit 2 is missing'));
    // Nobody but a person may say that this is all right.
    await forgetAcknowledged(directory);
    expect(await foundIn(directory)).toEqual(['kept']);
  });
});

describe('acknowledged commits', () => {
  const known = (): Promise<string> => readFile(join(directory, 'acknowledged'), 'latin1');

  test('is known after a process was killed', async () => {
    const clock = manualClock(0);
    const store = await openLowdbStore({ directory, clock });
    await put(store, 'a');
    expect(await known()).toMatch(/^0000000000000001 [0-9a-f]{8}\n$/);
    // What comes right after it becomes known soon.
    for (const id of ['b', 'c']) await put(store, id);
    expect(await known()).toMatch(/^0000000000000001 /);
    clock.advance(4);
    expect(await known()).toMatch(/^0000000000000003 /);
    await asCrashed(directory, async (copy) => {
      await truncate(join(copy, journal), (await readFile(join(copy, journal))).length - 1);
      await expect(foundIn(copy)).rejects.toMatchObject(refusal('commit 3 is missing'));
    });
    await store.close();
  });

  test('is known of the last 16 ms, however fast one commit follows upon the other', async () => {
    const clock = manualClock(0);
    const store = await openLowdbStore({ directory, clock });
    const behind: number[] = [];
    for (let n = 1; n <= 64; n++) {
      await put(store, `${n}`);
      clock.advance(1);
      behind.push(n - Number.parseInt((await known()).slice(0, 16), 16));
    }
    expect(Math.max(...behind)).toBe(15);
    clock.advance(4);
    clock.advance(4);
    expect(await known()).toMatch(/^0000000000000040 /);
    await store.close();
  });

  test.each(['', 'nonsense', '0000000000000009 00000000\n', '0'.repeat(26)])(
    'is not known where its file says nothing that is right: %j',
    async (text) => {
      await prepare(['a']);
      await writeFile(join(directory, 'acknowledged'), text);
      expect(await foundIn(directory)).toEqual(['a']);
      // A start knows it again.
      expect(await known()).toMatch(/^0000000000000001 /);
    },
  );

  test('is never more than is durable, and not needed for a commit', async () => {
    let fails = false;
    const fs = hookedFileSystem((call, name) => {
      if (name.endsWith('acknowledged') && call !== 'readFile') throw systemError('ENOSPC');
      if (call === 'handle.datasync' && fails) throw systemError('EIO');
    });
    const store = await openLowdbStore({ directory, fs });
    await put(store, 'a');
    fails = true;
    await expect(put(store, 'b')).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await store.close();
    expect(await foundIn(directory)).toEqual(['a']);
    expect(await known()).toMatch(/^0000000000000001 /);
  });
});

test('a last commit that was cut off leaves room for shorter ones', async () => {
  const [, end] = await prepareUnknown(['a', 'b'.repeat(1000)]);
  await truncate(path(), end! - 1);
  await prepare(['c', 'd']);
  expect(await foundIn(directory)).toEqual(['a', 'c', 'd']);
});

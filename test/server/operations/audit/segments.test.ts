/** Entries of the audit trail on the disk: found as before, moved without loss, and every change of a segment told. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { hash } from 'node:crypto';
import * as fc from '../../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import type { Segment } from '../../../../server/operations/audit/segments.ts';
import { listEntries } from '../../../../server/operations/audit/read-trail.ts';
import type { TrailQuery } from '../../../../server/operations/audit/read-trail.ts';
import { appendFacts, readHead, segmentId } from '../../../../server/operations/audit/trail.ts';
import { verifyTrail } from '../../../../server/operations/audit/verify-trail.ts';
import { countRetirable, retireSegments } from '../../../../server/operations/audit/retire-segments.ts';
import { createSegmenter, openSegmenter } from '../../../../server/operations/audit/segmenter.ts';
import { createSealing, dataKeyLength } from '../../../../server/storage/sealing/sealing.ts';
import { createIds } from '../../../../server/storage/ids.ts';
import type { Blobs } from '../../../../server/storage/blobs/blobs.ts';
import type { Store } from '../../../../server/storage/store.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { longestTurn } from '../../../support/longest-turn.ts';
import { begin, fact, openTestTrail, second } from './trails.ts';
import type { TestTrail } from './trails.ts';

const instant = (nth: number): string => new Date(begin + nth * second).toISOString();

const everyPage = async (trail: TestTrail, query: TrailQuery) => {
  const pages = [];
  for (let before: number | null | undefined; before !== null;) {
    const page = await listEntries(trail, { ...query, ...(before !== undefined && { before }) });
    pages.push(page);
    before = page.next_before;
  }
  return pages;
};

const segmentsIn = async ({ store }: TestTrail): Promise<Segment[]> =>
  (await store.find('audit_segments', {})).toReversed();

test('every query gives what it gave before the entries moved, page by page', async () => {
  const [before, after] = [await openTestTrail(), await openTestTrail()];
  for (const trail of [before, after]) await trail.enter(1, 60);
  await after.move();
  expect((await segmentsIn(after)).map(({ first, last }) => [first, last])).toEqual(
    [1, 9, 17, 25, 33, 41].map((first) => [first, first + 7]),
  );
  expect(await after.store.count('audit')).toBe(12);
  const query = fc.record(
    {
      limit: fc.integer({ min: 1, max: 25 }),
      before: fc.integer({ min: 1, max: 70 }),
      id: fc.constantFrom('rec_9', 'rec_of_3', 'rec_none', 'rec'),
      user_id: fc.constantFrom('usr_1', 'usr_none'),
      client_id: fc.constantFrom('tc_0', 'tc_1'),
      since: fc.integer({ min: -1, max: 62 }).map(instant),
      until: fc.integer({ min: -1, max: 62 }).map(instant),
    },
    { requiredKeys: ['limit'] },
  );
  await fc.assert(
    fc.asyncProperty(query, async (wanted) => {
      expect(await everyPage(after, wanted)).toEqual(await everyPage(before, wanted));
    }),
  );
});

test('a trail goes on over its segments, and is sound all along', async () => {
  const trail = await openTestTrail();
  for (let from = 1; from < 100; from += 11) {
    await trail.enter(from, from + 10);
    const noted = await readHead(trail.store);
    await trail.move();
    expect(await verifyTrail(trail, noted)).toEqual({
      sound: true,
      entries: from + 10,
      head: noted,
      removed: null,
      broken: null,
    });
  }
  const segments = await segmentsIn(trail);
  expect(segments.length).toBeGreaterThan(8);
  segments.forEach(({ first, previous }, nth) => {
    expect([first - 1, previous]).toEqual(nth === 0 ? [0, ''] : [segments[nth - 1]!.last, segments[nth - 1]!.hash]);
  });
});

test('entries older than a week move although there are few', async () => {
  const trail = await openTestTrail();
  await trail.enter(1, 3);
  trail.clock.advance(6 * 24 * 3600_000);
  await trail.move();
  expect(await segmentsIn(trail)).toEqual([]);
  trail.clock.advance(24 * 3600_000 + 60_000);
  await trail.move();
  expect(await segmentsIn(trail)).toMatchObject([{ first: 1, last: 3, from: instant(1), to: instant(3) }]);
  expect(await verifyTrail(trail)).toMatchObject({ sound: true, entries: 3 });
});

test('a segment is encrypted where the data is', async () => {
  const sealing = createSealing(new Uint8Array(dataKeyLength));
  const trail = await openTestTrail({ sealing });
  await trail.enter(1, 30);
  await trail.move();
  expect(await verifyTrail(trail)).toMatchObject({ sound: true });
  const plain: TestTrail = { ...trail, blobs: (await openTestTrail()).blobs };
  const [{ blob }] = (await segmentsIn(trail)) as [Segment];
  expect(await plain.blobs.read(blob!)).toBeUndefined();
  expect((await listEntries(trail, { id: 'rec_2' })).items).toMatchObject([{ number: 2 }]);
});

async function bytesOf(blobs: Blobs, blob: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of (await blobs.read(blob))!.stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function overwrite({ blobs }: TestTrail, blob: string, bytes: Buffer): Promise<void> {
  async function* content() {
    yield bytes;
  }
  await blobs.write(blob, content(), Infinity);
}

const rewritten =
  (change: (lines: string[]) => string[], hides = false) =>
  async (trail: TestTrail, segment: Segment): Promise<void> => {
    const lines = gunzipSync(await bytesOf(trail.blobs, segment.blob!))
      .toString()
      .trimEnd()
      .split('\n');
    const bytes = gzipSync(`${change(lines).join('\n')}\n`);
    await overwrite(trail, segment.blob!, bytes);
    const sha256 = hash('sha256', bytes, 'hex');
    if (hides) await trail.store.transact(async (tx) => tx.put('audit_segments', { ...segment, sha256 }));
  };

/** What somebody does to the segment with the entries 9 to 16, and what is told: the entry, and words of the problem. */
const tamperings: Readonly<
  Record<string, readonly [(trail: TestTrail, segment: Segment) => Promise<void>, number, string]>
> = {
  'its file is removed': [({ blobs }, { blob }) => blobs.remove(blob!), 9, '9 to 16 is missing'],
  'its file is emptied': [(trail, { blob }) => overwrite(trail, blob!, Buffer.alloc(0)), 9, 'from entry 9 on'],
  'its file is cut off': [
    async (trail, { blob }) => {
      const bytes = await bytesOf(trail.blobs, blob!);
      await overwrite(trail, blob!, bytes.subarray(0, bytes.length >> 1));
    },
    9,
    'cannot be read from entry',
  ],
  'its file goes on': [
    async (trail, { blob }) =>
      overwrite(trail, blob!, Buffer.concat([await bytesOf(trail.blobs, blob!), Buffer.from('x')])),
    9,
    'is not the file that was written',
  ],
  'it changes places with the next one': [
    async (trail, { blob }) => {
      const other = (await segmentsIn(trail))[2]!.blob!;
      const [one, two] = [await bytesOf(trail.blobs, blob!), await bytesOf(trail.blobs, other)];
      await overwrite(trail, blob!, two);
      await overwrite(trail, other, one);
    },
    9,
    'is another one',
  ],
  'an entry in it says something else': [
    rewritten((lines) => lines.map((line) => line.replace('"ids":["rec_12"', '"ids":["rec_99"')), true),
    12,
    'changed',
  ],
  'an entry is taken out of it': [rewritten((lines) => lines.toSpliced(3, 1), true), 11, 'another number'],
  'two entries in it change places': [
    rewritten((lines) => lines.with(3, lines[4]!).with(4, lines[3]!), true),
    11,
    'another number',
  ],
  'its last entries are cut off': [rewritten((lines) => lines.slice(0, -2), true), 15, 'from entry 15 on'],
  'an entry is put behind its end': [rewritten((lines) => [...lines, lines.at(-1)!], true), 17, 'goes on after'],
  'a line in it is none': [rewritten((lines) => lines.with(5, 'x'), true), 13, 'from entry 13 on'],
  'its beginning names another hash': [
    rewritten((lines) => lines.with(0, lines[0]!.replace(/"previous":"./, '"previous":"_')), true),
    9,
    'its beginning was changed',
  ],
  'its document is removed': [
    ({ store }, { id }) => store.transact(async (tx) => tx.remove('audit_segments', id)),
    9,
    'is missing',
  ],
  'its document ends it earlier': [
    ({ store }, segment) => store.transact(async (tx) => tx.put('audit_segments', { ...segment, last: 15 })),
    16,
    'goes on after its last entry',
  ],
  'its document says that it was removed': [
    ({ store }, segment) => store.transact(async (tx) => tx.put('audit_segments', { ...segment, blob: null })),
    9,
    'has no entries',
  ],
  'its document names another hash at its end': [
    ({ store }, segment) =>
      store.transact(async (tx) => tx.put('audit_segments', { ...segment, hash: 'B'.repeat(43) })),
    16,
    'does not end with',
  ],
  'all up to it are said to be removed by retention': [
    ({ store }, segment) =>
      store.transact(async (tx) => {
        tx.remove('audit_segments', segment.id);
        tx.put('audit_segments', { ...segment, id: segmentId(1), first: 1, previous: '', blob: null, kept_s: 60 });
      }),
    1,
    'no entry records that retention removed them',
  ],
};

describe('verify names place and kind', () => {
  test.each(Object.entries(tamperings))('%s', async (_name, [tamper, number, says]) => {
    const trail = await openTestTrail();
    await trail.enter(1, 45);
    await trail.move();
    const [, second] = await segmentsIn(trail);
    await tamper(trail, second!);
    const { sound, broken } = await verifyTrail(trail);
    expect(sound).toBe(false);
    expect(broken).toEqual({ number: expect.any(Number), problem: expect.stringContaining(says) });
    // Where a file is cut off decides how much of it can be read.
    if (says === 'cannot be read from entry') expect(broken!.number).toBeLessThanOrEqual(16);
    else expect(broken!.number).toBe(number);
  });

  test('the encrypted file of a segment is changed', async () => {
    const sealing = createSealing(new Uint8Array(dataKeyLength));
    const trail = await openTestTrail({ sealing });
    await trail.enter(1, 45);
    await trail.move();
    const [one, two] = await segmentsIn(trail);
    // What is bound to one name cannot be opened under another one.
    const read: Blobs['read'] = (id, how) => trail.blobs.read(id === two!.blob ? one!.blob! : id, how);
    expect(await verifyTrail({ store: trail.store, blobs: { read } })).toMatchObject({ broken: { number: 9 } });
  });
});

test('a query that needs a damaged segment says so, and others go on', async () => {
  const trail = await openTestTrail();
  await trail.enter(1, 45);
  await trail.move();
  const [, { blob }] = (await segmentsIn(trail)) as [Segment, Segment];
  await trail.blobs.remove(blob!);
  await expect(listEntries(trail, { limit: 1000 })).rejects.toMatchObject({
    code: 'INTERNAL_ERROR',
    message: 'The entries 9 to 16 of the audit trail are missing.',
  });
  expect((await listEntries(trail, { limit: 1000, since: instant(17) })).items).toHaveLength(29);
  expect((await listEntries(trail, { limit: 1000, until: instant(8) })).items).toHaveLength(8);
});

/** The store and the blobs of a process that ends at the nth call of them that changes something, or just after it. */
function endingAt(
  trail: TestTrail,
  call: number,
  isAfter: boolean,
): Pick<TestTrail, 'store' | 'blobs'> & { calls(): number } {
  let calls = 0;
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    if (++calls > call) throw new AppError('STORAGE_UNAVAILABLE');
    if (calls < call) return work();
    if (isAfter) await work();
    throw new AppError('STORAGE_UNAVAILABLE');
  };
  return {
    calls: () => calls,
    store: {
      ...trail.store,
      transact: (work: Parameters<Store['transact']>[0]) => counted(() => trail.store.transact(work)),
    } as Store,
    blobs: {
      ...trail.blobs,
      write: (...all) => counted(() => trail.blobs.write(...all)),
      remove: (id) => counted(() => trail.blobs.remove(id)),
    },
  };
}

test('a process that ends at any step of a move loses no entry and has none twice', async () => {
  for (const isAfter of [false, true]) {
    for (let call = 1, isOver = false; !isOver; call++) {
      const trail = await openTestTrail();
      await trail.enter(1, 30);
      const head = await readHead(trail.store);
      const process = endingAt(trail, call, isAfter);
      await trail.move(process);
      isOver = process.calls() < call;
      const check = async () => {
        const { items } = await listEntries(trail, { limit: 1000 });
        expect(items.map(({ number }) => number)).toEqual(Array.from({ length: 30 }, (_, nth) => 30 - nth));
        expect(await verifyTrail(trail), `call ${call}`).toMatchObject({ sound: true, head });
      };
      await check();
      await trail.move();
      await check();
      expect(await trail.store.count('audit')).toBe(14);
      const named = (await segmentsIn(trail)).map(({ blob }) => blob);
      expect(named).toHaveLength(2);
      // One that nobody names any more is left for the collection of orphans.
      expect((await trail.blobs.list()).filter((blob) => named.includes(blob))).toHaveLength(2);
    }
  }
});

test('audio that the disk does not return intact stays in the store', async () => {
  const trail = await openTestTrail();
  await trail.enter(1, 30);
  const write: Blobs['write'] = async (id, source, limit) => {
    const written = await trail.blobs.write(id, source, limit);
    await overwrite(trail, id, Buffer.from('something else'));
    return written;
  };
  await trail.move({ blobs: { ...trail.blobs, write } });
  expect(await segmentsIn(trail)).toEqual([]);
  expect(await trail.store.count('audit')).toBe(30);
  expect(trail.logged).toMatchObject([{ level: 'warn', event: 'audit_not_moved' }]);
  expect(await trail.blobs.list()).toEqual([]);
});

test('a restore in the middle of a move leaves the trail of the backup as it is', async () => {
  const [trail, other] = [await openTestTrail(), await openTestTrail()];
  await trail.enter(1, 30);
  await other.enter(31, 75);
  const write: Blobs['write'] = async (...all) => {
    const written = await trail.blobs.write(...all);
    await trail.store.replace(other.store.dump());
    return written;
  };
  await trail.move({ blobs: { ...trail.blobs, write } });
  const head = await readHead(other.store);
  expect(await verifyTrail(trail)).toMatchObject({ sound: true, head, entries: 45 });
  expect(await trail.store.count('audit')).toBe(45);
});

test('the trail of a large house moves and is searched while others are served', async () => {
  const trail = await openTestTrail();
  let ordinary = 0;
  for (let from = 1; from < 20_000; from += 1000) {
    const { longest } = await longestTurn(() => trail.enter(from, from + 999));
    ordinary = Math.max(ordinary, longest);
  }
  const { store, blobs, clock } = trail;
  const segmenter = createSegmenter({ store, blobs, clock, ids: createIds(clock), log: () => {} });
  const moving = await longestTurn(() => segmenter.run());
  await segmenter.close();
  expect(await store.count('audit')).toBeLessThan(10_000);
  const searching = await longestTurn(() => listEntries(trail, { id: 'rec_77', user_id: 'usr_2' }));
  expect(searching.result.items).toMatchObject([{ number: 77 }]);
  const verifying = await longestTurn(() => verifyTrail(trail));
  expect(verifying.result).toMatchObject({ sound: true, entries: 20_000 });
  // Compared with entering a thousand, the largest thing that others wait for anyway.
  for (const { longest } of [moving, searching, verifying]) expect(longest).toBeLessThan(2 * ordinary);
});

describe('retention', () => {
  const kept = 30 * 24 * 3600_000;
  /** Segments of eight entries with these times, in days. */
  async function withTimes(...days: number[]): Promise<TestTrail> {
    const trail = await openTestTrail();
    for (const [nth, at] of days.entries()) {
      const facts = Array.from({ length: 8 }, (_, of) => ({
        ...fact(nth * 8 + of + 1),
        at: new Date(begin + at * 24 * 3600_000).toISOString(),
      }));
      await trail.store.transact((tx) => appendFacts(tx, facts));
    }
    // The newest entries stay in the store.
    await trail.enter(1, 20);
    await trail.move();
    return trail;
  }
  const retire = async (trail: TestTrail, day: number): Promise<number> => {
    const now = () => begin + day * 24 * 3600_000;
    const counted = await countRetirable(trail.store, { ...trail.clock, now }, kept);
    const { entries, blobs } = await retireSegments(trail.store, { ...trail.clock, now }, kept);
    expect([entries, blobs.length]).toEqual([counted, counted / 8]);
    for (const blob of blobs) await trail.blobs.remove(blob);
    expect(await verifyTrail(trail)).toMatchObject({ sound: true });
    return entries / 8;
  };

  test('removes the beginning, again and again, and the chain holds', async () => {
    const trail = await withTimes(1, 2, 3, 4);
    expect(await retire(trail, 31)).toBe(0);
    expect(await retire(trail, 32.5)).toBe(2);
    expect(await retire(trail, 32.5)).toBe(0);
    expect(await retire(trail, 33.5)).toBe(1);
    const { removed, entries, head } = await verifyTrail(trail);
    expect([removed!.number, entries]).toEqual([24, head.number - 24]);
    expect((await listEntries(trail, { limit: 1000 })).items.map(({ number }) => number).at(-1)).toBe(25);
  });

  test('keeps what a wrong clock wrote as long as what came next', async () => {
    expect(await retire(await withTimes(1, 5000, 2, 3), 31.5)).toBe(1);
    expect(await retire(await withTimes(1, 5000, 2, 3), 32.5)).toBe(3);
    // Behind: as old as it looks it is not.
    expect(await retire(await withTimes(1, -9000, 20, 21), 32.5)).toBe(1);
    expect(await retire(await withTimes(1, -9000, 20, 21), 50.5)).toBe(3);
  });

  test('a trail whose beginning was removed by hand as retention would is reported', async () => {
    const trail = await withTimes(1, 2, 3, 4);
    await retire(trail, 31.5);
    await trail.store.transact(async (tx) => {
      const second = (await tx.get('audit_segments', segmentId(9)))!;
      const anchor = (await tx.get('audit_segments', segmentId(1)))!;
      tx.remove('audit_segments', second.id);
      tx.put('audit_segments', { ...anchor, last: second.last, hash: second.hash });
    });
    expect(await verifyTrail(trail)).toMatchObject({ sound: false, broken: { number: 1 } });
  });
});

test('nothing moves where blobs end with the process, and documents do not', async () => {
  const { store, blobs, clock } = await openTestTrail();
  const deps = { store, blobs, clock, log: () => {}, newest: 0 };
  expect(openSegmenter(deps, ['audio'])).toBeUndefined();
  const segmenter = openSegmenter(deps, ['documents', 'audio']);
  expect(segmenter).toBeDefined();
  await segmenter!.close();
});

test('the segmenter follows the trail by itself', async () => {
  const trail = await openTestTrail();
  const segmenter = trail.segmenter();
  for (let from = 1; from <= 600; from += 50) await trail.enter(from, from + 49);
  await expect.poll(() => trail.store.count('audit_segments')).toBeGreaterThan(20);
  await segmenter.run();
  await segmenter.close();
  expect(await trail.store.count('audit')).toBeLessThan(20);
  expect(await verifyTrail(trail)).toMatchObject({ sound: true, entries: 600 });
  await trail.store.transact((tx) => appendFacts(tx, [fact(601)]));
});

/** Batches on their way at once: what may overtake what. */
import * as fc from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import type { Batch } from '../../src/sending/batches.ts';
import type { Item } from '../../src/sending/entries.ts';
import { inLanes } from '../../src/sending/lanes.ts';

type Names = readonly [accession: string | null, study: string | null];

const batch = (number: number, names: readonly Names[]): Batch => ({
  number,
  entries: [],
  items: names.map(([accession, study]) => ({ accession, study }) as Item),
  begins: Number.NaN,
  body: new Uint8Array(),
});

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

/** Sends them all, ending those under way in an order of `choose`; tells which were under way together. */
async function observe(batches: readonly Batch[], lanes: number, choose: (count: number) => number = () => 0) {
  const underWay = new Map<number, () => void>();
  const begun: number[] = [];
  const together: [number, number][] = [];
  const over = inLanes(each(batches), lanes, ({ number }) => {
    begun.push(number);
    for (const other of underWay.keys()) together.push([other, number]);
    return new Promise((resolve) => underWay.set(number, () => resolve(true)));
  });
  let isOver = false;
  void over.then(() => (isOver = true));
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    const waiting = [...underWay.keys()];
    const next = waiting[choose(waiting.length)];
    if (next === undefined) continue;
    underWay.get(next)!();
    underWay.delete(next);
  }
  return { begun, together };
}

describe('batches', () => {
  it('that are named by accession numbers alone and share none go together, as many as there are lanes', async () => {
    const batches = Array.from({ length: 6 }, (_, at) => batch(at + 1, [[`A-${at}`, null]]));
    const { begun, together } = await observe(batches, 3);
    expect(begun).toEqual([1, 2, 3, 4, 5, 6]);
    expect(together).toContainEqual([1, 3]);
    expect(together).not.toContainEqual([1, 4]);
  });

  it.each<[string, readonly Names[], readonly Names[]]>([
    ['share an accession number', [['A-1', null]], [['A-1', null]]],
    ['share a study UID', [[null, '1.2']], [[null, '1.2']]],
    // Both may be one stored exam, with A-1 and 1.2.
    ['are named in different ways', [['A-1', null]], [[null, '1.2']]],
    ['are named in both ways', [['A-1', '1.1']], [['A-2', '1.2']]],
    ['are named in both ways by one item', [['A-1', null]], [['A-2', '1.2']]],
  ])('that %s go one after the other', async (_, first, second) => {
    expect((await observe([batch(1, first), batch(2, second)], 4)).together).toEqual([]);
  });

  it('never reach one stored exam at the same time, whatever is stored', async () => {
    const name = (prefix: string) =>
      fc.option(
        fc.integer({ min: 1, max: 5 }).map((n) => `${prefix}${n}`),
        { nil: null },
      );
    const items = fc.array(fc.tuple(name('A'), name('S')), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(items, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 4 }),
        fc.infiniteStream(fc.nat()),
        async (sent, lanes, choices) => {
          const batches = sent.map((names, at) => batch(at + 1, names));
          const { begun, together } = await observe(
            batches,
            lanes,
            (count) => choices.next().value! % Math.max(1, count),
          );
          expect(begun).toEqual(batches.map(({ number }) => number));
          for (const [one, other] of together) {
            const [mine, others] = [sent[one - 1]!, sent[other - 1]!];
            // A stored exam with any accession number and any study UID.
            const reaches = (names: readonly Names[], [accession, study]: Names) =>
              names.some(([a, s]) => (a !== null && a === accession) || (s !== null && s === study));
            const stored = [...mine, ...others].flatMap(([a]) => [...mine, ...others].map(([, s]): Names => [a, s]));
            expect(stored.filter((exam) => reaches(mine, exam) && reaches(others, exam))).toEqual([]);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a failure', () => {
  it('begins nothing new, waits for what is under way, and is thrown', async () => {
    const ended: number[] = [];
    const batches = Array.from({ length: 9 }, (_, at) => batch(at + 1, [[`A-${at}`, null]]));
    const failing = inLanes(each(batches), 3, async ({ number }) => {
      if (number === 2) throw new Error('lost');
      await new Promise((resolve) => setImmediate(resolve));
      ended.push(number);
      return true;
    });
    await expect(failing).rejects.toThrow('lost');
    expect(ended).toEqual([1]);
  });

  it('of reading waits for what is under way as well', async () => {
    let isOver = false;
    async function* broken() {
      yield batch(1, [['A-1', null]]);
      throw new Error('unreadable');
    }
    const failing = inLanes(broken(), 2, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      isOver = true;
      return true;
    });
    await expect(failing).rejects.toThrow('unreadable');
    expect(isOver).toBe(true);
  });

  it('is not needed to end it', async () => {
    const begun: number[] = [];
    await inLanes(each([1, 2, 3].map((number) => batch(number, []))), 1, async ({ number }) => {
      begun.push(number);
      return number < 2;
    });
    expect(begun).toEqual([1, 2]);
  });
});

/** Sound that was never captured is found by the clock of the blocks. */
import { describe, expect, test } from 'vitest';
import { createCaptureGaps } from '../../../src/domain/dictation/capture-gaps.ts';
import type { CaptureBlock } from '../../../src/domain/dictation/capture-gaps.ts';
import * as fc from '../../support/properties.ts';

const ms = 60;
const start = 1_700_000_000_000;

/** The ms that are told missing before each block, in order; blocks never come in another order. */
function follow(hours: readonly number[]): number[] {
  const gaps = createCaptureGaps<CaptureBlock & { readonly n: number }>();
  const told = [...hours.flatMap((at, n) => gaps.add({ at, ms, n })), ...gaps.end()];
  expect(told.map(({ block }) => block.n)).toEqual(hours.map((_, n) => n));
  return told.map(({ missing }) => missing);
}
const even = (count: number, from = start): number[] => Array.from({ length: count }, (_, n) => from + (n + 1) * ms);
const sum = (told: readonly number[]): number => told.reduce((all, each) => all + each, 0);

describe('a gap', () => {
  test.each([1500, 15_000, 3_600_000])('of %i ms is reported before the first block after it', (gap) => {
    const told = follow([...even(50), ...even(50, start + 50 * ms + gap)]);
    expect(told.map((missing, n) => [n, missing]).filter(([, missing]) => missing! > 0)).toEqual([
      [50, expect.closeTo(gap, -2)],
    ]);
  });

  test('at the end of a take is reported with the last blocks', () => {
    expect(follow([...even(50), start + 51 * ms + 20_000]).at(-1)).toBeCloseTo(20_000, -2);
  });

  test('is reported for each of two', () => {
    const second = start + 50 * ms + 5000;
    const told = follow([...even(50), ...even(50, second), ...even(50, second + 50 * ms + 7000)]);
    expect([told[50], told[100], sum(told)]).toEqual([
      expect.closeTo(5000, -2),
      expect.closeTo(7000, -2),
      expect.closeTo(12_000, -2),
    ]);
  });
});

describe('no gap', () => {
  test('where late sound comes after all, at once or piece by piece', () => {
    const late = start + 250 * ms;
    expect(sum(follow([...even(50), ...Array<number>(200).fill(late), ...even(50, late)]))).toBe(0);
    const hurried = Array.from({ length: 200 }, (_, n) => late + n * 5);
    expect(sum(follow([...even(50), ...hurried, ...even(50, late + 1000)]))).toBe(0);
  });

  test('if the clock is set back', () => {
    expect(sum(follow([...even(50), ...even(50, start - 3_600_000)]))).toBe(0);
  });

  test('by clocks that drift apart and blocks that jitter, for an hour', () => {
    const numbers = fc.record({ drift: fc.double({ min: -0.001, max: 0.001, noNaN: true }), seed: fc.nat(1000) });
    fc.assert(
      fc.property(numbers, ({ drift, seed }) => {
        const jitter = (n: number): number => ((n * 7919 + seed) % 97) * 4;
        const hours = Array.from({ length: 60_000 }, (_, n) => start + (n + 1) * ms * (1 + drift) + jitter(n));
        expect(sum(follow(hours))).toBe(0);
      }),
      { numRuns: 5 },
    );
  });
});

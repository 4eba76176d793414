import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { computeHeights, rowAt, scrollTo, visibleRows } from '../../../desktop/renderer/state/worklist/windowing.ts';

const rows = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 300 });

test('the window holds every visible row, and few others', () => {
  fc.assert(
    fc.property(rows, fc.nat(20_000), fc.integer({ min: 1, max: 900 }), (sizes, scroll, height) => {
      const heights = computeHeights(sizes, (size) => size);
      const { first, end } = visibleRows(heights, scroll, height, 0);
      for (let at = 0; at < sizes.length; at++) {
        const [top = 0, bottom = 0] = [heights.tops[at], heights.tops[at + 1]];
        const isSeen = bottom > scroll && top < scroll + height;
        if (isSeen) expect(at >= first && at < end).toBe(true);
      }
      expect(end).toBeLessThanOrEqual(sizes.length);
      expect(end - first).toBeLessThanOrEqual(height + 2);
    }),
  );
});

test('nothing to show is an empty window', () => {
  expect(
    visibleRows(
      computeHeights([], () => 1),
      0,
      500,
      100,
    ),
  ).toEqual({ first: 0, end: 0 });
});

test('a row is found at its own height', () => {
  const heights = computeHeights([10, 20, 30], (size) => size);
  expect([0, 9, 10, 29, 30, 59, 600].map((y) => rowAt(heights, y))).toEqual([0, 0, 1, 1, 2, 2, 2]);
});

test('after scrolling to a row it is seen in full', () => {
  fc.assert(
    fc.property(rows, fc.nat(), fc.nat(20_000), (sizes, pick, start) => {
      const heights = computeHeights(sizes, (size) => size);
      const row = pick % sizes.length;
      const height = 400;
      const scroll = scrollTo(heights, row, start, height) ?? start;
      expect(heights.tops[row] ?? 0).toBeGreaterThanOrEqual(scroll);
      expect(heights.tops[row + 1] ?? 0).toBeLessThanOrEqual(scroll + height);
    }),
  );
});

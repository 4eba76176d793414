import * as fc from '../support/properties.ts';
import { expect, test } from 'vitest';
import { measureWeight } from '../../src/domain/weight.ts';

test('is at least the length of the JSON, escapes apart, and counts everything', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const json = JSON.stringify(value).replace(/\\u[0-9a-f]{4}|\\./g, '?');
      expect(2 * measureWeight(value)).toBeGreaterThanOrEqual(json.length);
      expect(measureWeight([value, value])).toBeGreaterThan(measureWeight(value));
    }),
  );
});

test('a bound gives the same answer as counting it all', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(500), (value, bound) => {
      expect(measureWeight(value, bound) > bound).toBe(measureWeight(value) > bound);
    }),
  );
});

test('stops counting beyond its bound, whether there are many values in a row, side by side, or in each other', () => {
  let looked = 0;
  const counted = (value: unknown) =>
    Object.defineProperty({}, 'a', { enumerable: true, get: () => (looked++, value) });
  let deep: unknown = 1;
  for (let level = 0; level < 1000; level++) deep = counted(deep);
  const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`field${at}`, counted(1)]));
  for (const value of [deep, wide, Array.from({ length: 1000 }, () => counted(1))]) {
    looked = 0;
    expect(measureWeight(value, 160)).toBeGreaterThan(160);
    expect(looked).toBeLessThan(20);
  }
});

import * as fc from '../support/properties.ts';
import { expect, test } from 'vitest';
import { parseInstant, normaliseIsoDateTime } from '../../src/domain/iso-time.ts';

const digits = (least: number, most: number, count = 2) =>
  fc.integer({ min: least, max: most }).map((n) => String(n).padStart(count, '0'));
const offset = fc.tuple(fc.constantFrom('+', '-'), digits(0, 14), digits(0, 59)).map(([s, h, m]) => `${s}${h}:${m}`);
const dateTime = fc
  .tuple(
    digits(0, 9999, 4),
    digits(1, 12),
    digits(1, 31),
    fc.tuple(digits(0, 23), digits(0, 59), digits(0, 59)).map((time) => time.join(':')),
    fc.oneof(
      fc.constant(''),
      fc.integer({ min: 1, max: 9 }).chain((count) => digits(0, 10 ** count - 1, count).map((each) => `.${each}`)),
    ),
    fc.oneof(fc.constant(''), fc.constant('Z'), offset),
  )
  .map(([year, month, day, time, fraction, zone]) => `${year}-${month}-${day}T${time}${fraction}${zone}`);

test('an instant is that of the platform’s own parser, and a day that no calendar has is none', () => {
  fc.assert(
    fc.property(dateTime, (text) => {
      const isThere = normaliseIsoDateTime(text) !== undefined;
      const hasZone = /(Z|[+-]\d\d:\d\d)$/.test(text);
      expect(parseInstant(text)).toBe(isThere ? Date.parse(hasZone ? text : `${text}Z`) : Number.NaN);
    }),
    { numRuns: 2000 },
  );
});

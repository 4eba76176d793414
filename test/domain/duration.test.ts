import * as fc from '../support/properties.ts';
import { expect, test } from 'vitest';
import { durationMs } from '../../src/domain/duration.ts';

test.each([
  ['1s', 1000],
  ['30min', 1_800_000],
  ['12h', 43_200_000],
  ['90d', 7_776_000_000],
  ['4w', 2_419_200_000],
])('%s', (text, ms) => expect(durationMs(text)).toBe(ms));

test.each(['', '90', 'd', '0d', '-1d', '1.5h', '90 d', ' 90d', '90d ', '90days', '1m', '1234567d', '1e3s', '１d'])(
  'refuses %j',
  (text) => expect(durationMs(text)).toBeUndefined(),
);

test('never gives anything but a length', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const ms = durationMs(text);
      expect(ms === undefined || (Number.isSafeInteger(ms) && ms > 0)).toBe(true);
    }),
  );
});

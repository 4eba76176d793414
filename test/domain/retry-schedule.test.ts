import * as fc from '../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { jitter, maxRetryAfter, retryAfter, retryDelay, retryDelays } from '../../src/domain/retry-schedule.ts';

const middle = () => 0.5;

describe('the schedule of webhook retries', () => {
  test('is the one of Standard Webhooks: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, then no more', () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((failures) => retryDelay(failures, middle));
    expect(seconds.map((ms) => ms && ms / 1000)).toEqual([5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400, null]);
  });

  test('jitter stays within its bounds, and uses them', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (failures, random) => {
          const base = retryDelays[failures - 1]!;
          const delay = retryDelay(failures, () => random)!;
          expect(Math.abs(delay - base)).toBeLessThanOrEqual(base * jitter + 1);
        },
      ),
    );
    expect(retryDelay(1, () => 0)).toBe(4000);
    expect(retryDelay(1, () => 0.999_999)).toBe(6000);
  });

  test('a receiver can ask for more time, not for less, and not for ever', () => {
    expect(retryDelay(1, middle, 120_000)).toBe(120_000);
    expect(retryDelay(2, middle, 1000)).toBe(300_000);
    expect(retryDelay(1, middle, 1e12)).toBe(maxRetryAfter);
    expect(retryDelay(10, middle, 1000)).toBeNull();
  });
});

describe('Retry-After (RFC 9110 10.2.3)', () => {
  const now = Date.parse('2026-03-02T12:00:00Z');
  test.each([
    ['120', 120_000],
    ['0', 0],
    ['Mon, 02 Mar 2026 12:01:00 GMT', 60_000],
    ['Mon, 02 Mar 2026 11:00:00 GMT', 0],
    ['-5', 0],
    ['1.5', 0],
    ['soon', 0],
    ['2026-03-02', 0],
    ['99999999999999999999', 0],
    ['', 0],
    [null, 0],
  ])('%s is %d ms', (value, ms) => {
    expect(retryAfter(value, now)).toBe(ms);
  });
});

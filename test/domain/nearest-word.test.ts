import { expect, test } from 'vitest';
import { nearestWord, suggestWord } from '../../src/domain/nearest-word.ts';

const statuses = ['new', 'in_progress', 'completed', 'cancelled'] as const;

test.each([
  ['complted', 'completed'],
  ['compelted', 'completed'],
  ['canceled', 'cancelled'],
  ['in-progress', 'in_progress'],
  ['InProgress', 'in_progress'],
  ['progress', 'in_progress'],
  ['nwe', 'new'],
  ['comp', 'completed'],
  ['NEW', 'new'],
  ['CÁNCELLED', 'cancelled'],
])('%s is meant as %s', (typed, meant) => {
  expect(nearestWord(typed, statuses)).toBe(meant);
  expect(suggestWord(typed, statuses)).toBe(`Did you mean ${meant}?`);
});

test.each(['', 'x', 'co', 'urgent', 'ready', 'x'.repeat(100_000)])('%j is nothing', (typed) => {
  expect(nearestWord(typed, statuses)).toBeUndefined();
  expect(suggestWord(typed, statuses)).toBeUndefined();
});

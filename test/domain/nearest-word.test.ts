import { expect, test } from 'vitest';
import { modalityCodes } from '../../src/contract/modalities.ts';
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

test.each([
  ['MG1', 'MG'],
  ['CTT', 'CT'],
  ['XR', undefined],
  ['MX', undefined],
])('of the codes of modalities, %s is meant as %s', (typed, meant) => {
  expect(nearestWord(typed, modalityCodes)).toBe(meant);
});

test.each(['', 'x', 'co', 'urgent', 'ready', 'x'.repeat(100_000)])('%j is nothing', (typed) => {
  expect(nearestWord(typed, statuses)).toBeUndefined();
  expect(suggestWord(typed, statuses)).toBeUndefined();
});

test.each([
  ['rec_01JNBK4V9Q000000000000000', 'rec_01JNBK4V9Q0000000000000001'],
  ['rec_01jnbk4v9q0000000000000001', 'rec_01JNBK4V9Q0000000000000001'],
  ['rec_01JNBK4V9Q0000000000000003', undefined],
  ['rec_01JNBK4V9Q1111110000000001', undefined],
])('of the ids that resemble %s, %s is meant', (typed, meant) => {
  const ids = ['rec_01JNBK4V9Q0000000000000001', 'rec_01JNBK4V9Q0000000000000002', 'rec_01JNBK4V9R0000000000000044'];
  expect(nearestWord(typed, typed.length < 30 ? ids.slice(0, 1) : ids)).toBe(meant);
});

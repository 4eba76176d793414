import { expect, test } from 'vitest';
import { elementAt, lastElement } from '../../src/domain/elements.ts';
import { createRecentSet, keepRecent, removeOldest } from '../../src/domain/oldest.ts';
import { textBefore } from '../../src/domain/text-before.ts';

test('an element that a list lacks is an error at once', () => {
  const list = ['a', 'b'];
  expect([elementAt(list, 0), elementAt(list, 1), lastElement(list), elementAt('xy', 1)]).toEqual(['a', 'b', 'b', 'y']);
  for (const index of [-1, 2, Number.NaN, 0.5]) expect(() => elementAt(list, index)).toThrow(RangeError);
  expect(() => lastElement([])).toThrow(RangeError);
  expect([elementAt([null], 0), elementAt([0], 0), elementAt([''], 0)]).toEqual([null, 0, '']);
});

test('the oldest entry is the one that was added first', () => {
  const map = new Map([...'abc'].map((key) => [key, key]));
  map.set('a', 'again');
  removeOldest(map);
  expect([...map.keys()]).toEqual(['b', 'c']);
  const empty = new Set<string>();
  removeOldest(empty);
  expect(empty.size).toBe(0);
});

test('a value that was added last is known, and one that others pushed out is new again', () => {
  const recent = createRecentSet<string>(2);
  expect([...'abac'].map(recent.add)).toEqual([true, true, false, true]);
  expect([...'abc'].map(recent.has)).toEqual([false, true, true]);
});

test('what was asked for last is kept, and not computed again however often it is asked for', () => {
  const computed: string[] = [];
  const upper = keepRecent(2, (key: string) => (computed.push(key), key === '' ? undefined : key.toUpperCase()));
  expect([...'ababab'].map(upper)).toEqual([...'ABABAB']);
  expect(computed).toEqual(['a', 'b']);
  // "b" was asked for last, so "a" makes room.
  expect(['c', 'b', 'a', '', ''].map(upper)).toEqual(['C', 'B', 'A', undefined, undefined]);
  expect(computed).toEqual(['a', 'b', 'c', 'a', '']);
});

test.each([
  ['/a?b?c', '?', '/a'],
  ['/a', '?', '/a'],
  ['?a', '?', ''],
  ['', '?', ''],
])('%j before %j', (text, mark, before) => expect(textBefore(text, mark)).toBe(before));

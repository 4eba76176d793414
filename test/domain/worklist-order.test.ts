import { expect, test } from 'vitest';
import { firstOpen, isOpen, orderedOf, groupByDefault } from '../../src/domain/worklist-order.ts';
import { exams } from '../desktop/renderer/stories/scripted-bridge.ts';

const list = exams(Date.parse('2026-03-02T15:00:00Z'), 200);

test('the first ones are the beginning of the whole order', () => {
  const whole = groupByDefault(list.filter(isOpen).map(orderedOf)).flatMap(({ members }) =>
    members.map(({ item }) => item),
  );
  expect(whole.length).toBeGreaterThan(100);
  expect(firstOpen(list, 30)).toEqual(whole.slice(0, 30));
  expect(firstOpen(list, 1000)).toEqual(whole);
  expect(firstOpen([], 30)).toEqual([]);
});

test('urgent exams come first, then hospital by hospital, completed ones last', () => {
  const headings = groupByDefault(list.map(orderedOf)).map(({ heading }) => heading);
  expect(headings[0]).toBe('urgent');
  expect(headings.slice(-2)).toEqual(['done', 'cancelled']);
});

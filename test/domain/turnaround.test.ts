import * as fc from '../support/properties.ts';
import { priorityTerms } from '../../src/contract/priority.ts';
import { expect, test } from 'vitest';
import {
  dueAt,
  minutesIn,
  maxMinutes,
  readPriorityTerm,
  findTarget,
  timeWords,
  computeTurnaround,
  defaultTargets,
  withTarget,
} from '../../src/domain/turnaround.ts';
import type { Target } from '../../src/domain/turnaround.ts';

const minute = 60_000;
const exam = (priority: unknown, hospital_name: string | null = 'São Lucas') => ({
  metadata: { priority },
  hospital_name,
  exam_datetime: '2026-03-02T08:30:00-03:00',
});
const hospital = fc.constantFrom(null, 'São Lucas', 'Boa Vista');
const target: fc.Arbitrary<Target> = fc.record({
  hospital,
  priority: fc.constantFrom(...priorityTerms),
  minutes: fc.integer({ min: 1, max: 86_400 }),
});

test('terms of DICOM are known in any case; anything else is a routine exam', () => {
  expect(['stat', ' High ', 'LOW'].map((word) => readPriorityTerm(exam(word)))).toEqual(['STAT', 'HIGH', 'LOW']);
  expect(['soon', '', 3, null, undefined].map((word) => readPriorityTerm(exam(word)))).toEqual(
    Array(5).fill('ROUTINE'),
  );
  expect(readPriorityTerm({ metadata: null })).toBe('ROUTINE');
});

test('more urgent exams are due earlier by default', () => {
  const due = priorityTerms.map((term) => dueAt(exam(term), []));
  expect(due).toEqual(due.toSorted((a, b) => a - b));
  expect(due[0]).toBe(Date.parse('2026-03-02T12:30:00Z'));
});

test('the target is that of the hospital, else that for every hospital, else the usual one', () => {
  fc.assert(
    fc.property(fc.constantFrom(...priorityTerms), hospital, fc.array(target), (priority, name, targets) => {
      const of = (at: string | null) =>
        targets.find((each) => each.priority === priority && each.hospital === at)?.minutes;
      const expected = (name === null ? undefined : of(name)) ?? of(null) ?? defaultTargets[priority];
      expect(findTarget(exam(priority, name), targets)).toBe(expected);
    }),
  );
});

test('the clock only goes on: ahead, on time, near, late, and its minutes lead to the target and away from it', () => {
  const order = ['ahead', 'on_time', 'near', 'late'];
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.integer({ min: -20_000 * minute, max: 20_000 * minute }),
      fc.nat(1000 * minute),
      (minutes, elapsed, further) => {
        const before = computeTurnaround(0, minutes, elapsed);
        const after = computeTurnaround(0, minutes, elapsed + further);
        expect(order.indexOf(after.pace)).toBeGreaterThanOrEqual(order.indexOf(before.pace));
        const signed = ({ pace, minutes: left }: typeof before) => (pace === 'late' ? -left : left);
        expect(signed(after)).toBeLessThanOrEqual(signed(before));
        expect(before.pace === 'late').toBe(elapsed > minutes * minute);
        expect(before.pace === 'ahead').toBe(elapsed < 0);
      },
    ),
  );
});

test('near is the last quarter, and at most the last hour', () => {
  const paceAt = (target: number, left: number) => computeTurnaround(0, target, (target - left) * minute).pace;
  expect([paceAt(60, 16), paceAt(60, 15), paceAt(60, 0)]).toEqual(['on_time', 'near', 'near']);
  expect([paceAt(1440, 61), paceAt(1440, 60)]).toEqual(['on_time', 'near']);
});

test.each([
  ['90', 90],
  [' 45 min ', 45],
  ['4h', 240],
  ['1 h 30', 90],
  ['2 D', 2880],
  ['1 d 2 h 3 m', 1563],
])('%s is a time', (text, minutes) => {
  expect(minutesIn(text)).toBe(minutes);
});

test.each(['', ' ', '0', '0 h', '-5', '1.5 h', '1:30', '61 d', '99999999', 'four hours', '1 min 2 h', '４'])(
  '%j is not a valid time of a target',
  (text) => {
    expect(minutesIn(text)).toBeUndefined();
  },
);

test('a time is read as it is shown', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: maxMinutes }), (minutes) => {
      expect(minutesIn(timeWords(minutes))).toBe(minutes);
    }),
  );
});

test('a target of a hospital replaces its former one, leaves all others, and can be removed', () => {
  fc.assert(
    fc.property(fc.array(target), target, (targets, added) => {
      const after = withTarget(targets, added);
      const { priority, hospital } = added;
      expect(findTarget(exam(priority, hospital ?? 'Elsewhere'), after)).toBe(added.minutes);
      const isOther = (each: Target) => each.hospital !== hospital || each.priority !== priority;
      expect(withTarget(after, { ...added, minutes: null })).toEqual(targets.filter(isOther));
    }),
  );
});

/** The clock of a simulated time: tasks run in order however it is moved, and what is due runs by itself. */
import * as fc from '../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { parseClockStart } from '../../src/domain/clock-choice.ts';
import { manualClock, stopwatch } from '../../src/domain/clock.ts';
import { movableClock } from '../../src/domain/movable-clock.ts';

const start = Date.parse('2026-03-02T09:00:00Z');
const hour = 3_600_000;

/** A clock whose tasks note when they ran; some of them schedule the next. */
function noted(runs: boolean) {
  const machine = manualClock(Date.parse('2026-11-22T19:00:00Z'));
  const clock = movableClock(machine, { now: start, runs });
  const ran: string[] = [];
  const plan = (name: string, at: number, again: number | undefined): void => {
    clock.schedule(at, () => {
      ran.push(`${name} ${clock.now() - start}`);
      if (again !== undefined) plan(`${name}'`, clock.now() + again, undefined);
    });
  };
  return { machine, clock, ran, plan };
}

const tasks = fc.array(
  fc.record({ at: fc.integer({ min: 1, max: 5 * hour }), again: fc.option(fc.integer({ min: 1, max: hour })) }),
  { maxLength: 12 },
);
const steps = fc.array(fc.integer({ min: 0, max: 2 * hour }), { maxLength: 8 });

test.each([false, true])('many moves run the same tasks at the same times as one (runs: %s)', (runs) => {
  fc.assert(
    fc.property(tasks, steps, (planned, moves) => {
      const [inSteps, atOnce] = [noted(runs), noted(runs)];
      for (const each of [inSteps, atOnce])
        for (const [n, { at, again }] of planned.entries()) each.plan(String(n), start + at, again ?? undefined);
      for (const ms of moves) inSteps.clock.advance(ms);
      const sum = moves.reduce((whole, ms) => whole + ms, 0);
      atOnce.clock.advance(sum);
      expect(inSteps.ran).toEqual(atOnce.ran);
      expect(inSteps.clock.now()).toBe(start + sum);
      expect(inSteps.clock.elapsed()).toBe(atOnce.clock.elapsed());
      expect(inSteps.clock.dueAt()).toBe(atOnce.clock.dueAt());
    }),
    { numRuns: 100 },
  );
});

test('does not advance until it is moved, although due tasks run at once', () => {
  const { machine, clock, ran, plan } = noted(false);
  plan('due', start, undefined);
  plan('later', start + 1, undefined);
  machine.advance(hour);
  expect([clock.now(), ran]).toEqual([start, ['due 0']]);
  expect([clock.elapsed(), stopwatch(clock)]).toEqual([0, 0]);
  clock.advance(1);
  expect(ran).toEqual(['due 0', 'later 1']);
});

test('goes on by itself with an offset, and further ahead after a move', () => {
  const { machine, clock, ran, plan } = noted(true);
  plan('a', start + 2 * hour, undefined);
  plan('b', start + 4 * hour, undefined);
  machine.advance(hour);
  expect([clock.now(), ran]).toEqual([start + hour, []]);
  clock.advance(hour);
  expect(ran).toEqual([`a ${2 * hour}`]);
  machine.advance(2 * hour);
  expect(ran).toEqual([`a ${2 * hour}`, `b ${4 * hour}`]);
});

test('a task that was called off does not run', () => {
  for (const runs of [false, true]) {
    const { machine, clock, ran } = noted(runs);
    clock.schedule(start, () => void ran.push('now'))();
    clock.schedule(start + 1, () => void ran.push('later'))();
    clock.advance(hour);
    machine.advance(hour);
    expect([ran, clock.dueAt()]).toEqual([[], undefined]);
  }
});

test('is idle once the work of its tasks has ended', async () => {
  const { clock, ran } = noted(false);
  const work = Promise.withResolvers<void>();
  clock.schedule(start + 1, () => work.promise.then(() => void ran.push('done')));
  clock.advance(1);
  const idle = clock.idle().then(() => ran.push('idle'));
  work.resolve();
  await idle;
  expect(ran).toEqual(['done', 'idle']);
});

describe('as a person writes it', () => {
  const now = Date.parse('2026-11-22T19:00:00Z');
  test.each([
    ['fixed:2026-03-02T09:00:00Z', { now: start, runs: false }],
    ['fixed:2026-03-02T06:00:00-03:00', { now: start, runs: false }],
    ['fixed:2026-03-02', { now: start - 9 * hour, runs: false }],
    ['offset:+2h', { now: now + 2 * hour, runs: true }],
    ['offset:2h', { now: now + 2 * hour, runs: true }],
    ['offset:-3d', { now: now - 72 * hour, runs: true }],
    ['offset:0s', { now, runs: true }],
  ])('%s', (text, expected) => {
    expect(parseClockStart(text, now)).toEqual(expected);
  });

  test.each([
    '',
    'fixed',
    'fixed:',
    'fixed:yesterday',
    'fixed:2026-02-30',
    'fixed:1999-12-31T23:59:59Z',
    'fixed:2200-01-01',
    'offset:',
    'offset:+',
    'offset:+2',
    'offset:--2h',
    'offset:+999999w',
    'set:2026-03-02',
  ])('%s is not a clock', (text) => {
    expect(parseClockStart(text, now)).toBeUndefined();
  });
});

import { expect, test } from 'vitest';
import { followOverdue } from '../../../desktop/app/changes/overdue.ts';
import type { WaitingWork } from '../../../desktop/app/changes/overdue.ts';
import { manualClock } from '../../../src/domain/clock.ts';

const start = Date.parse('2026-03-02T11:30:00Z');
const at = (ms: number): string => new Date(start + ms).toISOString();

function follow(...waiting: WaitingWork[]) {
  const clock = manualClock(start);
  let told = 0;
  const overdue = followOverdue(
    clock,
    () => waiting,
    () => void (told += 1),
  );
  overdue.look();
  return {
    clock,
    overdue,
    told: () => told,
    set: (...now: WaitingWork[]) => (waiting.splice(0, Infinity, ...now), overdue.look()),
  };
}

test('waiting changes are overdue after half a minute, and say so', () => {
  const { clock, overdue, told, set } = follow();
  set({ id: 'a', created_at: at(0) });
  clock.advance(20_000);
  set({ id: 'a', created_at: at(0) }, { id: 'b', created_at: at(20_000) });
  clock.advance(9999);
  expect([overdue.isOverdue(), told()]).toEqual([false, 0]);
  clock.advance(1);
  expect([overdue.isOverdue(), told()]).toEqual([true, 1]);
  set({ id: 'b', created_at: at(20_000) });
  expect(overdue.isOverdue()).toBe(false);
  clock.advance(20_000);
  expect([overdue.isOverdue(), told()]).toEqual([true, 2]);
  set();
  expect(overdue.isOverdue()).toBe(false);
});

test('changes that waited before this start are overdue at once, and setting the clock does not hide a wait', () => {
  expect(follow({ id: 'a', created_at: at(-60_000) }).overdue.isOverdue()).toBe(true);
  const { clock, overdue } = follow({ id: 'a', created_at: at(0) });
  clock.set(start - 3_600_000);
  clock.advance(30_000);
  expect(overdue.isOverdue()).toBe(true);
});

import { describe, expect, test } from 'vitest';
import { worklistStatuses } from '../../src/contract/worklist.ts';
import { decideMove } from '../../src/domain/worklist-state.ts';

const by = { who: 'Ana', takeOver: false };

/** The table of the specification's section 3.2, as decided: rows from, columns to. */
const allowed: Record<string, readonly string[]> = {
  new: ['in_progress', 'completed', 'cancelled'],
  in_progress: ['new', 'completed', 'cancelled'],
  completed: ['in_progress'],
  cancelled: ['new'],
};

describe('3.2 moves of status', () => {
  const moves = worklistStatuses.flatMap((from) => worklistStatuses.map((to) => [from, to] as const));
  test.each(moves)('%s → %s', (from, to) => {
    const { outcome } = decideMove({ status: from, assigned_to: from === 'in_progress' ? 'Ana' : null }, to, by);
    expect(outcome).toBe(from === to ? 'same' : allowed[from]!.includes(to) ? 'moved' : 'refused');
  });

  test.each([
    ['new', 'in_progress', null, 'Ana'],
    ['in_progress', 'completed', 'Rui', 'Rui'],
    ['in_progress', 'new', 'Rui', null],
    ['in_progress', 'cancelled', 'Rui', null],
    ['completed', 'in_progress', 'Rui', 'Ana'],
    ['cancelled', 'new', null, null],
  ] as const)('%s → %s: held by %s before and by %s after', (status, to, before, after) => {
    expect(decideMove({ status, assigned_to: before }, to, by)).toEqual({ outcome: 'moved', assigned_to: after });
  });

  test('an application holds no exam, and takes none away', () => {
    const application = { who: null, takeOver: false };
    const begun = decideMove({ status: 'new', assigned_to: null }, 'in_progress', application);
    expect(begun).toEqual({ outcome: 'moved', assigned_to: null });
    const free = { status: 'in_progress', assigned_to: null } as const;
    expect(decideMove(free, 'in_progress', by)).toEqual({ outcome: 'moved', assigned_to: 'Ana' });
    for (const assigned_to of ['Rui', null])
      expect(decideMove({ ...free, assigned_to }, 'in_progress', { who: null, takeOver: true })).toEqual({
        outcome: 'same',
      });
  });

  test('an exam is held by one person at a time, unless another takes over', () => {
    const item = { status: 'in_progress', assigned_to: 'Rui' } as const;
    expect(decideMove(item, 'in_progress', { who: 'Rui', takeOver: false })).toEqual({ outcome: 'same' });
    expect(decideMove(item, 'in_progress', by)).toEqual({ outcome: 'held' });
    expect(decideMove(item, 'in_progress', { who: 'Ana', takeOver: true })).toEqual({
      outcome: 'moved',
      assigned_to: 'Ana',
    });
  });
});

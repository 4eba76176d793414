/** Which changes of status an exam may go through, and what each does to the person who holds it. */
import type { WorklistStatus } from '../contract/worklist.ts';

/** The exam is taken by who moves it, stays with who holds it, or is free for anybody again. */
type Effect = 'takes' | 'keeps' | 'frees';

/** From → to → effect. What is not listed is refused; the same status is no move. */
const transitions: Readonly<Record<WorklistStatus, Readonly<Partial<Record<WorklistStatus, Effect>>>>> = {
  new: { in_progress: 'takes', completed: 'keeps', cancelled: 'frees' },
  // Back to new: released.
  in_progress: { new: 'frees', completed: 'keeps', cancelled: 'frees' },
  // In progress again: an addendum.
  completed: { in_progress: 'takes' },
  // New again: reinstated.
  cancelled: { new: 'frees' },
};

/** Where the item may go from here. */
export const movesFrom = (status: WorklistStatus): WorklistStatus[] =>
  Object.keys(transitions[status]) as WorklistStatus[];

/** Whether nobody has to report on it any more. */
export const isOver = (status: WorklistStatus): boolean => status === 'completed' || status === 'cancelled';

export type Move =
  | { readonly outcome: 'moved'; readonly assigned_to: string | null }
  /** It has that status already. */
  | { readonly outcome: 'same' }
  /** Somebody else has taken it. */
  | { readonly outcome: 'held' }
  | { readonly outcome: 'refused' };

/**
 * What comes of a wish to move an item. One person at a time holds an exam in progress; `takeOver` takes it from
 * whoever that is.
 */
export function decideMove(
  item: { readonly status: WorklistStatus; readonly assigned_to: string | null },
  to: WorklistStatus,
  by: { readonly who: string; readonly takeOver: boolean },
): Move {
  if (item.status === to) {
    const isHeld = to === 'in_progress' && item.assigned_to !== null && item.assigned_to !== by.who;
    if (!isHeld) return { outcome: 'same' };
    return by.takeOver ? { outcome: 'moved', assigned_to: by.who } : { outcome: 'held' };
  }
  const effect = transitions[item.status][to];
  if (effect === undefined) return { outcome: 'refused' };
  return { outcome: 'moved', assigned_to: effect === 'takes' ? by.who : effect === 'frees' ? null : item.assigned_to };
}

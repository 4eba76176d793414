/** The transitions between exam statuses, and what each does to the person who holds the exam. */
import type { WorklistStatus } from '../contract/worklist.ts';

/** Whether the mover takes the exam, its holder keeps it, or nobody holds it any more. */
type Effect = 'takes' | 'keeps' | 'frees';

/** Status before → after → effect. A move that is not listed is refused; a move to the same status changes nothing. */
const transitions: Readonly<Record<WorklistStatus, Readonly<Partial<Record<WorklistStatus, Effect>>>>> = {
  new: { in_progress: 'takes', completed: 'keeps', cancelled: 'frees' },
  // Back to new: released.
  in_progress: { new: 'frees', completed: 'keeps', cancelled: 'frees' },
  // In progress again: an addendum.
  completed: { in_progress: 'takes' },
  // New again: reinstated.
  cancelled: { new: 'frees' },
};

/** The statuses that an exam may move to. */
export const movesFrom = (status: WorklistStatus): WorklistStatus[] =>
  Object.keys(transitions[status]) as WorklistStatus[];

/** Whether the exam no longer needs a report. */
export const isOver = (status: WorklistStatus): boolean => status === 'completed' || status === 'cancelled';

export type Move =
  | { readonly outcome: 'moved'; readonly assigned_to: string | null }
  /** The exam already has that status. */
  | { readonly outcome: 'same' }
  /** Another person holds it. */
  | { readonly outcome: 'held' }
  | { readonly outcome: 'refused' };

/**
 * Decides whether an exam may be given to `to`. `who` gives it; `null`: an application. Taking it from another person
 * needs `takeOver`; a finished exam is refused.
 */
export function decideAssignment(
  item: { readonly status: WorklistStatus; readonly assigned_to: string | null },
  to: string,
  by: { readonly who: string | null; readonly takeOver: boolean },
): Move {
  if (isOver(item.status)) return { outcome: 'refused' };
  const holder = item.status === 'in_progress' ? item.assigned_to : null;
  if (holder === to) return { outcome: 'same' };
  if (holder !== null && holder !== by.who && !by.takeOver) return { outcome: 'held' };
  return { outcome: 'moved', assigned_to: to };
}

/**
 * Decides a move of an item. One person at a time holds an exam in progress; `takeOver` takes the exam from that person.
 * `who`: the person who moves it; `null`: an application, which holds no exam and leaves it to whoever does.
 */
export function decideMove(
  item: { readonly status: WorklistStatus; readonly assigned_to: string | null },
  to: WorklistStatus,
  by: { readonly who: string | null; readonly takeOver: boolean },
): Move {
  if (item.status === to) {
    const isOwn = to !== 'in_progress' || by.who === null || item.assigned_to === by.who;
    if (isOwn) return { outcome: 'same' };
    // An application began it, and nobody holds it yet.
    const isFree = item.assigned_to === null;
    return isFree || by.takeOver ? { outcome: 'moved', assigned_to: by.who } : { outcome: 'held' };
  }
  const effect = transitions[item.status][to];
  if (effect === undefined) return { outcome: 'refused' };
  return { outcome: 'moved', assigned_to: effect === 'takes' ? by.who : effect === 'frees' ? null : item.assigned_to };
}

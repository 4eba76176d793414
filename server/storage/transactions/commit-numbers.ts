/**
 * Numbers the commits that change items. A number is the time of its commit by the server's clock in steps of a microsecond, or one more
 * than the number before where the clock has not moved on, or was set back. So the order of the numbers is that of the commits, and a
 * number can still be compared with a time. The items keep the numbers over a restart. Commits that give no item their number count for
 * nothing: a server that starts again would not know theirs, and when the audit trail is written is decided by the machine.
 */
import type { Clock } from '../../../src/domain/clock.ts';
import { Bundled } from '../tables/bundle.ts';
import { msPerCommitNumber } from '../collections.ts';
import type { Documents } from '../collections.ts';
import type { Period } from '../store.ts';
import type { Change, Tables } from './tables.ts';

export interface CommitNumbers {
  /** For the transaction whose turn it is. */
  next(): number;
  /** The commit of that number was made, and gave it to items. */
  take(number: number): void;
  /** And is durable. */
  reach(number: number): void;
  span(): Period;
  /** All documents were replaced by these. */
  restart(tables: Tables): void;
}

export function createCommitNumbers(tables: Tables, clock: Pick<Clock, 'now'>): CommitNumbers {
  let taken = lastIn(tables);
  let from = 0;
  let reached = taken;
  return {
    next: () => Math.max(taken + 1, Math.floor(clock.now() / msPerCommitNumber)),
    take: (number) => void (taken = number),
    reach: (number) => void (reached = Math.max(reached, number)),
    span: () => ({ from, to: reached }),
    restart(fresh) {
      // A reader with a previous number knows other items than these.
      taken = Math.max(taken, lastIn(fresh)) + 1;
      from = reached = taken;
    },
  };
}

/** Whether the change, which is not applied yet, writes an item with that number. An item that was sent again unchanged keeps its number. */
export const hasNumber = ({ collection, document }: Change, number: number): boolean =>
  collection === 'items' &&
  (document instanceof Bundled || (document as Documents['items'] | undefined)?.commit === number);

const lastIn = ({ items }: Tables): number => Math.max(0, items.lastInstant('commit'));

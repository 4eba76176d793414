/** Numbers the answers and events of the app in the order in which it read them. */
import type { Clock } from '../../src/domain/clock.ts';

/**
 * A greater number at each call, so that a page can tell whether an answer or an event is older than what it knows. The
 * numbers also grow over a restart, unless the clock was set back; pages load everything anew then.
 */
export type NextRevision = () => number;

export function createRevisions(clock: Clock): NextRevision {
  let last = 0;
  return () => (last = Math.max(last + 1, clock.now()));
}

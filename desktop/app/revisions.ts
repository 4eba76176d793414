/** Numbers the answers and events of the app in the order in which it read them. */
import type { Clock } from '../../src/domain/clock.ts';

/**
 * Returns a larger number at each call, so that a page can detect outdated answers and events. The numbers also grow
 * over a restart, unless the clock was set back; pages reload everything then.
 */
export type NextRevision = () => number;

export function createRevisions(clock: Clock): NextRevision {
  let last = 0;
  return () => (last = Math.max(last + 1, clock.now()));
}

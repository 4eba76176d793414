/** In which order things were read here. */
import type { Clock } from '../../src/domain/clock.ts';

/**
 * A number that is greater at each call: what was read later has the greater one, so that a page can tell whether an answer
 * or an event is older than what it knows. Over a restart too, unless the clock was set back; pages look anew then.
 */
export type NextRevision = () => number;

export function createRevisions(clock: Clock): NextRevision {
  let last = 0;
  return () => (last = Math.max(last + 1, clock.now()));
}

/**
 * Whether the clock can be trusted with irreversible removals. A clock that is ahead makes everything look old, and is often
 * corrected within minutes, so it must run steadily for hours first.
 */
import type { Clock } from '../../../src/domain/clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Maximum deviation of clock from elapsed time for steady time: a correction over the network, in ms. */
const tolerance = 5 * minute;
/** How long the clock must be steady, in ms. */
export const steadyFor = 3 * hour;
/** How long if it is far ahead of everything stored, or jumped that far: it may be years ahead. */
export const doubtfulFor = 3 * day;
/** Minimum size of such a jump, in ms: a server may be off over the holidays. */
const far = 14 * day;

export interface SteadyTime {
  /** ms until removals are allowed, if the clock stays steady; 0: now. Call it at least every quarter of an hour. */
  wait(): number;
  /** Why the clock is not trusted: the server has just started, the clock was set, or it is far ahead. */
  reason(): 'begun' | 'clock_set' | 'clock_ahead';
}

/** `newest`: creation of the newest stored document, ms since 1970; 0: there is none. */
export function createSteadyTime(clock: Clock, newest: number): SteadyTime {
  const offsetNow = (): number => clock.now() - clock.elapsed();
  let offset = offsetNow();
  let since = clock.elapsed();
  const isAhead = newest > 0 && clock.now() - newest > far;
  let [needed, reason]: [number, ReturnType<SteadyTime['reason']>] = isAhead
    ? [doubtfulFor, 'clock_ahead']
    : [steadyFor, 'begun'];

  return {
    wait() {
      const jump = offsetNow() - offset;
      // Small corrections do not accumulate: a clock that is slewed for days is steady.
      offset = offsetNow();
      if (Math.abs(jump) > tolerance) {
        since = clock.elapsed();
        [needed, reason] = jump > far ? [doubtfulFor, 'clock_ahead'] : [steadyFor, 'clock_set'];
      }
      return Math.max(0, since + needed - clock.elapsed());
    },
    reason: () => reason,
  };
}

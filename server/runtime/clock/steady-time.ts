/**
 * Whether the hour is to be trusted with what cannot be taken back: the removal of what is over. A clock that is ahead makes
 * everything look old, and is often put right minutes later, so the hour counts only once it has gone evenly for hours.
 */
import type { Clock } from '../../../src/domain/clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How far the hour may move against the time that goes by, and still be even: a correction over the network, in ms. */
const tolerance = 5 * minute;
/** How long the hour has to go evenly, in ms. */
export const steadyFor = 3 * hour;
/** How long where it is far ahead of all that was ever stored, or jumped that far: perhaps it is years ahead. */
export const doubtfulFor = 3 * day;
/** From which jump on, in ms: a server that was off over the holidays is not in doubt. */
const far = 14 * day;

export interface SteadyTime {
  /** ms for which nothing is removed yet, if the hour goes on evenly; 0: it is trusted. Ask at least each quarter of an hour. */
  wait(): number;
  /** Why it is not trusted: the server began a short while ago, somebody set the clock, or it is far ahead. */
  reason(): 'begun' | 'clock_set' | 'clock_ahead';
}

/** `newest`: when the newest stored document was made, in ms since 1970; 0: there is none. */
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
      // Small corrections are not added up: a clock that is slewed for days stays even.
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

import { manualClock } from '../../src/domain/clock.ts';
import type { ManualClock } from '../../src/domain/clock.ts';

/** A clock that goes straight to what is scheduled next, and remembers how long each wait would have been. */
export interface MovingClock extends ManualClock {
  readonly waits: number[];
}

export function movingClock(start = Date.parse('2026-03-02T11:30:00Z')): MovingClock {
  const clock = manualClock(start);
  const waits: number[] = [];
  return {
    ...clock,
    waits,
    schedule(at, task) {
      const ms = at - clock.now();
      waits.push(ms);
      const callOff = clock.schedule(at, task);
      setImmediate(() => clock.advance(ms));
      return callOff;
    },
  };
}

import type { Clock } from '../domain/clock.ts';
import { systemClock } from './clock.ts';

/** The machine's clock for a program that waits for it: scheduled tasks keep the process alive. */
export const waitingClock: Clock = {
  now: () => systemClock.now(),
  elapsed: () => systemClock.elapsed(),
  schedule(at, task) {
    const hold = setInterval(() => undefined, 2 ** 30);
    const callOff = systemClock.schedule(at, () => {
      clearInterval(hold);
      void task();
    });
    return () => {
      clearInterval(hold);
      callOff();
    };
  },
};

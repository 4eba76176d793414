import type { Clock } from '../domain/clock.ts';

/** Longest delay that Node's timers accept; a later task is rescheduled on the way. */
const maxDelay = 2 ** 31 - 1;

/** The machine's own clock. Its timers never keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  schedule(at, task) {
    let timer: NodeJS.Timeout;
    const arm = () => {
      const delay = Math.max(0, at - Date.now());
      timer = delay > maxDelay ? setTimeout(arm, maxDelay) : setTimeout(() => void task(), delay);
      timer.unref();
    };
    arm();
    return () => clearTimeout(timer);
  },
};

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

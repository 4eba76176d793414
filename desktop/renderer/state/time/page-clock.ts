import type { Clock } from '../../../../src/domain/clock.ts';

/** The browser's clock. */
export const pageClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  schedule(at, task) {
    const timer = setTimeout(task, Math.max(0, at - Date.now()));
    return () => clearTimeout(timer);
  },
};

/** Calls `task` each `ms` of the clock, from `start` to `stop`. */
import type { Clock } from '../../src/domain/clock.ts';

export interface Repeating {
  /** Does nothing while it runs. */
  start(): void;
  stop(): void;
}

export function createRepeating(clock: Clock, ms: number, task: () => void): Repeating {
  let cancel: (() => void) | undefined;
  const wait = (): void => {
    cancel = clock.schedule(clock.now() + ms, () => {
      wait();
      task();
    });
  };
  return {
    start() {
      if (!cancel) wait();
    },
    stop() {
      cancel?.();
      cancel = undefined;
    },
  };
}

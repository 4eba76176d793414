/** Wakes everybody who waits for something to change. Who waits looks at the state first, and at once after each ring. */
import type { Interruption } from './pause.ts';

export interface Bell {
  ring(): void;
  /** Resolves at the next ring, or when the signal is aborted. */
  rung(signal?: Interruption): Promise<void>;
}

export function createBell(): Bell {
  let waiting = new Set<() => void>();
  return {
    ring() {
      const woken = waiting;
      waiting = new Set();
      for (const wake of woken) wake();
    },
    rung: (signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = (): void => {
          waiting.delete(wake);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        waiting.add(wake);
        signal?.addEventListener('abort', wake);
      }),
  };
}

/** Wakes everybody who waits for something to change. Who waits looks at the state first, and at once after each ring. */
export interface Bell {
  ring(): void;
  /** Resolves at the next ring, or when the signal is aborted. */
  rung(signal?: AbortSignal): Promise<void>;
}

export function createBell(): Bell {
  let waiting: (() => void)[] = [];
  return {
    ring() {
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    rung: (signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = (): void => {
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        waiting.push(wake);
        signal?.addEventListener('abort', wake, { once: true });
      }),
  };
}

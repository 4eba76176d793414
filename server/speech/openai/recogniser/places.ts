/** Places of which only so many are taken at once; who waits longest is next. */
export interface Places {
  /** Waits for a place, and gives what frees it. Rejects with the signal's reason as soon as the signal is aborted. */
  enter(signal: AbortSignal): Promise<() => void>;
}

export function createPlaces(count: number): Places {
  let free = count;
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return {
    async enter(signal) {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const abort = (): void => {
          waiting.splice(waiting.indexOf(resolve), 1);
          reject(signal.reason);
        };
        waiting.push(resolve);
        signal.addEventListener('abort', abort, { once: true });
        await promise.finally(() => signal.removeEventListener('abort', abort));
      }
      let isHeld = true;
      return () => {
        if (isHeld) leave();
        isHeld = false;
      };
    },
  };
}

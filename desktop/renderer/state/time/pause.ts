import type { Clock } from '../../../../src/domain/clock.ts';

/**
 * Resolves after this many ms, or once `signal` is aborted. Unlike src/domain/pause.ts it never rejects, and does not
 * add the service's errors to the script of the first load.
 */
export const pause = (clock: Clock, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      callOff();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const callOff = clock.schedule(clock.now() + ms, end);
    signal?.addEventListener('abort', end);
  });

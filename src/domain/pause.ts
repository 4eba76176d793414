/** Waits by a clock that is an argument. */
import { AppError } from '../contract/errors.ts';
import type { Clock } from './clock.ts';

/** The part of an `AbortSignal` that this module uses, whichever platform the signal comes from. */
export interface Interruption {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Resolves after `ms` milliseconds of `clock`; INTERRUPTED as soon as `signal` is aborted. */
export function pause(clock: Clock, ms: number, signal?: Interruption): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(new AppError('INTERRUPTED'));
      return;
    }
    const interrupt = () => {
      callOff();
      reject(new AppError('INTERRUPTED'));
    };
    const callOff = clock.schedule(clock.now() + ms, () => {
      signal?.removeEventListener('abort', interrupt);
      resolve();
    });
    signal?.addEventListener('abort', interrupt);
  });
}

/** Lets few searches of a caller run at a time, so that whoever sends a hundred at once waits for them, and nobody else does. */
import { AppError } from '../../src/contract/errors.ts';

const maxAtOnce = 2;

/**
 * Runs a search once the caller has a place, in the order in which searches came. Rejects with INTERRUPTED, without a search, where the
 * signal aborts before.
 */
export type SearchPlaces = <T>(caller: string, search: () => Promise<T>, signal: AbortSignal) => Promise<T>;

export function createSearchPlaces(): SearchPlaces {
  /** Of each caller whose places are all taken or were: how many are, and who waits. */
  const callers = new Map<string, { taken: number; readonly waiting: (() => void)[] }>();

  const leave = (caller: string): void => {
    const places = callers.get(caller)!;
    const next = places.waiting.shift();
    if (next) return next();
    if (--places.taken === 0) callers.delete(caller);
  };

  return async (caller, search, signal) => {
    const places = callers.get(caller) ?? { taken: 0, waiting: [] };
    callers.set(caller, places);
    // Whoever leaves gives the place to the next.
    if (places.taken < maxAtOnce) places.taken++;
    else await new Promise<void>((resolve) => places.waiting.push(resolve));
    try {
      if (signal.aborted) throw new AppError('INTERRUPTED');
      return await search();
    } finally {
      leave(caller);
    }
  };
}

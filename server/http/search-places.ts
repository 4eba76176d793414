/** Lets few searches of a caller run at a time, so that whoever sends a hundred at once waits for them, and nobody else does. */
import { AppError } from '../../src/contract/errors.ts';
import { createFairPlaces } from '../runtime/queue/fair-places.ts';

const maxAtOnce = 2;

/**
 * Runs a search once the caller has a place, in the order in which searches came. Rejects with INTERRUPTED, without a search, where the
 * signal aborts before.
 */
export type SearchPlaces = <T>(caller: string, search: () => Promise<T>, signal: AbortSignal) => Promise<T>;

export function createSearchPlaces(): SearchPlaces {
  const places = createFairPlaces({ perLane: maxAtOnce, total: Infinity });
  return async (caller, search, signal) => {
    const leave = await places.enter(caller, signal).catch(() => {
      throw new AppError('INTERRUPTED');
    });
    try {
      return await search();
    } finally {
      leave();
    }
  };
}

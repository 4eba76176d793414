/** How often, and when, the app sends again what the service did not take. */
import type { AppError } from '../../../src/contract/errors.ts';
import { backoffDelay } from '../../../src/domain/backoff.ts';

/** Delay between tries, in ms: 1 s at first, a minute at most. */
export const resending = { base: 1000, factor: 2, max: 60_000 } as const;

/** Longest wait that the service can ask for, in s. */
const longestRetryAfter = 600;

/** ms until the next try, after so many tries of which the last failed like that; `random`: a number from 0 to 1, new at each call. */
export const delayOf = (
  tries: number,
  { retryAfter = 0 }: { readonly retryAfter?: number | undefined },
  random: () => number,
): number => Math.max(backoffDelay(tries, { ...resending, random }), Math.min(retryAfter, longestRetryAfter) * 1000);

/**
 * After so many failures nothing is sent again unless the person asks for it. A failure inside the service comes from
 * what is sent, and so does any other where the service takes other things meanwhile.
 */
export function mostTries({ code }: AppError, takesOthers = false): number {
  if (code === 'INTERNAL_ERROR') return 5;
  return takesOthers ? 10 : 30;
}

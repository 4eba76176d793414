/** How often, and when, the app sends again what the service did not take. */
import type { AppError } from '../../../src/contract/errors.ts';

/** Delay between tries, in ms: 1 s at first, a minute at most. */
export const resending = { base: 1000, factor: 2, max: 60_000 } as const;

/** Longest wait that the service can ask for, in s. */
export const longestRetryAfter = 600;

/**
 * After so many failures nothing is sent again unless the person asks for it. A failure inside the service comes from
 * what is sent, and so does any other where the service takes other things meanwhile.
 */
export function mostTries({ code }: AppError, takesOthers = false): number {
  if (code === 'INTERNAL_ERROR') return 5;
  return takesOthers ? 10 : 30;
}

/** When and how often the app sends a failed change again. */
import type { AppError } from '../../../src/contract/errors.ts';
import { backoffDelay } from '../../../src/domain/backoff.ts';

/** Delay between attempts in ms: initially 1 s, at most a minute. */
export const resending = { base: 1000, factor: 2, max: 60_000 } as const;

/** Maximum Retry-After of the service that is respected, in s. */
const maxRetryAfter = 600;

/**
 * Delay in ms after this many attempts, of which the last failed with this error; `random`: a new number from 0 to 1 at
 * each call.
 */
export const computeDelay = (
  tries: number,
  { retryAfter = 0 }: { readonly retryAfter?: number | undefined },
  random: () => number,
): number => Math.max(backoffDelay(tries, { ...resending, random }), Math.min(retryAfter, maxRetryAfter) * 1000);

/**
 * Maximum number of failures before only the person can retry. A failure inside the service is caused by the request,
 * and so is any other failure while the service accepts other requests.
 */
export function getMaxAttempts({ code }: AppError, takesOthers = false): number {
  if (code === 'INTERNAL_ERROR') return 5;
  return takesOthers ? 10 : 30;
}

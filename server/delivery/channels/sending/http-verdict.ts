/** Maps the status of an HTTP response to the outcome of a message. */
import { retryAfter } from '../../../../src/domain/retry-schedule.ts';
import type { Delivered } from '../channel.ts';
import { again, refused } from '../failures.ts';

/** Statuses other than 5xx that may go away: login, timeout, rate limit. */
const passing = new Set([401, 408, 409, 425, 429]);

/** `wait`: the `Retry-After` header; `now`: ms since 1970. Redirects are not followed: they could lead anywhere. */
export function verdictOn(status: number, wait: string | undefined, now: number): Delivered {
  if (status >= 200 && status < 300) return { state: 'delivered' };
  const message = `The other side answered with ${status}.`;
  if (status >= 500 || passing.has(status)) {
    return again(`HTTP_${status}`, message, status === 429 || status === 503 ? retryAfter(wait ?? null, now) : 0);
  }
  const hint = status < 400 ? 'Redirects are not followed: set the final address.' : 'Its log says why.';
  return refused(`HTTP_${status}`, message, hint);
}

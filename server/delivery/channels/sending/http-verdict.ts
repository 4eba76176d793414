/** What the status of an HTTP answer means for the message. */
import { retryAfter } from '../../../../src/domain/retry-schedule.ts';
import type { Delivered } from '../channel.ts';
import { again, refused } from '../failures.ts';

/** Statuses but those of the server's own failures (5xx) that may pass: a login, a time limit, a limit of requests. */
const passing = new Set([401, 408, 409, 425, 429]);

/** `wait`: what `Retry-After` says; `now`: ms since 1970. Redirects are not followed: they could lead anywhere. */
export function verdictOn(status: number, wait: string | undefined, now: number): Delivered {
  if (status >= 200 && status < 300) return { state: 'delivered' };
  const message = `The other side answered with ${status}.`;
  if (status >= 500 || passing.has(status)) {
    return again(`HTTP_${status}`, message, status === 429 || status === 503 ? retryAfter(wait ?? null, now) : 0);
  }
  const hint = status < 400 ? 'Redirects are not followed: set the final address.' : 'Its log says why.';
  return refused(`HTTP_${status}`, message, hint);
}

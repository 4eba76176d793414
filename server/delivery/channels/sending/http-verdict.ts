/** Maps the status of an HTTP response to the outcome of a message. */
import { retryAfter } from '../../../../src/domain/retry-schedule.ts';
import type { SendResult } from '../channel.ts';
import { retryLater, refuse } from '../failures.ts';

/** Statuses that may go away: login, timeout, rate limit, and faults of the server, unless it lacks what it is asked for (501). */
const isPassing = (status: number): boolean =>
  (status >= 500 && status !== 501) || [401, 408, 409, 425, 429].includes(status);

/** `wait`: the `Retry-After` header; `now`: ms since 1970. Redirects are not followed: they could lead anywhere. */
export function toSendResult(status: number, wait: string | undefined, now: number): SendResult {
  if (status >= 200 && status < 300) return { state: 'delivered' };
  const message = `The other side answered with ${status}.`;
  if (isPassing(status)) {
    return retryLater(`HTTP_${status}`, message, status === 429 || status === 503 ? retryAfter(wait ?? null, now) : 0);
  }
  const hint = status < 400 ? 'Redirects are not followed: set the final address.' : 'Its log says why.';
  return refuse(`HTTP_${status}`, message, hint);
}

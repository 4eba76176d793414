/** When the service repeats a failed delivery (Standard Webhooks 1.0, "Deliverability and reliability"). */

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits between attempts, in ms; the service gives up after the last. */
export const retryDelays: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/**
 * Share by which a wait may be shorter or longer, so that deliveries that failed together do not come back together.
 */
export const jitter = 0.2;

/** A receiver may ask for a later attempt, up to this, in ms. */
export const maxRetryAfter = 24 * hour;

/**
 * Milliseconds to wait after so many failed attempts, `null` when there is no next one. `random` gives numbers from 0
 * up to 1, as Math.random does. The wait that the receiver asks for (ms) can lengthen this wait, and never shorten it.
 */
export function retryDelay(failures: number, random: () => number, asked = 0): number | null {
  const delay = retryDelays[failures - 1];
  if (delay === undefined) return null;
  const spread = Math.round(delay * (1 - jitter + 2 * jitter * random()));
  return Math.max(spread, Math.min(asked, maxRetryAfter));
}

/** Milliseconds from `now` that `Retry-After` asks for, in seconds or by a date (RFC 9110 10.2.3); 0 if neither. */
export function retryAfter(value: string | null, now: number): number {
  if (value === null) return 0;
  if (/^\d{1,9}$/.test(value)) return Number(value) * second;
  const date = /^[A-Z][a-z]+, .+ GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}

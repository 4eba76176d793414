/** Exponential backoff with jitter. */

export interface Backoff {
  /** Milliseconds before the first repetition. */
  readonly base: number;
  /** Growth of the delay from one repetition to the next. */
  readonly factor: number;
  /** Milliseconds; no delay is longer. */
  readonly max: number;
  /** A number from 0 to 1 (1 excluded), new at each call. */
  readonly random: () => number;
}

/**
 * Milliseconds to wait before repetition `attempt` (1 is the first). Half of the delay is fixed and half is random, so
 * that clients that failed together don't come back together and none comes back at once.
 */
export function backoffDelay(attempt: number, { base, factor, max, random }: Backoff): number {
  const whole = Math.min(max, base * factor ** (Math.max(1, attempt) - 1));
  return Math.round(whole / 2 + (whole / 2) * random());
}

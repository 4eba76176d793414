/**
 * Limits the requests of each client in a minute (specification, section 8), in fixed windows that begin with a first
 * request. The members share the limit.
 */
import type { FastifyReply } from 'fastify';
import { AppError, isStorageFailure } from '../../../src/contract/errors.ts';
import { isMovable } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { sha256 } from '../../runtime/secrets.ts';
import { createLoneCounters } from '../../storage/counters.ts';
import type { Counters } from '../../storage/counters.ts';

const windowMs = 60_000;

export interface RateLimiter {
  /**
   * Counts one request of `key` and sets the headers. Rejects with RATE_LIMIT_EXCEEDED where the request exceeds the limit.
   */
  count(key: string, reply: FastifyReply): Promise<void>;
  /** Counts as `count` does; resolves to the error instead of rejecting. */
  refusal(key: string, reply: FastifyReply): Promise<AppError | undefined>;
  /** Sets the headers, and counts nothing: of live sound the seconds are counted, elsewhere. */
  show(key: string, reply: FastifyReply): Promise<void>;
}

/** A client's window, as far as this member knows it. */
interface Window {
  /** When it ends, in ms of `elapsed`. */
  until: number;
  /** Requests that all members have taken from the limit. */
  taken: number;
  /** Those of them that this member has left. */
  stock: number;
  /** The size of the next portion. */
  portion: number;
  refill: Promise<void> | undefined;
}

/** Members take requests from the common limit in portions, so that few requests ask the store. */
const maxPortion = 8;

export interface RateLimiterDeps {
  readonly clock: Clock;
  readonly counters: Counters;
}

/** A limiter of this process alone. */
export const createLoneRateLimiter = (clock: Clock, limit: number): RateLimiter =>
  createRateLimiter({ clock, counters: createLoneCounters(clock) }, limit);

/** Makes the limiter. A `limit` of 0 means no limit and no headers. */
export function createRateLimiter({ clock, counters }: RateLimiterDeps, limit: number): RateLimiter {
  const windows = new Map<string, Window>();
  let swept = clock.elapsed();

  const openWindow = (key: string, now: number): Window => {
    if (now - swept > windowMs) {
      for (const [other, { until }] of windows) if (until <= now) windows.delete(other);
      swept = now;
    }
    const present = windows.get(key);
    if (present && now < present.until) return present;
    const fresh = { until: now + windowMs, taken: 0, stock: 0, portion: 1, refill: undefined };
    windows.set(key, fresh);
    return fresh;
  };

  /** Takes 1, 1, 2, 4, 8, 8, … requests, and fewer near the limit, so that none are left at members that need none. */
  async function refill(key: string, window: Window): Promise<void> {
    const wanted = Math.min(window.portion, Math.max(1, Math.ceil((limit - window.taken) / 4)));
    window.portion = window.taken === 0 ? 1 : Math.min(maxPortion, 2 * window.portion);
    try {
      const { n, left } = await counters.add(`requests ${sha256(key)}`, wanted, { ms: windowMs, renewed: false });
      window.stock += Math.min(wanted, Math.max(0, limit - (n - wanted)));
      window.taken = n;
      window.until = clock.elapsed() + left;
    } catch (error) {
      // A store that counts nothing refuses the request itself if it needs the store.
      if (!isStorageFailure(error)) throw error;
      window.stock += wanted;
    }
  }

  /** Takes the request from the window. Returns whether it exceeds the limit. */
  async function take(key: string, window: Window): Promise<boolean> {
    while (window.stock === 0 && window.taken < limit)
      await (window.refill ??= refill(key, window).finally(() => (window.refill = undefined)));
    if (window.stock === 0) return true;
    window.stock -= 1;
    return false;
  }

  const setHeaders = ({ taken, stock, until }: Window, reply: FastifyReply): number => {
    const remaining = Math.max(0, limit - taken) + stock;
    const reset = Math.max(1, Math.ceil((until - clock.elapsed()) / 1000));
    reply.headers(limitHeaders({ limit, remaining, reset }));
    return reset;
  };

  // A client that waits as the answer says would wait for ever.
  const stands = isMovable(clock) && !clock.runs;
  const hint = (seconds: number) =>
    stands ? `The clock of this server stands; laudio server clock advance ${seconds}s moves it.` : undefined;

  const refusal: RateLimiter['refusal'] = async (key, reply) => {
    if (limit === 0) return undefined;
    const window = openWindow(key, clock.elapsed());
    const isOver = await take(key, window);
    const reset = setHeaders(window, reply);
    return isOver ? tooManyRequests(limit, reset, hint(reset)) : undefined;
  };

  return {
    async show(key, reply) {
      if (limit > 0) setHeaders(openWindow(key, clock.elapsed()), reply);
    },
    async count(key, reply) {
      const error = await refusal(key, reply);
      if (error) throw error;
    },
    refusal,
  };
}

interface RemainingQuota {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds. */
  readonly reset: number;
}

export const limitHeaders = ({ limit, remaining, reset }: RemainingQuota) => ({
  'X-RateLimit-Limit': limit,
  'X-RateLimit-Remaining': remaining,
  'X-RateLimit-Reset': reset,
  // draft-ietf-httpapi-ratelimit-headers
  'RateLimit-Policy': `"default";q=${limit};w=60`,
  RateLimit: `"default";r=${remaining};t=${reset}`,
});

/** `reset` in seconds. */
export const tooManyRequests = (limit: number, reset: number, hint?: string): AppError =>
  new AppError('RATE_LIMIT_EXCEEDED', {
    message: `Too many requests: ${limit} a minute are allowed.`,
    details: { limit, window: '1 minute', retry_after: reset },
    retryAfter: reset,
    ...(hint !== undefined && { hint }),
  });

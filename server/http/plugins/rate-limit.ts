/**
 * Limits the requests of each client in a minute (specification, section 8), in fixed windows that begin with a first
 * request.
 */
import type { FastifyReply } from 'fastify';
import { AppError } from '../../../src/contract/errors.ts';
import { isMovable } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';

const windowMs = 60_000;

export interface RateLimiter {
  /**
   * Counts one request of `key` and sets the headers. Throws RATE_LIMIT_EXCEEDED where the request exceeds the limit.
   */
  count(key: string, reply: FastifyReply): void;
  /** Counts as `count` does; gives the error instead of throwing it. */
  refusal(key: string, reply: FastifyReply): AppError | undefined;
  /** Sets the headers, and counts nothing: of live sound the seconds are counted, elsewhere. */
  show(key: string, reply: FastifyReply): void;
}

/** Makes the limiter. A `limit` of 0 means no limit and no headers. */
export function createRateLimiter(clock: Clock, limit: number): RateLimiter {
  const windows = new Map<string, { start: number; used: number }>();
  let swept = clock.elapsed();

  const openWindow = (key: string, now: number) => {
    if (now - swept > windowMs) {
      for (const [other, { start }] of windows) if (now - start >= windowMs) windows.delete(other);
      swept = now;
    }
    const present = windows.get(key);
    if (present && now - present.start < windowMs) return present;
    const fresh = { start: now, used: 0 };
    windows.set(key, fresh);
    return fresh;
  };

  /** Counts so many requests, and sets the headers. */
  const use = (key: string, requests: number, reply: FastifyReply) => {
    const now = clock.elapsed();
    const window = openWindow(key, now);
    window.used += requests;
    const remaining = Math.max(0, limit - window.used);
    const reset = Math.max(1, Math.ceil((window.start + windowMs - now) / 1000));
    reply.headers(limitHeaders({ limit, remaining, reset }));
    return { isOver: window.used > limit, reset };
  };

  // A client that waits as the answer says would wait for ever.
  const stands = isMovable(clock) && !clock.runs;
  const hint = (seconds: number) =>
    stands ? `The clock of this server stands; laudio server clock advance ${seconds}s moves it.` : undefined;

  const refusal: RateLimiter['refusal'] = (key, reply) => {
    if (limit === 0) return undefined;
    const { isOver, reset } = use(key, 1, reply);
    return isOver ? tooManyRequests(limit, reset, hint(reset)) : undefined;
  };

  return {
    show(key, reply) {
      if (limit > 0) use(key, 0, reply);
    },
    count(key, reply) {
      const error = refusal(key, reply);
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

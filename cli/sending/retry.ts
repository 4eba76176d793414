/**
 * Repeats a request until the server answers: waits as long as the server requests, and retries after a lost
 * connection.
 */
import { isLasting } from '../../src/client/transient.ts';
import { AppError } from '../../src/contract/errors.ts';
import { backoffDelay } from '../../src/domain/backoff.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { pause } from '../../src/domain/pause.ts';

export interface RetryDeps {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Maximum number of consecutive retries after lost connections. */
  readonly retries: number;
  /** The number is a default: after a first answer, an unreachable server is waited for like one that asks to wait. */
  readonly waitsForReturn?: boolean;
  readonly onWait: (words: string) => void;
}

/** Maximum time that a server can delay the sender without accepting an item, in ms. */
const maxWait = 15 * 60_000;
const waiting = { base: 1000, factor: 2, max: 30_000 } as const;
const reconnecting = { base: 500, factor: 2, max: 20_000 } as const;

/** The server did nothing; the sender repeats the request later. */
const isBusy = ({ code, status }: AppError): boolean =>
  code === 'REQUEST_IN_PROGRESS' || status === 429 || (status === 503 && code !== 'BAD_ANSWER');

/** Answers that mean that the server failed at this request; 502 and 504 mean that a gateway can't reach the server. */
export const isFailedAt = ({ code, status }: AppError): boolean =>
  status !== null && status >= 500 && code !== 'BAD_ANSWER' && ![502, 503, 504].includes(status);

/** This many equal failures count as an answer, however long an unreachable server is waited for. */
const maxFailures = 5;

/** The server may have done the work; the Idempotency-Key makes a second request safe. */
const isLost = ({ code, status }: AppError): boolean => code === 'NETWORK' || (status !== null && status >= 500);

/**
 * Calls `attempt` until an answer arrives or a retry is pointless. All requests that share the sender wait together.
 */
export type Retry = <T>(attempt: () => Promise<T>) => Promise<T>;

export function createRetry({ clock, random, signal, retries, waitsForReturn = false, onWait }: RetryDeps): Retry {
  /** Whether the server has ever answered. */
  let hasAnswered = false;
  /** No request is sent before this time. */
  let notBefore = -Infinity;

  const wait = (delay: number, words: (seconds: number) => string): void => {
    const until = clock.elapsed() + delay;
    // The other concurrent requests get the same answer a moment later.
    if (notBefore <= clock.elapsed()) onWait(words(Math.ceil(delay / 1000)));
    notBefore = Math.max(notBefore, until);
  };

  return async (attempt) => {
    let losses = 0;
    let refusals = 0;
    let failures = 0;
    let busySince: number | undefined;
    let lostSince: number | undefined;
    for (;;) {
      while (notBefore > clock.elapsed()) await pause(clock, notBefore - clock.elapsed(), signal);
      try {
        const answer = await attempt();
        hasAnswered = true;
        return answer;
      } catch (error) {
        if (!(error instanceof AppError) || isLasting(error)) throw error;
        if (isBusy(error)) {
          busySince ??= clock.elapsed();
          const delay = Math.max((error.retryAfter ?? 0) * 1000, backoffDelay(++refusals, { ...waiting, random }));
          if (clock.elapsed() + delay - busySince > maxWait) throw error;
          wait(delay, (seconds) => `${busyWords(error)} Continuing in ${seconds} s.`);
        } else if (isLost(error)) {
          lostSince ??= clock.elapsed();
          const delay = backoffDelay(losses + 1, { ...reconnecting, random });
          failures = isFailedAt(error) ? failures + 1 : 0;
          const isWaitedFor = waitsForReturn && hasAnswered && failures < maxFailures;
          const mayReturn = isWaitedFor && clock.elapsed() + delay - lostSince <= maxWait;
          if (losses >= retries && !mayReturn) throw error;
          losses += 1;
          const count = mayReturn ? '' : ` (${losses} of ${retries})`;
          wait(delay, (seconds) => `${error.message} Retrying in ${seconds} s${count}.`);
        } else throw error;
      }
    }
  };
}

const busyWords = ({ status, message }: AppError): string =>
  status === 429 ? 'The server accepts no more requests for now.' : message;

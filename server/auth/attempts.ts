/** Slows down guessing: counts consecutive failures by key. After a number of failures the next attempt has to wait. */
import type { Clock } from '../../src/domain/clock.ts';
import { sha256 } from '../runtime/secrets.ts';
import { removeOldest } from '../../src/domain/oldest.ts';

export interface Attempts {
  /** Whole seconds until `key` may try again; 0 if it may now. */
  wait(key: string): number;
  recordFailure(key: string): void;
  /** Resets the count of failures. */
  recordSuccess(key: string): void;
}

export interface AttemptPolicy {
  /** Delay in ms after this many consecutive failures. */
  readonly delay: (failures: number) => number;
  /** The count is dropped this many ms after the last failure. */
  readonly memory: number;
}

/** After twenty wrong secrets in a row, each further attempt waits a minute. */
export const clientPolicy: AttemptPolicy = { delay: (failures) => (failures < 20 ? 0 : 60_000), memory: 15 * 60_000 };

/**
 * Bounds the secrets that are checked while a client has to wait: enough for a working client that shares an address
 * with a guesser, too few to guess with. Further secrets are refused unchecked.
 */
export const checkPolicy: AttemptPolicy = { delay: (checks) => (checks < 60 ? 0 : 60_000), memory: 60_000 };

/** No delay for the first `free` failures, then 1, 2, 4, … seconds up to `max`. */
const doubling = (free: number, max: number): AttemptPolicy['delay'] => {
  return (failures) => (failures < free ? 0 : Math.min(2 ** (failures - free), max) * 1000);
};

/** For one name at one address. Three typing errors are free. */
export const loginPolicy: AttemptPolicy = { delay: doubling(3, 300), memory: 60 * 60_000 };

/**
 * For one name at all addresses (NIST SP 800-63B 5.2.2: at most 100 consecutive failures). The delay is mild, so that
 * others cannot lock the user out.
 */
export const namePolicy: AttemptPolicy = { delay: doubling(50, 30), memory: 60 * 60_000 };

/** For all names at one address, which a whole department may share. */
export const addressPolicy: AttemptPolicy = { delay: doubling(100, 30), memory: 15 * 60_000 };

/**
 * For device codes from one address. Only a login reveals whether a code is right, and codes expire after ten minutes:
 * at this rate an address tries about a hundred of 25 billion.
 */
export const deviceCodePolicy: AttemptPolicy = { delay: doubling(5, 60), memory: 60 * 60_000 };

/**
 * For the setup code from one address. Mild, because 50 random bits need no delay and the operator may share a proxy.
 */
export const setupCodePolicy: AttemptPolicy = { delay: doubling(5, 15), memory: 15 * 60_000 };

/** Keys come from requests, so their number is bounded: the key with the oldest failure is dropped first. */
const maxKeys = 10_000;

export function createAttempts(clock: Clock, policy: AttemptPolicy): Attempts {
  /** Keyed by hash, because keys have any length. */
  const rows = new Map<string, { failures: number; last: number }>();

  const findRow = (id: string) => {
    const row = rows.get(id);
    if (row && clock.elapsed() - row.last < policy.memory) return row;
    rows.delete(id);
    return undefined;
  };

  return {
    wait(key) {
      const row = findRow(sha256(key));
      return row ? Math.max(0, Math.ceil((row.last + policy.delay(row.failures) - clock.elapsed()) / 1000)) : 0;
    },
    recordFailure(key) {
      const id = sha256(key);
      const failures = (findRow(id)?.failures ?? 0) + 1;
      rows.delete(id);
      rows.set(id, { failures, last: clock.elapsed() });
      if (rows.size > maxKeys) removeOldest(rows);
    },
    recordSuccess(key) {
      rows.delete(sha256(key));
    },
  };
}

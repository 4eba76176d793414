/** Slows down guessing: counts failures in a row by key. After a number of failures the next try has to wait. */
import type { Clock } from '../../src/domain/clock.ts';
import { sha256 } from '../runtime/secrets.ts';
import { removeOldest } from '../../src/domain/oldest.ts';

export interface Attempts {
  /** Whole seconds until `key` may try again; 0: now. */
  wait(key: string): number;
  failed(key: string): void;
  /** Ends the row of failures: the count starts anew. */
  succeeded(key: string): void;
}

export interface AttemptPolicy {
  /** How long to wait after so many failures in a row, in ms. */
  readonly delay: (failures: number) => number;
  /** A row is forgotten this long after its last failure, in ms. */
  readonly memory: number;
}

/** Twenty bad secrets in a row, then the next has to wait a minute. */
export const clientPolicy: AttemptPolicy = { delay: (failures) => (failures < 20 ? 0 : 60_000), memory: 15 * 60_000 };

/**
 * How many secrets are checked while a client waits: as many as a working client beside a guesser needs, and few enough that guessing
 * is slow. Secrets over that number are refused unread.
 */
export const checkPolicy: AttemptPolicy = { delay: (checks) => (checks < 60 ? 0 : 60_000), memory: 60_000 };

/** No delay for the first `free` failures, then 1, 2, 4, … seconds, at most `most` seconds. */
const doubling = (free: number, most: number): AttemptPolicy['delay'] => {
  return (failures) => (failures < free ? 0 : Math.min(2 ** (failures - free), most) * 1000);
};

/** For one name at one address. A person may mistype a password three times. */
export const loginPolicy: AttemptPolicy = { delay: doubling(3, 300), memory: 60 * 60_000 };

/**
 * For one name at all addresses (NIST SP 800-63B 5.2.2: no more than 100 failures in a row). The delay is mild, so that others
 * cannot lock out the owner of the name.
 */
export const namePolicy: AttemptPolicy = { delay: doubling(50, 30), memory: 60 * 60_000 };

/** For all names at one address, behind which a whole department may be. */
export const addressPolicy: AttemptPolicy = { delay: doubling(100, 30), memory: 15 * 60_000 };

/**
 * For the codes of devices, from one address. Nobody is told which codes are right but by a login, and they end in ten
 * minutes; at this pace an address tries a hundred of them, of 25 billion.
 */
export const deviceCodePolicy: AttemptPolicy = { delay: doubling(5, 60), memory: 60 * 60_000 };

/** For the setup code, from one address: mild, since 50 random bits need no delay, and the owner may sit behind the same proxy. */
export const ownerPolicy: AttemptPolicy = { delay: doubling(5, 15), memory: 15 * 60_000 };

/** Keys come from requests, so their number is bounded: the key whose last failure is oldest is forgotten first. */
const maxKeys = 10_000;

export function createAttempts(clock: Clock, policy: AttemptPolicy): Attempts {
  /** By the hash of the key: keys may have any length. */
  const rows = new Map<string, { failures: number; last: number }>();

  const rowOf = (id: string) => {
    const row = rows.get(id);
    if (row && clock.elapsed() - row.last < policy.memory) return row;
    rows.delete(id);
    return undefined;
  };

  return {
    wait(key) {
      const row = rowOf(sha256(key));
      return row ? Math.max(0, Math.ceil((row.last + policy.delay(row.failures) - clock.elapsed()) / 1000)) : 0;
    },
    failed(key) {
      const id = sha256(key);
      const failures = (rowOf(id)?.failures ?? 0) + 1;
      rows.delete(id);
      rows.set(id, { failures, last: clock.elapsed() });
      if (rows.size > maxKeys) removeOldest(rows);
    },
    succeeded(key) {
      rows.delete(sha256(key));
    },
  };
}

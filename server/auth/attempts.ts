/**
 * Slows down guessing: counts consecutive failures by key, in all members together. After a number of failures the next attempt has to
 * wait. An attempt counts as a failure before its secret is compared, so guesses that arrive at once are all counted.
 */
import type { Count, Counters, CountTime } from '../storage/counters.ts';
import { sha256 } from '../runtime/secrets.ts';

export interface Attempts {
  /** Whole seconds until `key` may try again; 0 if it may now. */
  wait(key: string): Promise<number>;
  /** Counts an attempt unless it has to wait. */
  begin(key: string): Promise<Attempt>;
  /** Counts an attempt, also one that has to wait. */
  count(key: string): Promise<Attempt>;
  /** Resets the count of failures. */
  recordSuccess(key: string): Promise<void>;
}

export interface Attempt {
  /** Whole seconds to wait; 0: the secret may be compared. */
  readonly waitSeconds: number;
  /** Takes it back, because its secret was not compared. Others wait no longer than without it. */
  undo(): Promise<void>;
}

export interface AttemptPolicy {
  /** Names the counters. */
  readonly name: string;
  /** Delay in ms after this many consecutive failures. */
  readonly delay: (failures: number) => number;
  /** The count is dropped this many ms after the last failure. */
  readonly memory: number;
}

/** After twenty wrong secrets in a row, each further attempt waits a minute. */
export const clientPolicy: AttemptPolicy = {
  name: 'client secret',
  delay: (failures) => (failures < 20 ? 0 : 60_000),
  memory: 15 * 60_000,
};

/**
 * Bounds the secrets that are checked while a client has to wait: enough for a working client that shares an address
 * with a guesser, too few to guess with. Further secrets are refused unchecked.
 */
export const checkPolicy: AttemptPolicy = {
  name: 'client check',
  delay: (checks) => (checks < 60 ? 0 : 60_000),
  memory: 60_000,
};

/** No delay for the first `free` failures, then 1, 2, 4, … seconds up to `max`. */
const doubling = (free: number, max: number): AttemptPolicy['delay'] => {
  return (failures) => (failures < free ? 0 : Math.min(2 ** (failures - free), max) * 1000);
};

/** For one name at one address. Three typing errors are free. */
export const loginPolicy: AttemptPolicy = { name: 'login', delay: doubling(3, 300), memory: 60 * 60_000 };

/** For the password with which a person sets a PIN. */
export const passwordPolicy: AttemptPolicy = { ...loginPolicy, name: 'password' };

/**
 * For one name at all addresses (NIST SP 800-63B 5.2.2: at most 100 consecutive failures). The delay is mild, so that
 * others cannot lock the user out.
 */
export const namePolicy: AttemptPolicy = { name: 'name', delay: doubling(50, 30), memory: 60 * 60_000 };

/** For all names at one address, which a whole department may share. */
export const addressPolicy: AttemptPolicy = { name: 'address', delay: doubling(100, 30), memory: 15 * 60_000 };

/**
 * For device codes from one address. Only a login reveals whether a code is right, and codes expire after ten minutes:
 * at this rate an address tries about a hundred of 25 billion.
 */
export const deviceCodePolicy: AttemptPolicy = { name: 'device code', delay: doubling(5, 60), memory: 60 * 60_000 };

/**
 * For the setup code from one address. Mild, because 50 random bits need no delay and the operator may share a proxy.
 */
export const setupCodePolicy: AttemptPolicy = { name: 'setup code', delay: doubling(5, 15), memory: 15 * 60_000 };

export function createAttempts(counters: Counters, { name, delay, memory }: AttemptPolicy): Attempts {
  const time: CountTime = { ms: memory, renewed: true };
  /** Keys have any length, and name people. */
  const counterOf = (key: string): string => `${name} ${sha256(key)}`;
  const waitAfter = (failures: number, left: number): number =>
    failures > 0 ? Math.max(0, Math.ceil((delay(failures) - (memory - left)) / 1000)) : 0;
  async function add(counter: string, before: Count): Promise<Attempt & { readonly earlier: number }> {
    const { n: counted } = await counters.add(counter, 1, time);
    const isNext = counted - 1 === before.n;
    async function undo(): Promise<void> {
      const { n, left } = await counters.read(counter);
      // If nobody else was counted meanwhile, the time goes on from before.
      const wasLast = isNext && n === counted;
      const ms = wasLast ? Math.max(0, before.left - (memory - left)) : memory;
      await counters.add(counter, -1, { ms, renewed: wasLast });
    }
    return { waitSeconds: 0, undo, earlier: counted - 1 };
  }

  return {
    async wait(key) {
      const { n, left } = await counters.read(counterOf(key));
      return waitAfter(n, left);
    },
    async begin(key) {
      const counter = counterOf(key);
      const before = await counters.read(counter);
      const waitSeconds = waitAfter(before.n, before.left);
      if (waitSeconds > 0) return { ...uncounted, waitSeconds };
      const attempt = await add(counter, before);
      // Other attempts were counted since the look, just now.
      const late = attempt.earlier === before.n ? 0 : waitAfter(attempt.earlier, memory);
      if (late === 0) return attempt;
      await attempt.undo();
      return { ...uncounted, waitSeconds: late };
    },
    async count(key) {
      const counter = counterOf(key);
      return add(counter, await counters.read(counter));
    },
    recordSuccess: (key) => counters.forget(counterOf(key)),
  };
}

const uncounted = { undo: async () => {} };

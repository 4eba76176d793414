/** Guessing, slowed down: failures in a row are counted by key, and past a number of them the next try has to wait. */
import type { Clock } from '../../src/domain/clock.ts';

export interface Attempts {
  /** Whole seconds until `key` may try again; 0: now. */
  wait(key: string): number;
  failed(key: string): void;
  /** The row is broken: counting starts anew. */
  succeeded(key: string): void;
}

export interface AttemptPolicy {
  /** How long to wait after so many failures in a row, in ms. */
  readonly delay: (failures: number) => number;
  /** A row is forgotten this long after its last failure, in ms. */
  readonly memory: number;
}

/** Twenty bad secrets in a row, then one try a minute. */
export const clientPolicy: AttemptPolicy = { delay: (failures) => (failures < 20 ? 0 : 60_000), memory: 15 * 60_000 };

/** Three wrong passwords are a person's; then 1, 2, 4, … seconds, at most five minutes. */
export const loginPolicy: AttemptPolicy = {
  delay: (failures) => (failures < 3 ? 0 : Math.min(2 ** (failures - 3) * 1000, 300_000)),
  memory: 60 * 60_000,
};

/** Keys come from requests, so their number is bounded; the one that failed longest ago goes first. */
const maxKeys = 10_000;

export function createAttempts(clock: Clock, policy: AttemptPolicy): Attempts {
  const rows = new Map<string, { failures: number; last: number }>();

  const rowOf = (key: string) => {
    const row = rows.get(key);
    if (row && clock.now() - row.last < policy.memory) return row;
    rows.delete(key);
    return undefined;
  };

  return {
    wait(key) {
      const row = rowOf(key);
      return row ? Math.max(0, Math.ceil((row.last + policy.delay(row.failures) - clock.now()) / 1000)) : 0;
    },
    failed(key) {
      const failures = (rowOf(key)?.failures ?? 0) + 1;
      rows.delete(key);
      rows.set(key, { failures, last: clock.now() });
      if (rows.size > maxKeys) rows.delete(rows.keys().next().value!);
    },
    succeeded(key) {
      rows.delete(key);
    },
  };
}

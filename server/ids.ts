/** Identifiers: a prefix that says what it is and a ULID, so that ids of a kind sort in order of creation. */
import { randomBytes } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { Clock } from '../src/domain/clock.ts';

export type IdPrefix = 'wli' | 'his' | 'rec' | 'job' | 'bat' | 'usr' | 'grt' | 'dlv' | 'blb' | 'req' | 'lc' | 'test_tc';

export type Ids = (prefix: IdPrefix) => string;

/** Monotonic even within a millisecond. */
export function createIds(clock: Clock): Ids {
  // A pool, since one system call a character would be most of the cost of an id.
  let pool = randomBytes(4096);
  let at = 0;
  const random = (): number => {
    if (at === pool.length) {
      pool = randomBytes(4096);
      at = 0;
    }
    return pool[at++]! / 256;
  };
  const next = monotonicFactory(random);
  return (prefix) => `${prefix}_${next(clock.now())}`;
}

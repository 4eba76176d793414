/**
 * The port of the counters: how often something happened recently, counted by all members together. They limit guesses and requests. A
 * store may forget them in a crash, so nothing else depends on them.
 */
import type { Clock } from '../../src/domain/clock.ts';
import { removeOldest } from '../../src/domain/oldest.ts';

export interface Counters {
  /** The counter; `n` is 0 if nothing was counted, or if its time is over. */
  read(key: string): Promise<Count>;
  /** Adds to the counter in one step, whoever else adds, and returns it. It never falls below 0. */
  add(key: string, by: number, time: CountTime): Promise<Count>;
  forget(key: string): Promise<void>;
}

export interface Count {
  readonly n: number;
  /** Until the counter is forgotten, in ms. */
  readonly left: number;
}

/** How long a counter is kept. */
export interface CountTime {
  readonly ms: number;
  /** Whether the time begins again with each addition; otherwise it begins with the first. */
  readonly renewed: boolean;
}

const none: Count = { n: 0, left: 0 };

/** Keys come from requests, so their number is limited: the one that was begun or renewed first is dropped. */
const maxKeys = 50_000;

/** The counters of a store of one process. */
export function createLoneCounters(clock: Pick<Clock, 'elapsed'>): Counters {
  const counters = new Map<string, { n: number; readonly until: number }>();
  const find = (key: string) => {
    const counter = counters.get(key);
    if (!counter || counter.until > clock.elapsed()) return counter;
    counters.delete(key);
    return undefined;
  };
  return {
    async read(key) {
      const counter = find(key);
      return counter ? { n: counter.n, left: counter.until - clock.elapsed() } : none;
    },
    async add(key, by, { ms, renewed }) {
      const now = clock.elapsed();
      const present = find(key);
      const counter = { n: Math.max(0, (present?.n ?? 0) + by), until: renewed || !present ? now + ms : present.until };
      if (renewed) counters.delete(key);
      counters.set(key, counter);
      if (counters.size > maxKeys) removeOldest(counters);
      return { n: counter.n, left: counter.until - now };
    },
    async forget(key) {
      counters.delete(key);
    },
  };
}

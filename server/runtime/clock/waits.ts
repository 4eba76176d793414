/**
 * Waits whose ends are stored as clock times, but are measured in elapsed time: changes of the clock neither prolong nor shorten
 * them.
 */
import type { Clock } from '../../../src/domain/clock.ts';

export interface Waits {
  /** Current time of waits: ms since some moment of this run. */
  now(): number;
  /**
   * When a wait ends, in the time of waits; 0: it has ended. `at` and `from`: its stored end and beginning by the same clock, ms since
   * 1970, which limit its length. The first answer is reused until `at` changes. `hasJustBegun`: the wait is whole, whatever another process
   * with another clock has stored.
   */
  end(id: string, from: number, at: number, hasJustBegun?: boolean): number;
  /** Clock time of that moment, ms since 1970, for people. */
  hourOf(end: number): number;
  /** Calls `task` once at or after that moment; the returned function cancels it. */
  schedule(end: number, task: () => void | Promise<void>): () => void;
  /** Discards a wait that is no longer needed. */
  forget(id: string): void;
  clear(): void;
}

export function createWaits(clock: Clock): Waits {
  const known = new Map<string, { readonly at: number; readonly end: number }>();
  const hourOf = (end: number): number => clock.now() + end - clock.elapsed();
  return {
    now: () => clock.elapsed(),
    end(id, from, at, hasJustBegun = false) {
      const before = known.get(id);
      if (before?.at === at) return before.end;
      const rest = hasJustBegun ? at - from : Math.min(at - clock.now(), at - from);
      const end = Math.max(0, clock.elapsed() + rest);
      known.set(id, { at, end });
      return end;
    },
    hourOf,
    schedule: (end, task) => clock.schedule(hourOf(end), task),
    forget: (id) => void known.delete(id),
    clear: () => known.clear(),
  };
}

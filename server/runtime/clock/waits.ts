/**
 * Waits whose ends are stored as hours, but which go by the time that passes: whoever sets the clock, ahead or back, lets nobody
 * wait for longer, and lets nothing end before its time.
 */
import type { Clock } from '../../../src/domain/clock.ts';

export interface Waits {
  /** The present, in the time of waits: ms since some moment of this run. */
  now(): number;
  /**
   * When a wait ends, in the time of waits; 0 where it has. `at`: its stored end, `from`: its stored beginning, by the same
   * clock, in ms since 1970, so that it is never longer than it was meant to be. The first answer counts until `at` is another.
   */
  end(id: string, from: number, at: number): number;
  /** The hour of that moment, in ms since 1970, for people. */
  hourOf(end: number): number;
  /** Calls `task` once at or after that moment; the function returned calls it off. */
  schedule(end: number, task: () => void | Promise<void>): () => void;
  /** Nobody asks about this wait any more. */
  forget(id: string): void;
  clear(): void;
}

export function createWaits(clock: Clock): Waits {
  const known = new Map<string, { readonly at: number; readonly end: number }>();
  const hourOf = (end: number): number => clock.now() + end - clock.elapsed();
  return {
    now: () => clock.elapsed(),
    end(id, from, at) {
      const before = known.get(id);
      if (before?.at === at) return before.end;
      const rest = Math.min(at - clock.now(), at - from);
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

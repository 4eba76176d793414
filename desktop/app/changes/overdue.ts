/** Detects work that has waited for the service for so long that the person must know. */
import type { Clock } from '../../../src/domain/clock.ts';

/** Work that waits for the service. */
export interface WaitingWork {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

export interface Overdue {
  /** Call when the waiting work has changed. */
  look(): void;
  /** Whether any work has waited for half a minute. */
  isOverdue(): boolean;
  close(): void;
}

/** Milliseconds after which the person must know. */
const patienceMs = 30_000;

/** `onOverdue` is called when `isOverdue` becomes true through the passage of time. */
export function followOverdue(clock: Clock, waiting: () => readonly WaitingWork[], onOverdue: () => void): Overdue {
  /** Keyed by id, in `elapsed` time of the clock: setting the system time does not shorten a wait. */
  const since = new Map<string, number>();
  let callOff = (): void => undefined;

  const look = (): void => {
    const present = waiting();
    const ids = new Set(present.map(({ id }) => id));
    for (const id of since.keys()) if (!ids.has(id)) since.delete(id);
    for (const { id, created_at } of present) {
      // Work from before this start has waited since it was created.
      const age = Math.max(0, clock.now() - Date.parse(created_at));
      if (!since.has(id)) since.set(id, clock.elapsed() - age);
    }
    callOff();
    callOff = () => undefined;
    const left = patienceMs - maxWait();
    if (since.size === 0 || left <= 0) return;
    callOff = clock.schedule(clock.now() + left, () => {
      look();
      if (isOverdue()) onOverdue();
    });
  };
  const maxWait = (): number => clock.elapsed() - Math.min(...since.values());
  const isOverdue = (): boolean => since.size > 0 && maxWait() >= patienceMs;

  return { look, isOverdue, close: () => callOff() };
}

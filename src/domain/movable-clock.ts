import type { Clock, MovableClock } from './clock.ts';

export interface MovableClockStart {
  /** The time that the clock shows, in ms since 1970. */
  readonly now: number;
  /** Whether time passes on the clock as it does on the machine; otherwise it moves only when it is moved. */
  readonly runs: boolean;
}

interface Entry {
  readonly at: number;
  readonly task: () => void | Promise<void>;
  callOff: () => void;
}

/**
 * Makes a clock that begins at `now`. Tasks that are already due begin at once, by the machine's clock, on a stopped
 * clock too.
 */
export function movableClock(machine: Clock, { now: start, runs }: MovableClockStart): MovableClock {
  /** How far this clock is ahead of the machine's; if it is stopped: the time that it shows. */
  let shift = runs ? start - machine.now() : start;
  let moved = 0;
  const waiting = new Set<Entry>();
  const working = new Set<Promise<void>>();

  const now = (): number => (runs ? machine.now() + shift : shift);

  function begin(entry: Entry): void {
    entry.callOff();
    if (!waiting.delete(entry)) return;
    const work = entry.task();
    if (!work) return;
    const ended = work.finally(() => working.delete(ended));
    working.add(ended);
  }

  function arm(entry: Entry): void {
    entry.callOff();
    if (runs) entry.callOff = machine.schedule(entry.at - shift, () => begin(entry));
    else if (entry.at <= shift) entry.callOff = machine.schedule(machine.now(), () => begin(entry));
  }

  const next = (): Entry | undefined => {
    let first: Entry | undefined;
    for (const entry of waiting) if (!first || entry.at < first.at) first = entry;
    return first;
  };

  return {
    machine,
    runs,
    now,
    elapsed: () => (runs ? machine.elapsed() : 0) + moved,
    schedule(at, task) {
      const entry: Entry = { at, task, callOff: () => {} };
      waiting.add(entry);
      arm(entry);
      return () => {
        entry.callOff();
        waiting.delete(entry);
      };
    },
    dueAt: () => next()?.at,
    advance(ms) {
      let rest = ms;
      const move = (step: number): void => {
        shift += step;
        moved += step;
        rest -= step;
      };
      for (let due = next(); due && due.at <= now() + rest; due = next()) {
        move(Math.max(0, Math.min(rest, due.at - now())));
        begin(due);
      }
      move(rest);
      for (const entry of waiting) arm(entry);
    },
    async idle() {
      while (working.size > 0) await Promise.all(working);
    },
  };
}

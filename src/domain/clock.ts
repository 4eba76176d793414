/** Time as an argument: the current time, and tasks for later. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Milliseconds since some moment of this run, for waits: not affected when somebody sets the clock. */
  elapsed(): number;
  /** Calls `task` once at or after `at` (ms since 1970); the returned function cancels it. */
  schedule(at: number, task: () => void | Promise<void>): () => void;
}

/** A clock of a simulated time, which its holder moves forward. */
export interface MovableClock extends Clock {
  /** The machine's own clock, for what guards the machine or makes people wait. */
  readonly machine: Clock;
  /** Whether time also passes between moves, as it does on the machine. */
  readonly runs: boolean;
  /** When the next task is due, in ms since 1970; `undefined`: no task waits. */
  dueAt(): number | undefined;
  /** Moves forward by so many ms. Tasks that are due begin, in order of time, while the clock moves. */
  advance(ms: number): void;
  /** Resolves once every task that began has ended. */
  idle(): Promise<void>;
}

export const isMovable = (clock: Clock): clock is MovableClock => 'machine' in clock;

/** The clock for waits that people notice: the machine's own, if `clock` is simulated. */
export const machineClockOf = (clock: Clock): Clock => (isMovable(clock) ? clock.machine : clock);

/**
 * Measures how long work takes, in ms since some moment of this run. On a stopped clock no work takes time, so that
 * answers repeat.
 */
export const stopwatch = (clock: Clock): number =>
  isMovable(clock) && !clock.runs ? 0 : machineClockOf(clock).elapsed();

/** The instant as the API writes it: `2026-03-02T11:30:00.000Z`. */
export const isoNow = (clock: Clock): string => isoTime(clock.now());

/** The time, in ms since 1970, as `isoNow` writes it. */
export function isoTime(now: number): string {
  if (now !== last.now) last = { now, text: new Date(now).toISOString() };
  return last.text;
}

/** A busy server asks many times within a millisecond. */
let last = { now: 0, text: new Date(0).toISOString() };

/** A clock that moves only by `advance`; tasks that are due run, in order of time, while the clock moves. */
export interface ManualClock extends Clock {
  /** Moves forward by so many milliseconds. */
  advance(ms: number): void;
  /** Sets the clock, as a person may; no time passes. */
  set(hour: number): void;
}

export function manualClock(start: number): ManualClock {
  let begun = start;
  let time = 0;
  let pending: { at: number; task: () => void | Promise<void> }[] = [];
  return {
    now: () => begun + time,
    elapsed: () => time,
    set: (hour) => void (begun = hour - time),
    schedule(at, task) {
      const entry = { at: at - begun, task };
      pending.push(entry);
      return () => {
        pending = pending.filter((other) => other !== entry);
      };
    },
    advance(ms) {
      const end = time + ms;
      for (;;) {
        const due = pending.filter((entry) => entry.at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (!due) break;
        pending = pending.filter((entry) => entry !== due);
        time = Math.max(time, due.at);
        void due.task();
      }
      time = end;
    },
  };
}

/**
 * Finds calls that block the event loop. Calls report when their work begins and continues; the loop's time until its next turn is
 * attributed to the last one. Names are words of the program, without patient data.
 */

/** Identifies work. */
export interface Work {
  /** `POST /api/v1/worklists/ingest`: a method and a route. */
  readonly call: string;
  readonly request_id?: string;
  readonly channel?: string;
}

export interface HeldLoop extends Work {
  readonly ms: number;
  /** If the work is unknown: some of the calls in progress. */
  readonly under_way?: readonly string[];
}

export interface LoopWatch {
  /** Work begins: earlier activity belonged to others. */
  begin(work: Work): void;
  /** Work continues: earlier activity in this turn of the loop may be its own. */
  goOn(work: Work): void;
  /** Starts reporting. */
  start(): void;
  stop(): void;
}

export interface LoopWatchOptions {
  readonly report: (held: HeldLoop) => void;
  /** The calls in progress. */
  readonly underWay: () => readonly string[];
  /** ms; default: the system's. */
  readonly now?: () => number;
  /** CPU time of this thread in ms; default: the system's. */
  readonly used?: () => number;
}

/** In ms: people notice a loop blocked this long. */
export const heldLoop = 100;
const period = heldLoop / 2;
const maxNamed = 5;

const usedByThread = (): number => {
  // Before Node 23.9, only the CPU time of all threads is available.
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage).call(process);
  return (user + system) / 1000;
};

export function createLoopWatch(options: LoopWatchOptions): LoopWatch {
  const { report, underWay, now = () => performance.now(), used = usedByThread } = options;
  let timer: NodeJS.Timeout | undefined;
  /** The work that was reported in this turn of the loop. */
  let present: Work | undefined;
  let isTurnWatched = false;
  let seen = 0;
  let usedThen = 0;

  const look = (goingOn?: Work): void => {
    const at = now();
    const ms = at - seen;
    seen = at;
    if (ms < heldLoop) return;
    // A sleeping or busy machine delays the loop without CPU time of this thread.
    const usedNow = used();
    const isHeld = usedNow - usedThen >= heldLoop;
    usedThen = usedNow;
    const holder = present ?? goingOn ?? { call: 'other', under_way: underWay().slice(0, maxNamed) };
    if (isHeld) report({ ...holder, ms: Math.round(ms) });
  };

  const take = (work: Work): void => {
    present = work;
    if (isTurnWatched) return;
    isTurnWatched = true;
    setImmediate(endTurn);
  };

  const endTurn = (): void => {
    isTurnWatched = false;
    look();
    present = undefined;
  };

  return {
    begin(work) {
      if (!timer) return;
      look();
      take(work);
    },
    goOn(work) {
      if (!timer) return;
      look(work);
      take(work);
    },
    start() {
      seen = now();
      usedThen = used();
      timer ??= setInterval(() => {
        look();
        usedThen = used();
      }, period).unref();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

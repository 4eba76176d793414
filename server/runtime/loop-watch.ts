/**
 * Names the call that held the event loop, so that nobody else was answered meanwhile. A call says when its work begins and goes on; what
 * the loop does until its next turn is on that call's account. Names are words of the program: nothing of a patient.
 */

/** Whose work it is. */
export interface Work {
  /** `POST /api/v1/worklists/ingest`: a method and a route. */
  readonly call: string;
  readonly request_id?: string;
  readonly channel?: string;
}

export interface HeldLoop extends Work {
  readonly ms: number;
  /** Where it is not known whose work it was: the calls that had no answer yet, some of them. */
  readonly under_way?: readonly string[];
}

export interface LoopWatch {
  /** Work begins: what came before it was not its own. */
  begin(work: Work): void;
  /** Work goes on: what came before it in this turn of the loop may have been its own. */
  goOn(work: Work): void;
  /** What holds the loop is told from now on. */
  start(): void;
  stop(): void;
}

export interface LoopWatchOptions {
  readonly tell: (held: HeldLoop) => void;
  /** The calls that have no answer yet. */
  readonly underWay: () => readonly string[];
  /** ms; default: of the machine. */
  readonly now?: () => number;
  /** ms of the processor that this thread has used; default: of the machine. */
  readonly used?: () => number;
}

/** In ms: a loop that is held as long is noticed by people. */
export const heldLoop = 100;
const period = heldLoop / 2;
const maxNamed = 5;

const usedByThread = (): number => {
  // Node before 23.9 tells it of all threads alone.
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage).call(process);
  return (user + system) / 1000;
};

export function createLoopWatch(options: LoopWatchOptions): LoopWatch {
  const { tell, underWay, now = () => performance.now(), used = usedByThread } = options;
  let timer: NodeJS.Timeout | undefined;
  /** Of the work that entered in this turn of the loop. */
  let present: Work | undefined;
  let isTurnWatched = false;
  let seen = 0;
  let usedThen = 0;

  const look = (goingOn?: Work): void => {
    const at = now();
    const ms = at - seen;
    seen = at;
    if (ms < heldLoop) return;
    // A machine that sleeps, or that others keep busy, is not held by anybody.
    const usedNow = used();
    const isHeld = usedNow - usedThen >= heldLoop;
    usedThen = usedNow;
    const holder = present ?? goingOn ?? { call: 'other', under_way: underWay().slice(0, maxNamed) };
    if (isHeld) tell({ ...holder, ms: Math.round(ms) });
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

/** How many processors this process may use without taking them from others. */
import { availableParallelism, cpus } from 'node:os';

/** Processor time of the machine since it started, and of this process, in ms. */
export interface ProcessorTimes {
  readonly busy: number;
  readonly own: number;
}

export interface FreeProcessorsOptions {
  /** Default: those that this process may use. */
  readonly processors?: number;
  /** ms of the machine's own time. */
  readonly now: () => number;
  readonly times?: () => ProcessorTimes;
}

/** In ms: the system takes up to a millisecond to answer, and what others do changes slowly. */
const period = 1000;

function timesOfMachine(): ProcessorTimes {
  const { user, system } = process.cpuUsage();
  const busy = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  return { busy, own: (user + system) / 1000 };
}

/** Gives the processors that others left free in the last second or so: all of them at first. What this process used counts as free. */
export function createFreeProcessors({
  processors = availableParallelism(),
  now,
  times = timesOfMachine,
}: FreeProcessorsOptions): () => number {
  let since: { readonly at: number; readonly times: ProcessorTimes } | undefined;
  let free = processors;
  return () => {
    const at = now();
    if (since && at - since.at < period) return free;
    const present = { at, times: times() };
    if (since) {
      const ofAll = present.times.busy - since.times.busy;
      const own = present.times.own - since.times.own;
      free = processors - Math.max(0, ofAll - own) / (at - since.at);
    }
    since = present;
    return free;
  };
}

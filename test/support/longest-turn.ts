/** How long the event loop of this thread is held at a time, in time of the processor: what others take of it does not count. */

export interface Turns<T> {
  readonly result: T;
  /** The longest turn of the loop meanwhile, in ms of the processor. */
  readonly longest: number;
  /** All of them together. */
  readonly total: number;
}

const cpuMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

/** Measures from each turn of the loop to the next until the work is done. */
export async function longestTurn<T>(work: () => Promise<T>): Promise<Turns<T>> {
  const begun = process.threadCpuUsage();
  let before = 0;
  let longest = 0;
  let done = false;
  const turn = (): void => {
    const now = cpuMs(process.threadCpuUsage(begun));
    longest = Math.max(longest, now - before);
    before = now;
    if (!done) setImmediate(turn);
  };
  setImmediate(turn);
  const result = await work().finally(() => (done = true));
  turn();
  return { result, longest, total: before };
}

/** Deadlines for requests to a server. */
import type { Clock } from '../../../src/domain/clock.ts';

export interface Deadline {
  readonly ms: number;
  readonly clock: Clock;
  /** Creates the error for work that takes longer. */
  readonly createError: () => Error;
}

/** Aborts the work at its deadline, or with `signal`. */
export async function withDeadline<T>(
  { ms, clock, createError: late }: Deadline,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const deadline = new AbortController();
  const cancel = clock.schedule(clock.now() + ms, () => deadline.abort());
  try {
    return await work(AbortSignal.any([signal, deadline.signal]));
  } catch (error) {
    throw deadline.signal.aborted && !signal.aborted ? late() : error;
  } finally {
    cancel();
  }
}

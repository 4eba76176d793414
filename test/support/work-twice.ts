/**
 * A store that runs the work of each transaction, and of each overhaul, twice, as one may that works optimistically: the first run is thrown
 * away. Who only writes and publishes through the transaction, and uses what it returned, notices nothing.
 */
import type { Store, Transaction } from '../../server/storage/store.ts';

const thrownAway = new Error('the first run of a transaction');

type Run = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** `between`: what others do meanwhile. */
export function workTwice(store: Store, between: () => Promise<void> = async () => {}): Store {
  const twice =
    (run: Run): Run =>
    async (work) => {
      const first = run(async (tx) => {
        await work(tx);
        throw thrownAway;
      });
      // What the work refuses, and what the store does, is the same at the second run.
      await first.catch(() => undefined);
      await between();
      return run(work);
    };
  return { ...store, transact: twice(store.transact), overhaul: twice(store.overhaul as Run) };
}

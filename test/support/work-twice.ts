/**
 * A store that runs the work of each transaction twice, as one may that works optimistically: the first run is thrown
 * away. Who only writes and publishes through the transaction, and uses what it returned, notices nothing.
 */
import type { Store } from '../../server/store/store.ts';

const thrownAway = new Error('the first run of a transaction');

/** `between`: what others do meanwhile. */
export const workTwice = (store: Store, between: () => Promise<void> = async () => {}): Store => ({
  ...store,
  async transact(work) {
    const first = store.transact(async (tx) => {
      await work(tx);
      throw thrownAway;
    });
    // What the work refuses, and what the store does, is the same at the second run.
    await first.catch(() => undefined);
    await between();
    return store.transact(work);
  },
});

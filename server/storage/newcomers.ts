/** The documents that arrive in a stored queue: at first all that wait, then those that commits announce. */
import type { Documents } from './collections.ts';
import { readAll } from './scan.ts';
import type { Store } from './store.ts';

/** Collections whose documents wait with a status. */
type Waiting = 'jobs' | 'deliveries';

export interface Newcomers<C extends Waiting> {
  /**
   * The waiting documents put since the last call; at first, and after `forget`, all that wait. If `read` rejects, the next
   * call returns them.
   */
  read(): Promise<readonly Documents[C][]>;
  /** Makes the next `read` return all waiting documents. */
  forget(): void;
  /** Stops listening to commits. */
  stop(): void;
}

/** Calls `come` when new documents may be waiting. */
export function createNewcomers<C extends Waiting>(
  store: Pick<Store, 'get' | 'find' | 'watch'>,
  collection: C,
  status: Documents[C]['status'],
  come: () => void,
): Newcomers<C> {
  let all = true;
  let announced = new Set<string>();

  async function readEach(ids: ReadonlySet<string>): Promise<Documents[C][]> {
    const documents = await Promise.all(Array.from(ids, (id) => store.get(collection, id)));
    return documents.filter((document) => document?.status === status) as Documents[C][];
  }

  const stop = store.watch(collection, (ids) => {
    for (const id of ids) announced.add(id);
    come();
  });
  return {
    async read() {
      const [wasAll, ids] = [all, announced];
      all = false;
      announced = new Set();
      try {
        return await (wasAll ? readAll(store, collection, { is: { status } as object }) : readEach(ids));
      } catch (error) {
        all ||= wasAll;
        for (const id of ids) announced.add(id);
        throw error;
      }
    },
    forget() {
      all = true;
    },
    stop,
  };
}

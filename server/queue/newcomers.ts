/** What comes into a queue that is kept in the store: all there is at first, then what commits tell of. */
import { createBreaks } from '../store/breaks.ts';
import type { Documents } from '../store/collections.ts';
import type { Store } from '../store/store.ts';

/** Collections whose documents wait with a status. */
type Waiting = 'jobs' | 'deliveries';

/** Read at a time. */
const pieceSize = 500;

export interface Newcomers<C extends Waiting> {
  /**
   * Documents that wait and were put since the last time; at first, and after `forget`, all that wait. Where it rejects,
   * the next call has them.
   */
  read(): Promise<readonly Documents[C][]>;
  /** Nothing is known any more. */
  forget(): void;
  /** Hears of no further commits. */
  stop(): void;
}

/** `come` is called when there may be some. */
export function createNewcomers<C extends Waiting>(
  store: Pick<Store, 'get' | 'find' | 'watch'>,
  collection: C,
  status: Documents[C]['status'],
  come: () => void,
): Newcomers<C> {
  let all = true;
  let named = new Set<string>();

  async function everything(): Promise<Documents[C][]> {
    const found: Documents[C][] = [];
    const breathe = createBreaks();
    for (let before: string | undefined; ;) {
      const after = before === undefined ? {} : { before };
      const piece = await store.find(collection, { is: { status } as object, limit: pieceSize, ...after });
      found.push(...piece);
      if (piece.length < pieceSize) return found;
      before = piece.at(-1)!.id;
      await breathe();
    }
  }

  async function theNamed(ids: ReadonlySet<string>): Promise<Documents[C][]> {
    const found = await Promise.all(Array.from(ids, (id) => store.get(collection, id)));
    return found.filter((document) => document?.status === status) as Documents[C][];
  }

  const stop = store.watch(collection, (ids) => {
    for (const id of ids) named.add(id);
    come();
  });
  return {
    async read() {
      const [wasAll, were] = [all, named];
      all = false;
      named = new Set();
      try {
        return await (wasAll ? everything() : theNamed(were));
      } catch (error) {
        all ||= wasAll;
        for (const id of were) named.add(id);
        throw error;
      }
    },
    forget() {
      all = true;
    },
    stop,
  };
}

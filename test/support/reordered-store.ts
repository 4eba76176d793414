/** A store that answers late, as a busy one does, so that calls that run side by side meet at every place of each other. */
import type { Store } from '../../server/storage/store.ts';

/** `turns`: for how many turns of the event loop each read, and each transaction before its work begins, waits. */
export function reorder(store: Store, turns: () => number): Store {
  const late =
    <A extends unknown[], T>(ask: (...input: A) => Promise<T>) =>
    async (...input: A): Promise<T> => {
      for (let left = turns(); left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
      return ask(...input);
    };
  return {
    ...store,
    get: late(store.get) as Store['get'],
    find: late(store.find) as Store['find'],
    findEach: late(store.findEach) as Store['findEach'],
    count: late(store.count) as Store['count'],
    transact: late(store.transact as (work: never, actor: never) => Promise<unknown>) as Store['transact'],
  };
}

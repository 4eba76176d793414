/**
 * A store that answers late, as one over a network does: reads take a while, transactions begin in another order than that of their
 * calls and settle after their commit, and changes of feeds arrive later, all in the order of the commits. Calls that run side by
 * side meet at every place of each other.
 */
import type { Reader, Store } from '../../server/storage/store.ts';
import { createOrder } from '../../src/domain/in-order.ts';

/** `turns`: for how many turns of the event loop the next answer waits. */
export function answerLate(store: Store, turns: () => number): Store {
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const wait = async (): Promise<void> => {
    for (let left = turns(); left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
  };
  const track = <T>(work: Promise<T>): Promise<T> => {
    const ended = work.catch(() => undefined).finally(() => underWay.delete(ended));
    underWay.add(ended);
    return work;
  };
  /** `isInside`: asked by a transaction, which the store waits for when it closes. */
  const late =
    <A extends unknown[], T>(ask: (...input: A) => Promise<T>, isInside = false) =>
    (...input: A): Promise<T> => {
      const isLast = closing !== undefined && !isInside;
      const answer = (isLast ? Promise.resolve(closing) : wait()).then(() => ask(...input));
      return isLast ? answer : track(answer);
    };
  const lateReader = (reader: Reader, isInside = false): Reader => ({
    get: late(reader.get, isInside) as Reader['get'],
    find: late(reader.find, isInside) as Reader['find'],
    findEach: late(reader.findEach, isInside) as Reader['findEach'],
    count: late(reader.count, isInside) as Reader['count'],
    oldest: late(reader.oldest, isInside) as Reader['oldest'],
  });
  const transact = late(async (...[work, actor]: Parameters<Store['transact']>) => {
    try {
      return await store.transact((tx) => work({ ...tx, ...lateReader(tx, true) }), actor);
    } finally {
      await wait();
    }
  });
  return {
    ...store,
    ...lateReader(store),
    commits: late(store.commits),
    transact: transact as Store['transact'],
    subscribe(feed, listener) {
      const inTurn = createOrder();
      let isOver = false;
      const leave = store.subscribe(feed, (changes) => {
        void inTurn(async () => {
          await wait();
          if (!isOver) listener(changes);
        });
      });
      return () => {
        isOver = true;
        leave();
      };
    },
    close() {
      closing ??= Promise.all(underWay).then(() => store.close());
      return closing;
    },
  };
}

/** Turns that look drawn by chance, the same in each run. */
export function drawTurns(most: number): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state % (most + 1);
  };
}

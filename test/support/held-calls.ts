/**
 * Holds a call between what it has read and what it commits, so that two calls meet as two senders make them meet by chance:
 * begin one, let another pass, and let the first go on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { CollectionName } from '../../server/storage/collections.ts';
import type { Store, Transaction } from '../../server/storage/store.ts';

/** Which collections a call read before its first transaction, and which it has written. */
export interface Touched {
  readonly read: ReadonlySet<CollectionName>;
  readonly written: ReadonlySet<CollectionName>;
}

/** A call that is under way. */
export interface HeldCall<T> {
  /** Whether it waits before a transaction; otherwise it has ended without one. */
  readonly isHeld: boolean;
  /** Lets it go on. */
  release(): Promise<T>;
}

export interface Holding {
  /** Put it between the server and its store. */
  store(real: Store): Store;
  /** Makes the call, and says what it touched. */
  watch(call: () => Promise<unknown>): Promise<Touched>;
  /** Begins the call; resolves once it comes to its transaction number `at`, from 0, or has ended. */
  begin<T>(at: number, call: () => Promise<T>): Promise<HeldCall<T>>;
}

interface Present {
  /** Called at the beginning of each transaction. */
  arrive(): Promise<void> | undefined;
  read(collection: CollectionName): void;
  wrote(collection: CollectionName): void;
}

const unwatched = { read: () => {}, wrote: () => {} };

export function createHolding(): Holding {
  const present = new AsyncLocalStorage<Present>();
  const noting = (tx: Transaction): Transaction => ({
    ...tx,
    put(collection, document) {
      present.getStore()?.wrote(collection);
      tx.put(collection, document);
    },
    remove(collection, id) {
      present.getStore()?.wrote(collection);
      tx.remove(collection, id);
    },
  });
  return {
    store: (real) => ({
      ...real,
      async transact(work, actor) {
        await present.getStore()?.arrive();
        return real.transact((tx) => work(noting(tx)), actor);
      },
      async get(collection, id) {
        present.getStore()?.read(collection);
        return real.get(collection, id);
      },
      async find(collection, query) {
        present.getStore()?.read(collection);
        return real.find(collection, query);
      },
    }),
    async watch(call) {
      const [read, written] = [new Set<CollectionName>(), new Set<CollectionName>()];
      let transactions = 0;
      await present.run(
        {
          arrive: () => void (transactions += 1),
          read: (collection) => void (transactions === 0 && read.add(collection)),
          wrote: (collection) => void written.add(collection),
        },
        call,
      );
      return { read, written };
    },
    async begin(at, call) {
      const arrived = Promise.withResolvers<true>();
      const released = Promise.withResolvers<void>();
      let transactions = 0;
      const arrive = (): Promise<void> | undefined => {
        if (transactions++ !== at) return undefined;
        arrived.resolve(true);
        return released.promise;
      };
      const answer = present.run({ arrive, ...unwatched }, call);
      const ended = answer.then(
        () => false,
        () => false,
      );
      const isHeld = await Promise.race([arrived.promise, ended]);
      return {
        isHeld,
        async release() {
          released.resolve();
          return answer;
        },
      };
    },
  };
}

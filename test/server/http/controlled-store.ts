/** Storage that a test can make fail or wait, between the server and the store in memory. */
import type { Store } from '../../../server/storage/store.ts';

export interface ControlledStore {
  /** For `startApi({ store })`. */
  readonly between: (real: Store) => Store;
  /** Transactions and probes reject with it until `recover`. */
  fail(error: Error): void;
  recover(): void;
  /** Transactions wait until `release`; resolves once one does. */
  hold(): Promise<void>;
  release(): void;
  /** How many transactions and probes were asked for so far. */
  asked(): number;
}

export function controlledStore(): ControlledStore {
  let failure: Error | undefined;
  let asked = 0;
  let gate: { open: PromiseWithResolvers<void>; reached: PromiseWithResolvers<void> } | undefined;
  return {
    between: (real) => ({
      ...real,
      async transact(work) {
        asked++;
        gate?.reached.resolve();
        await gate?.open.promise;
        if (failure) throw failure;
        return real.transact(work);
      },
      async probe() {
        asked++;
        if (failure) throw failure;
        return real.probe();
      },
    }),
    fail: (error) => void (failure = error),
    recover: () => void (failure = undefined),
    hold() {
      gate = { open: Promise.withResolvers(), reached: Promise.withResolvers() };
      return gate.reached.promise;
    },
    release() {
      gate?.open.resolve();
      gate = undefined;
    },
    asked: () => asked,
  };
}

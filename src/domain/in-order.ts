/** The serial order: one piece of work at a time, in the order in which they were asked for. */

/** Begins each piece of work when the piece before has ended, whether it succeeded or failed. */
export interface InOrder {
  <T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when all work has ended that was asked for before; never rejects. */
  idle(): Promise<void>;
}

export interface OrderOptions {
  /** Begins no work after one that failed: later calls reject with its error. */
  readonly endsWithFailure?: boolean;
}

export function createOrder({ endsWithFailure = false }: OrderOptions = {}): InOrder {
  const turns = createTurns();
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
    turns.give();
  };
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = Promise.resolve(turns.take()).then(() => {
      if (failure) throw failure.error;
      return work();
    });
    // Comes before what the caller does next, yet the next work begins after it.
    mine.then(turns.give, endsWithFailure ? fail : turns.give);
    return mine;
  };
  return Object.assign(inOrder, { idle: () => Promise.resolve(turns.take()).then(turns.give) });
}

/** An order for each key. Work of other keys does not wait. */
export function createOrders<K>(): <T>(key: K, work: () => Promise<T>) => Promise<T> {
  const orders = new Map<K, { readonly inOrder: InOrder; open: number }>();
  return async (key, work) => {
    const order = orders.get(key) ?? { inOrder: createOrder(), open: 0 };
    orders.set(key, order);
    order.open++;
    try {
      return await order.inOrder(work);
    } finally {
      if (--order.open === 0) orders.delete(key);
    }
  };
}

/** The turns of an order, for work that gives its turn to the next before it has ended. */
export interface Turns {
  /** `undefined` if nobody holds the turn: the caller need not wait. */
  take(): Promise<void> | undefined;
  give(): void;
}

/** Gives turns in the order of arrival. */
export function createTurns(): Turns {
  let isTaken = false;
  const waiting: (() => void)[] = [];
  return {
    take() {
      if (isTaken) return new Promise((resolve) => void waiting.push(resolve));
      isTaken = true;
      return undefined;
    },
    give() {
      const next = waiting.shift();
      if (next) next();
      else isTaken = false;
    },
  };
}

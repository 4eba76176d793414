/** Begins each piece of work when the one before it is over, however that ended. */
export type InOrder = <T>(work: () => Promise<T>) => Promise<T>;

export function createOrder(): InOrder {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

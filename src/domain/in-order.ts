/** Begins each piece of work when the piece before has ended, whether it succeeded or failed. */
export type InOrder = <T>(work: () => Promise<T>) => Promise<T>;

export function createOrder(): InOrder {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

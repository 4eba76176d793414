/** Splits long work into short pieces, so that others get the event loop soon. */
import { setImmediate, setTimeout } from 'node:timers/promises';

/** How work shares the event loop, in ms. */
export interface Pace {
  /** Maximum duration of a piece. */
  readonly piece: number;
  /** Minimum pause between pieces; 0: until others had their turn. */
  readonly pause: number;
}

/** Work that somebody waits for. */
const prompt: Pace = { piece: 3, pause: 0 };

/** Background work: short pieces with pauses, so that requests are not delayed. */
export const unhurried: Pace = { piece: 1, pause: 4 };

/** Call the result after each small step. If others are due, it returns a promise to await, otherwise `undefined`. */
export function createBreaks({ piece, pause }: Pace = prompt): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < piece) return undefined;
    return (pause === 0 ? setImmediate() : setTimeout(pause)).then(() => void (since = performance.now()));
  };
}

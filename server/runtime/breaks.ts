/** Splits long work into short pieces, so that other callers get the event loop soon. */
import { setImmediate, setTimeout } from 'node:timers/promises';

/** How work shares the event loop, in milliseconds. */
export interface Pace {
  /** For which one piece of work keeps the event loop. */
  readonly piece: number;
  /** Between two pieces, at least; 0: until others have had a turn. */
  readonly pause: number;
}

/** Of work for which somebody waits. */
const prompt: Pace = { piece: 3, pause: 0 };

/** Of work for which nobody waits: whoever asks for something meanwhile is to notice nothing. */
export const unhurried: Pace = { piece: 1, pause: 4 };

/** Call the result after each small step. When others are due, it returns a promise to await, otherwise `undefined`. */
export function createBreaks({ piece, pause }: Pace = prompt): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < piece) return undefined;
    return (pause === 0 ? setImmediate() : setTimeout(pause)).then(() => void (since = performance.now()));
  };
}

/** Splits long work into short pieces, so that other callers get the event loop soon. */
import { setImmediate } from 'node:timers/promises';

/** Milliseconds for which one piece of work keeps the event loop. */
const pieceMs = 3;

/** Call the result after each small step. When others are due, it returns a promise to await, otherwise `undefined`. */
export function createBreaks(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < pieceMs) return undefined;
    return setImmediate().then(() => void (since = performance.now()));
  };
}

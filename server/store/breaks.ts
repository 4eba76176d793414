/** Long work in short pieces, so that whoever waits for the event loop does not wait long. */
import { setImmediate } from 'node:timers/promises';

/** Milliseconds of one's own before the others' turn. */
const pieceMs = 3;

/** To be called after each small step: gives a promise to wait for when it is time to let others work, else nothing. */
export function createBreaks(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < pieceMs) return undefined;
    return setImmediate().then(() => void (since = performance.now()));
  };
}

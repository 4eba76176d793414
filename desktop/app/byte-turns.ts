/** Splits bytes so that other work runs in between: a dictation may be under way. */
import { setImmediate as nextTurn } from 'node:timers/promises';

export async function* inTurns(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const size = 64 * 1024;
  for (let at = 0; at < bytes.length; at += size) {
    await nextTurn();
    yield bytes.subarray(at, at + size);
  }
}

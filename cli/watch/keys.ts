/** Keys for the full-screen view. */
import { findEntry } from '../../src/domain/find-entry.ts';
import type { Io } from '../shell/io.ts';
import { readKeyboard } from '../shell/keyboard.ts';

export type Key = 'quit' | 'interrupt' | 'up' | 'down' | 'pageUp' | 'pageDown';

const keys: Readonly<Record<string, Key>> = {
  q: 'quit',
  Q: 'quit',
  '\u0003': 'interrupt',
  k: 'up',
  j: 'down',
  '\u001b[A': 'up',
  '\u001b[B': 'down',
  '\u001bOA': 'up',
  '\u001bOB': 'down',
  '\u001b[5~': 'pageUp',
  '\u001b[6~': 'pageDown',
};

/** Calls `listener` for each known key. The returned function restores the keyboard. */
export const listenForKeys = (io: Pick<Io, 'stdin'>, listener: (key: Key) => void): (() => void) =>
  readKeyboard(io, (data) => {
    const key = findEntry(keys, data.toString());
    if (key) listener(key);
  });

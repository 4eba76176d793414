/** What is typed at a terminal, as it is typed: no line, and no signal for Ctrl-C. */
import type { ReadStream } from 'node:tty';
import type { Io } from './io.ts';

/** Calls `listener` with the bytes of each key; the function returned gives the keyboard back. Nothing happens without a terminal. */
export function readKeyboard({ stdin }: Pick<Io, 'stdin'>, listener: (data: Buffer) => void): () => void {
  if (!stdin.isTTY) return () => {};
  const keyboard = stdin as ReadStream;
  keyboard.setRawMode(true);
  keyboard.on('data', listener);
  keyboard.resume();
  return () => {
    keyboard.off('data', listener);
    keyboard.pause();
    keyboard.setRawMode(false);
  };
}

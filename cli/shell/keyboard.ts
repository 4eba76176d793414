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

const [ctrlC, ctrlZ] = [0x03, 0x1a];

/**
 * Calls `interrupt` for each Ctrl-C at a terminal: pressed twice in one moment, the system would make a single signal of them.
 * The function returned gives the keyboard back.
 */
export const listenForControlKeys = (io: Pick<Io, 'stdin'>, interrupt: () => void): (() => void) =>
  readKeyboard(io, (data) => {
    for (const key of data) {
      if (key === ctrlC) interrupt();
      // To every process of the command line, as the terminal would.
      else if (key === ctrlZ && process.platform !== 'win32') process.kill(0, 'SIGTSTP');
    }
  });

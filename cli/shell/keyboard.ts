/** Raw keyboard input from a terminal: unbuffered, and without a signal for Ctrl-C. */
import type { ReadStream } from 'node:tty';
import type { Io } from './io.ts';

/**
 * Calls `listener` with the bytes of each key. The returned function restores the keyboard. Does nothing without a
 * terminal.
 */
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
 * Calls `interrupt` for each Ctrl-C at a terminal: the system would merge two rapid ones into a single signal. The
 * returned function restores the keyboard.
 */
export const listenForControlKeys = (io: Pick<Io, 'stdin'>, interrupt: () => void): (() => void) =>
  readKeyboard(io, (data) => {
    for (const key of data) {
      if (key === ctrlC) interrupt();
      // Sent to all processes of the command line, as the terminal would.
      else if (key === ctrlZ && process.platform !== 'win32') process.kill(0, 'SIGTSTP');
    }
  });

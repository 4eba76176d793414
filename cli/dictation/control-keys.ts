/** Ctrl-C and Ctrl-Z as keys: pressed twice in one moment, the system would make a single signal of them. */
import type { Io } from '../shell/io.ts';
import { readKeyboard } from '../shell/keyboard.ts';

const [ctrlC, ctrlZ] = [0x03, 0x1a];

/** Calls `interrupt` for each Ctrl-C at a terminal; the function returned gives the keyboard back. */
export const listenForControlKeys = (io: Pick<Io, 'stdin'>, interrupt: () => void): (() => void) =>
  readKeyboard(io, (data) => {
    for (const key of data) {
      if (key === ctrlC) interrupt();
      // To every process of the command line, as the terminal would.
      else if (key === ctrlZ && process.platform !== 'win32') process.kill(0, 'SIGTSTP');
    }
  });

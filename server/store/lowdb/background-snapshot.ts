/** When a snapshot is made, and that it is made beside all other work. */
import type { Log } from '../../services.ts';
import { prepareSnapshot, removeSuperseded } from './snapshot.ts';
import type { Copy, SnapshotOptions } from './snapshot.ts';

export interface BackgroundSnapshots {
  isDue(): boolean;
  /** The journal has so many bytes more. */
  grew(bytes: number): void;
  /** There is a snapshot of so many bytes, and nothing after it yet. */
  made(bytes: number): void;
  /** Begins one of what there was after the commit with that sequence; a new journal has to begin there. */
  begin(copy: Copy, sequence: number): void;
  /** Gives up the one that is under way. */
  end(): Promise<void>;
}

/** `journalLimit`: bytes of journal before the next snapshot, where the last one was not larger still. */
export function createBackgroundSnapshots(
  options: Omit<SnapshotOptions, 'sequence' | 'signal'> & { readonly log: Log; readonly journalLimit: number },
): BackgroundSnapshots {
  const { directory, fs, log, journalLimit } = options;
  /** Bytes of journal since the last one began. */
  let grown = 0;
  let size = 0;
  let running: { readonly done: Promise<void>; readonly abort: AbortController } | undefined;

  /** Where it fails, the journals go on being all there is; it is tried again when they have grown as much again. */
  async function write(copy: Copy, sequence: number, signal: AbortSignal): Promise<void> {
    try {
      const prepared = await prepareSnapshot({ ...options, sequence, signal }, copy);
      await prepared.publish();
      size = prepared.bytes;
      await removeSuperseded(fs, directory);
    } catch (error) {
      if (!signal.aborted) log({ level: 'warn', event: 'snapshot_failed', code: codeOf(error) });
    }
  }

  return {
    isDue: () => !running && grown >= Math.max(journalLimit, size),
    grew: (bytes) => void (grown += bytes),
    made(bytes) {
      size = bytes;
      grown = 0;
    },
    begin(copy, sequence) {
      grown = 0;
      const abort = new AbortController();
      const done = write(copy, sequence, abort.signal).finally(() => (running = undefined));
      running = { done, abort };
    },
    async end() {
      running?.abort.abort();
      await running?.done;
    },
  };
}

/** What the system calls it; its message has paths. */
export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown';

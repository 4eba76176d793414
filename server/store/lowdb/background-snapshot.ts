/** When a snapshot is made, and that it is made beside all other work. */
import type { Log } from '../../log.ts';
import { prepareSnapshot, removeSuperseded } from './snapshot.ts';
import type { SnapshotOptions } from './snapshot.ts';
import type { Copy } from '../tables.ts';

/** What was written to journals. */
export interface Growth {
  readonly bytes: number;
  readonly commits: number;
  /** Put or removed. */
  readonly documents: number;
}

export interface BackgroundSnapshots {
  /** Whether one was asked for that has not begun. */
  readonly demanded: boolean;
  /** Makes the next one due at once. */
  demand(): void;
  /** Once none is under way: whether the last one was made. */
  settled(): Promise<boolean>;
  /** Whether one should be made, so many documents being kept. */
  isDue(kept: number): boolean;
  grew(growth: Growth): void;
  /** There is a snapshot of so many documents, and nothing after it yet. */
  made(documents: number): void;
  /** Begins one of what there was after the commit with that sequence; a new journal has to begin there. */
  begin(copy: Copy, sequence: number): void;
  /** Gives up the one that is under way. */
  end(): Promise<void>;
}

/** To read a commit takes about as long as to read so many documents more than it has. */
const commitWeight = 1.25;

/** How many times what there is a start may have to read. */
const mostReading = 1.5;

/** Bytes of journal that are not worth a snapshot. */
const shortJournal = 16 * 1024 * 1024;

export interface BackgroundSnapshotOptions extends Omit<SnapshotOptions, 'sequence' | 'signal'> {
  readonly log: Log;
  /** Bytes of journal after which a snapshot is made; default: when it spares the next start a good part of its reading. */
  readonly journalLimit: number | undefined;
}

/** What was just added is in the journal as it would be in a snapshot: only what is out of date makes one worth its while. */
export function createBackgroundSnapshots(options: BackgroundSnapshotOptions): BackgroundSnapshots {
  const { log, journalLimit } = options;
  /** Bytes of journal since the last one began. */
  let grown = 0;
  /** What a start would have to read, in documents. */
  let readings = 0;
  let demanded = false;
  let succeeded = true;
  let running: { readonly done: Promise<void>; readonly abort: AbortController } | undefined;

  /** Where it fails, the journals go on being all there is; it is tried again when they have grown as much again. */
  async function write(copy: Copy, sequence: number, signal: AbortSignal): Promise<void> {
    const before = readings;
    succeeded = false;
    try {
      const prepared = await prepareSnapshot({ ...options, sequence, signal }, copy);
      await prepared.publish();
      readings += prepared.documents - before;
      await removeSuperseded(options);
      succeeded = true;
    } catch (error) {
      if (!signal.aborted) log({ level: 'warn', event: 'snapshot_failed', code: codeOf(error) });
    }
  }

  return {
    get demanded() {
      return demanded;
    },
    demand() {
      demanded = true;
    },
    async settled() {
      await running?.done;
      return succeeded;
    },
    isDue(kept) {
      if (running) return false;
      if (demanded) return true;
      return journalLimit === undefined
        ? grown >= shortJournal && readings >= mostReading * kept
        : grown >= journalLimit;
    },
    grew({ bytes, commits, documents }) {
      grown += bytes;
      readings += documents + commitWeight * commits;
    },
    made(documents) {
      readings = documents;
      grown = 0;
    },
    begin(copy, sequence) {
      demanded = false;
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

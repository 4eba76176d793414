/** Decides when a snapshot is due, and writes the snapshot in the background. */
import type { Log } from '../../log.ts';
import { unhurried } from '../breaks.ts';
import { prepareSnapshot, removeSuperseded } from './snapshot.ts';
import type { SnapshotOptions } from './snapshot.ts';
import type { Copy } from '../tables.ts';

/** The amount written to journals. */
export interface Growth {
  readonly bytes: number;
  readonly commits: number;
  /** The number of put or removed documents. */
  readonly documents: number;
}

export interface BackgroundSnapshots {
  /** Whether a demanded snapshot has not begun yet. */
  readonly demanded: boolean;
  /** Whether a snapshot is being written. */
  readonly running: boolean;
  /** Makes the next snapshot due at once. */
  demand(): void;
  /** Waits for the present snapshot; resolves to whether the last snapshot succeeded. */
  settled(): Promise<boolean>;
  /** Whether a snapshot is due; `count` counts the documents in the tables. */
  isDue(count: () => number): boolean;
  grew(growth: Growth): void;
  /** Notes that a snapshot of so many documents exists, and no commit after it. */
  made(documents: number): void;
  /** Begins a snapshot of the documents after commit `sequence`. The caller begins a new journal there. */
  begin(copy: Copy, sequence: number): void;
  /** Aborts the present snapshot. */
  end(): Promise<void>;
}

/** The time to read a commit, besides its documents, in documents. */
const commitWeight = 1.25;

/** How many times the number of present documents a start may have to read. */
const mostReading = 1.5;

/** Below so many bytes of journal a snapshot is not worth its cost. */
const shortJournal = 16 * 1024 * 1024;

export interface BackgroundSnapshotOptions extends Omit<SnapshotOptions, 'sequence' | 'signal' | 'pace'> {
  readonly log: Log;
  /** Bytes of journal after which a snapshot is made; default: when it spares the next start a good part of its reading. */
  readonly journalLimit: number | undefined;
}

/** New documents cost the same in a journal as in a snapshot, so only outdated content of the journals makes a snapshot worthwhile. */
export function createBackgroundSnapshots(options: BackgroundSnapshotOptions): BackgroundSnapshots {
  const { log, journalLimit } = options;
  /** Bytes of journal since the last snapshot began. */
  let grown = 0;
  /** How much a start would have to read, in documents. */
  let readings = 0;
  let demanded = false;
  let succeeded = true;
  let running: { readonly done: Promise<void>; readonly abort: AbortController } | undefined;

  /** If the snapshot fails, the journals still hold everything. The next attempt follows when they have grown as much again. */
  async function write(copy: Copy, sequence: number, signal: AbortSignal): Promise<void> {
    const before = readings;
    succeeded = false;
    try {
      const prepared = await prepareSnapshot({ ...options, sequence, signal, pace: unhurried }, copy);
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
    get running() {
      return running !== undefined;
    },
    demand() {
      demanded = true;
    },
    async settled() {
      await running?.done;
      return succeeded;
    },
    isDue(count) {
      if (running) return false;
      if (demanded) return true;
      return journalLimit === undefined
        ? grown >= shortJournal && readings >= mostReading * count()
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

/** The system's code of an error. The message would show paths. */
export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown';

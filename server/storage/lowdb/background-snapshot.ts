/** Decides when a snapshot is due, and writes the snapshot in the background. */
import type { Log } from '../../runtime/log.ts';
import { unhurried } from '../../runtime/breaks.ts';
import type { Pace } from '../../runtime/breaks.ts';
import { prepareSnapshot, removeSuperseded } from './snapshot.ts';
import type { SnapshotOptions } from './snapshot.ts';
import type { Copy } from '../transactions/tables.ts';

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
  /** Notes that there is no snapshot, and no commit. */
  none(): void;
  /** Makes a snapshot due at the next commit, if there are commits that no snapshot has. */
  cover(): void;
  /** Whether there are commits and no snapshot yet: the journal is the only copy of everything. */
  readonly lacksFirst: boolean;
  /** Writes the first snapshot at once, where somebody waits for it. A failure is in the log alone. */
  writeFirst(copy: Copy, sequence: number): Promise<void>;
  /** Begins a snapshot of the documents after commit `sequence`. The caller begins a new journal there. */
  begin(copy: Copy, sequence: number): void;
  /** Aborts the present snapshot. */
  end(): Promise<void>;
}

/** The time to read a commit without its documents, in documents. */
const commitWeight = 1.25;

/** How many times the number of present documents a start may have to read. */
const maxReading = 1.5;

/** The first snapshot is made after as much: a second copy of everything, however little that is. */
const first = { commits: 100, bytes: 256 * 1024 };

/** Below so many bytes of journal a snapshot is not worth its cost. */
const shortJournal = 16 * 1024 * 1024;

export interface BackgroundSnapshotOptions extends Omit<SnapshotOptions, 'sequence' | 'signal' | 'pace'> {
  readonly log: Log;
  /** Bytes of journal after which a snapshot is made; default: when it spares the next start a good part of its reading. */
  readonly journalLimit: number | undefined;
}

/**
 * New documents cost the same in a journal as in a snapshot, so after the first one only outdated content of the journals
 * makes a snapshot worthwhile.
 */
export function createBackgroundSnapshots(options: BackgroundSnapshotOptions): BackgroundSnapshots {
  const { log, journalLimit } = options;
  /** Bytes of journal since the last snapshot began. */
  let grown = 0;
  /** How much a start would have to read, in documents. */
  let readings = 0;
  let commits = 0;
  let exists = false;
  let demanded = false;
  let succeeded = true;
  let running: { readonly done: Promise<void>; readonly abort: AbortController } | undefined;

  /** If the snapshot fails, the journals still hold everything. The next attempt follows when they have grown as much again. */
  async function write(copy: Copy, sequence: number, signal: AbortSignal, pace?: Pace): Promise<void> {
    const before = readings;
    succeeded = false;
    try {
      const prepared = await prepareSnapshot({ ...options, sequence, signal, ...(pace && { pace }) }, copy);
      await prepared.publish();
      exists = true;
      readings += prepared.documents - before;
      await removeSuperseded(options);
      succeeded = true;
    } catch (error) {
      if (!signal.aborted) log({ level: 'warn', event: 'snapshot_failed', code: codeOf(error) });
    }
  }

  const lacksFirst = (): boolean => journalLimit === undefined && !exists && commits > 0;

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
      if (lacksFirst() && (commits >= first.commits || grown >= first.bytes)) return true;
      return journalLimit === undefined
        ? grown >= shortJournal && readings >= maxReading * count()
        : grown >= journalLimit;
    },
    cover() {
      if (journalLimit === undefined && commits > 0) demanded = true;
    },
    get lacksFirst() {
      return lacksFirst();
    },
    writeFirst: (copy, sequence) => write(copy, sequence, new AbortController().signal),
    grew(growth) {
      grown += growth.bytes;
      commits += growth.commits;
      readings += growth.documents + commitWeight * growth.commits;
    },
    made(documents) {
      exists = true;
      readings = documents;
      grown = commits = 0;
    },
    none() {
      exists = false;
      readings = grown = commits = 0;
    },
    begin(copy, sequence) {
      demanded = false;
      grown = commits = 0;
      const abort = new AbortController();
      const done = write(copy, sequence, abort.signal, unhurried).finally(() => (running = undefined));
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

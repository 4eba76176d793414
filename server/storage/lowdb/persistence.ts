/**
 * Makes commits durable: a journal takes each commit, and snapshots keep the journal short. frame.ts describes the files,
 * recovery.ts how they are read together.
 */
import type { Clock } from '../../../src/domain/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { nothingWritten, outcomeUnknown, storageUnavailable } from '../transactions/document-store.ts';
import { schemaAfter } from '../migrations.ts';
import type { Migration } from '../migrations.ts';
import { copyOf } from '../transactions/tables.ts';
import type { Change, Tables } from '../transactions/tables.ts';
import { createAcknowledged } from './acknowledged.ts';
import { codeOf, createBackgroundSnapshots } from './background-snapshot.ts';
import { setFormerFileAside } from './former-file.ts';
import { continueJournal, createJournal } from './journal.ts';
import type { Journal } from './journal.ts';
import { loadDirectory } from './loading.ts';
import { isDisplaced } from '../data-directory/place.ts';
import type { Place } from '../data-directory/place.ts';
import { proveRoom } from '../data-directory/private-files.ts';
import type { FileSystem } from '../data-directory/private-files.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';
import type { ScrubReport } from '../kinds.ts';
import { scrubFiles } from './scrub.ts';
import { prepareSnapshot, removeFormer, snapshotsKept } from './snapshot.ts';

export interface Persistence {
  /**
   * The stored documents; `null`: there are none. Rejects with AppError CONFIGURATION or DATA_DAMAGED if a file cannot be read
   * or is missing; the files stay unchanged then.
   */
  load(): Promise<Tables | null>;
  /**
   * Resolves once the commits are durable. The commits are in `tables` already. The tables go on changing, so `persist` reads
   * them before it first waits. If `persist` rejects, no later `load` may return any of the commits, except after AppError
   * OUTCOME_UNKNOWN.
   */
  persist(commits: readonly (readonly Change[])[], tables: Tables): Promise<void>;
  /** Writes all documents to fresh files, which replace all former files. */
  rewrite(tables: Tables): Promise<void>;
  /**
   * Deletes removed documents from the disk; `commit` makes a commit without changes. Rejects with AppError
   * STORAGE_UNAVAILABLE if the disk refuses.
   */
  compact(commit: () => Promise<void>): Promise<void>;
  /** Rejects while commits as large as the largest refused ones would be refused again; `commit` makes a commit without changes. */
  probe(commit: () => Promise<void>): Promise<void>;
  /** Compares all files with their checksums. Rejects with AppError INTERRUPTED once the signal is aborted. */
  scrub(signal: AbortSignal): Promise<ScrubReport>;
  close(): Promise<void>;
}

export interface PersistenceOptions {
  readonly directory: string;
  /** The place of the directory. While the directory is displaced no commit counts, and nothing is written or removed. */
  readonly place: Place;
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly sealing: Sealing | undefined;
  readonly log: Log;
  readonly migrations: readonly Migration[];
  /** Bytes of journal after which a snapshot is made; default: when it is worth its while. */
  readonly journalLimit: number | undefined;
}

const countOf = (tables: Tables): number => Object.values(tables).reduce((count, { size }) => count + size, 0);

/** Milliseconds between attempts to write again after a sync has failed. */
const attemptEvery = 1000;

export function createPersistence(options: PersistenceOptions): Persistence {
  const { directory, fs, clock, log, migrations } = options;
  const around = { ...options, schema: schemaAfter(migrations) };
  const snapshots = createBackgroundSnapshots(around);
  const acknowledged = createAcknowledged(fs, clock, directory);
  /** Made by the first commit after a start or a snapshot. */
  let journal: Journal | undefined;
  /** As they were loaded or written last. */
  let present: Tables | undefined;
  /** The sequence of the last commit. */
  let sequence = 0;
  /** The highest sequence that any file may have, refused commits included. */
  let highest = 0;
  /** The error that made the store read-only; `undefined`: the store is writable. */
  let trouble: unknown;
  let displaced = false;
  let nextAttempt = -Infinity;
  /** Bytes of the largest refused group, since the last success of that size. */
  let largestRefused = 0;

  function leaveJournal(): void {
    // All that counts in the journal is synced, and nothing more is written to it.
    void journal?.close().catch(() => undefined);
    journal = undefined;
  }

  function becomeReadOnly(error: unknown): void {
    if (trouble === undefined) log({ level: 'error', event: 'store_read_only', code: codeOf(error) });
    trouble = error;
    leaveJournal();
  }

  function noteDisplaced(now: boolean): void {
    if (now && !displaced) log({ level: 'error', event: 'data_directory_gone' });
    if (!now && displaced) log({ level: 'warn', event: 'data_directory_back' });
    displaced = now;
  }

  async function rewrite(tables: Tables): Promise<void> {
    const copy = copyOf(tables);
    await snapshots.end();
    // No commit has this sequence, so that no former file seems to lead up to the snapshot.
    const next = ++highest;
    const prepared = await prepareSnapshot({ ...around, sequence: next }, copy);
    try {
      await prepared.publish();
    } catch (error) {
      // The snapshot may be on disk, and would then count: no commit may be added to the former journal.
      becomeReadOnly(error);
      throw (await prepared.discard()) ? error : outcomeUnknown(error);
    }
    leaveJournal();
    sequence = next;
    await acknowledged.note(next);
    snapshots.made(prepared.documents);
    trouble = undefined;
    await removeFormer(options, next).catch(() => undefined);
  }

  async function tryAgain(tables: Tables): Promise<void> {
    if (clock.elapsed() < nextAttempt) throw trouble;
    nextAttempt = clock.elapsed() + attemptEvery;
    try {
      await rewrite(tables);
    } catch (error) {
      // The outcome of that attempt alone may not be known; the next one is refused before it writes anything.
      trouble = nothingWritten(error);
      throw error;
    }
    log({ level: 'warn', event: 'store_writable_again' });
  }

  async function write(commits: readonly (readonly Change[])[], tables: Tables): Promise<void> {
    if (trouble !== undefined) return tryAgain(tables);
    const copy = snapshots.isDue(() => countOf(tables)) ? copyOf(tables) : undefined;
    journal ??= await createJournal(around, sequence);
    const { size } = journal;
    const last = sequence + commits.length;
    try {
      await journal.append(commits, sequence + 1);
    } catch (error) {
      largestRefused = Math.max(largestRefused, journal.group);
      if (journal.broken) {
        highest = Math.max(highest, last);
        const { uncertain } = journal;
        becomeReadOnly(error);
        if (uncertain) throw outcomeUnknown(error);
      }
      throw error;
    }
    snapshots.grew({
      bytes: journal.size - size,
      commits: commits.length,
      documents: commits.reduce((count, changes) => count + changes.length, 0),
    });
    sequence = last;
    highest = Math.max(highest, last);
    if (journal.group >= largestRefused) largestRefused = 0;
    const noted = acknowledged.note(last);
    if (noted) await noted;
    if (!copy) return;
    leaveJournal();
    snapshots.begin(copy, sequence);
  }

  return {
    async load() {
      const loaded = await loadDirectory(around, migrations, log);
      if (!loaded) return null;
      sequence = highest = loaded.sequence;
      present = loaded.tables;
      if (loaded.hasSnapshot) snapshots.made(loaded.base);
      else snapshots.none();
      snapshots.grew(loaded.growth);
      if (loaded.outdated) await rewrite(loaded.tables);
      else if (loaded.last) journal = await continueJournal(around, loaded.last);
      if (loaded.hasPreviousFile) await setFormerFileAside(fs, directory);
      // Readers will see these commits, so they count as acknowledged.
      if (sequence > 0) await acknowledged.note(sequence);
      return loaded.tables;
    },
    async persist(commits, tables) {
      present = tables;
      try {
        await write(commits, tables);
        noteDisplaced(false);
      } catch (error) {
        noteDisplaced(isDisplaced(error));
        throw error;
      }
    },
    rewrite,
    async compact(commit) {
      // After as many new snapshots as are kept, no former snapshot is left.
      for (let made = 0; made < snapshotsKept; made++) {
        snapshots.demand();
        do {
          await commit();
          if (!(await snapshots.settled())) throw storageUnavailable();
        } while (snapshots.demanded);
      }
    },
    async probe(commit) {
      await commit();
      // An empty commit needs less room than the refused group did.
      await proveRoom(fs, directory, largestRefused);
      largestRefused = 0;
    },
    async scrub(signal) {
      const report = await scrubFiles({ ...around, signal, lastCommit: () => sequence });
      // New documents have a second copy after a day.
      snapshots.cover();
      return report;
    },
    async close() {
      await snapshots.end();
      if (present && snapshots.lacksFirst && trouble === undefined) {
        await snapshots.writeFirst(copyOf(present), sequence);
      }
      await journal?.close();
      await acknowledged.close();
    },
  };
}

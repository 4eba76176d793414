/**
 * Makes commits durable: a journal takes them as they come, snapshots keep it short. The files are described in
 * frame.ts, what they say together in recovery.ts.
 */
import type { Clock } from '../../../src/domain/clock.ts';
import type { Log } from '../../log.ts';
import { storageUnavailable } from '../document-store.ts';
import { schemaAfter } from '../migrations.ts';
import type { Migration } from '../migrations.ts';
import { copyOf } from '../tables.ts';
import type { Change, Tables } from '../tables.ts';
import { createAcknowledged } from './acknowledged.ts';
import { codeOf, createBackgroundSnapshots } from './background-snapshot.ts';
import { setFormerFileAside } from './former-file.ts';
import { continueJournal, createJournal } from './journal.ts';
import type { Journal } from './journal.ts';
import { loadDirectory } from './loading.ts';
import { isDisplaced } from '../../data-directory/place.ts';
import type { Place } from '../../data-directory/place.ts';
import { proveRoom } from '../../data-directory/private-files.ts';
import type { FileSystem } from '../../data-directory/private-files.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';
import { prepareSnapshot, removeFormer, snapshotsKept } from './snapshot.ts';

export interface Persistence {
  /**
   * What was kept, `null` where nothing was. AppError CONFIGURATION where it cannot be read, or where something is
   * missing; it stays as it is then.
   */
  load(): Promise<Tables | null>;
  /**
   * Resolves once the commits are durable. They are in `tables` already; those go on changing, so they have to be
   * read before this first waits. Where this rejects, none of the commits may ever be loaded.
   */
  persist(commits: readonly (readonly Change[])[], tables: Tables): Promise<void>;
  /** Makes all documents durable anew, in fresh files, instead of whatever was kept before. */
  rewrite(tables: Tables): Promise<void>;
  /**
   * Keeps nothing of what was removed before, with `commit` to make a commit without changes. Rejects with AppError
   * STORAGE_UNAVAILABLE where the disk refuses.
   */
  compact(commit: () => Promise<void>): Promise<void>;
  /** Rejects where commits like the last refused ones would be refused again, with `commit` to make one without changes. */
  probe(commit: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export interface PersistenceOptions {
  readonly directory: string;
  /** What has to be where it was for a commit to count, and for anything to be written or removed. */
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
  /** Of the last commit. */
  let sequence = 0;
  /** The highest that any file may have, be it of commits that were refused. */
  let highest = 0;
  /** Why it only reads, where it does. */
  let trouble: unknown;
  let displaced = false;
  let nextAttempt = -Infinity;
  /** Bytes of the largest group that was refused since one as large was written. */
  let wanted = 0;

  function leaveJournal(): void {
    // Nothing is written to it any more, and all that counts is synced.
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
    // A number that no commit has, so that nothing of before seems to lead up to it.
    const next = ++highest;
    const prepared = await prepareSnapshot({ ...around, sequence: next }, copy);
    try {
      await prepared.publish();
    } catch (error) {
      // It may be there, and then it counts: no commit may be added to what was before.
      becomeReadOnly(error);
      await prepared.discard();
      throw error;
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
      trouble = error;
      throw error;
    }
    log({ level: 'warn', event: 'store_writable_again' });
  }

  async function write(commits: readonly (readonly Change[])[], tables: Tables): Promise<void> {
    if (trouble !== undefined) return tryAgain(tables);
    const copy = snapshots.isDue(countOf(tables)) ? copyOf(tables) : undefined;
    journal ??= await createJournal(around, sequence);
    const { size } = journal;
    const last = sequence + commits.length;
    try {
      await journal.append(commits, sequence + 1);
    } catch (error) {
      wanted = Math.max(wanted, journal.group);
      if (journal.broken) {
        highest = Math.max(highest, last);
        becomeReadOnly(error);
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
    if (journal.group >= wanted) wanted = 0;
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
      snapshots.made(loaded.base);
      snapshots.grew(loaded.growth);
      if (loaded.outdated) await rewrite(loaded.tables);
      else if (loaded.last) journal = await continueJournal(around, loaded.last);
      if (loaded.former) await setFormerFileAside(fs, directory);
      // What is shown is as good as acknowledged.
      if (sequence > 0) await acknowledged.note(sequence);
      return loaded.tables;
    },
    async persist(commits, tables) {
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
      // With one more of them than before is kept, there is none of before.
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
      // What little room there is for that is no room for what was refused.
      await proveRoom(fs, directory, wanted);
      wanted = 0;
    },
    async close() {
      await snapshots.end();
      await journal?.close();
      await acknowledged.close();
    },
  };
}

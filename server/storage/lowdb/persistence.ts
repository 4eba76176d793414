/**
 * Makes commits durable: a journal takes each commit, and snapshots keep the journal short. frame.ts describes the files,
 * recovery.ts how they are read together.
 */
import type { Clock } from '../../../src/domain/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { storageUnavailable } from '../transactions/document-store.ts';
import { schemaAfter } from '../migrations.ts';
import { removeExpiredFormerFiles, removeFormerFiles } from './before-upgrade.ts';
import type { Migration } from '../migrations.ts';
import { copyOf } from '../transactions/tables.ts';
import type { Change, Tables } from '../transactions/tables.ts';
import { createAcknowledged } from './acknowledged.ts';
import { createBackgroundSnapshots } from './background-snapshot.ts';
import { CommitWriter } from './commit-writer.ts';
import { setFormerFileAside } from './former-file.ts';
import { loadDirectory } from './loading.ts';
import { isDisplaced } from '../data-directory/place.ts';
import type { Place } from '../data-directory/place.ts';
import type { FileSystem } from '../data-directory/private-files.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';
import type { ScrubReport } from '../kinds.ts';
import { scrubFiles } from './scrub.ts';
import { snapshotsKept } from './snapshot.ts';

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

export function createPersistence(options: PersistenceOptions): Persistence {
  const { directory, fs, clock, log, migrations } = options;
  const around = { ...options, schema: schemaAfter(migrations) };
  const snapshots = createBackgroundSnapshots(around);
  const acknowledged = createAcknowledged(fs, clock, directory);
  const writer = new CommitWriter({ ...around, snapshots, acknowledged });
  /** As they were loaded or written last. */
  let present: Tables | undefined;
  let displaced = false;

  function noteDisplaced(now: boolean): void {
    if (now && !displaced) log({ level: 'error', event: 'data_directory_gone' });
    if (!now && displaced) log({ level: 'warn', event: 'data_directory_back' });
    displaced = now;
  }

  return {
    async load() {
      const loaded = await loadDirectory(around, migrations, log);
      if (!loaded) return null;
      present = loaded.tables;
      if (loaded.hasSnapshot) snapshots.made(loaded.base);
      else snapshots.none();
      snapshots.grew(loaded.growth);
      await writer.resume(loaded);
      if (loaded.hasPreviousFile) await setFormerFileAside(fs, directory);
      // Readers will see these commits, so they count as acknowledged.
      if (writer.sequence > 0) await acknowledged.note(writer.sequence);
      return loaded.tables;
    },
    async persist(commits, tables) {
      present = tables;
      try {
        await writer.write(commits, tables);
        noteDisplaced(false);
      } catch (error) {
        noteDisplaced(isDisplaced(error));
        throw error;
      }
    },
    rewrite: (tables) => writer.rewrite(tables),
    async compact(commit) {
      // After as many new snapshots as are kept, no former snapshot is left.
      for (let made = 0; made < snapshotsKept; made++) {
        snapshots.demand();
        do {
          await commit();
          if (!(await snapshots.settled())) throw storageUnavailable();
        } while (snapshots.demanded);
      }
      await removeFormerFiles(directory);
    },
    async probe(commit) {
      await commit();
      // An empty commit needs less room than the refused group did.
      await writer.proveRoom();
    },
    async scrub(signal) {
      const report = await scrubFiles({ ...around, signal, lastCommit: () => writer.sequence });
      // New documents have a second copy after a day.
      snapshots.cover();
      await removeExpiredFormerFiles(fs, directory, clock.now());
      return report;
    },
    async close() {
      await snapshots.end();
      if (present && snapshots.lacksFirst && !writer.isReadOnly) {
        await snapshots.writeFirst(copyOf(present), writer.sequence);
      }
      await writer.close();
      await acknowledged.close();
    },
  };
}

/** The embedded document store: lowdb owns the documents, in a data directory that one process has locked. */
import { Low } from 'lowdb';
import { machineClockOf } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { systemClock } from '../../../src/node/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { CeilingOptions } from '../ceiling.ts';
import { createDocumentStore } from '../transactions/document-store.ts';
import type { ScrubReport } from '../kinds.ts';
import type { Store } from '../store.ts';
import { createTables, revertChanges } from '../transactions/tables.ts';
import type { Change, Tables } from '../transactions/tables.ts';
import { removeImported } from './former-file.ts';
import { createGroupCommit } from './group-commit.ts';
import { migrations } from '../migrations.ts';
import type { Migration } from '../migrations.ts';
import { createPersistence } from './persistence.ts';
import type { Persistence } from './persistence.ts';
import { nodeFileSystem, unusable } from '../data-directory/private-files.ts';
import type { FileSystem } from '../data-directory/private-files.ts';
import type { DataDirectory } from '../data-directory/data-directory.ts';

export interface LowdbStoreOptions {
  /** If the directory has an encryption, the store encrypts all new and all present files; otherwise its files are plain. */
  readonly directory: Pick<DataDirectory, 'path' | 'place' | 'encryption'>;
  readonly fs?: FileSystem;
  /** Commits are numbered by it. Default: the machine's own. */
  readonly clock?: Clock;
  /** Gets events for the operator. Default: none. */
  readonly log?: Log;
  /** Default: those of this version. */
  readonly migrations?: readonly Migration[];
  /** Bytes of memory that the store may use; default: the memory of the machine or the container. */
  readonly memory?: number | undefined;
  /** Bytes of journal after which a snapshot is made; default: soon once, and then when it is worth its while. */
  readonly journalLimit?: number | undefined;
}

export interface LowdbStore extends Store {
  /** As in `OpenedDocuments`. */
  scrub(signal: AbortSignal): Promise<ScrubReport>;
}

/**
 * Rejects with AppError CONFIGURATION if the directory cannot be used or a newer version wrote its data, and with DATA_DAMAGED
 * if the data is damaged.
 */
export async function openLowdbStore({
  directory,
  fs = nodeFileSystem,
  clock = systemClock,
  log = () => {},
  memory,
  ...options
}: LowdbStoreOptions): Promise<LowdbStore> {
  const { path, place } = directory;
  const sealing = directory.encryption?.sealing;
  const files = createPersistence({
    directory: path,
    place,
    fs,
    clock: machineClockOf(clock),
    sealing,
    log,
    migrations: options.migrations ?? migrations,
    journalLimit: options.journalLimit,
  });
  try {
    const store = await openOver(files, { memory, clock, log });
    if (sealing) await removeImported(fs, path);
    return {
      ...store,
      scrub: (signal) => files.scrub(signal),
      async close() {
        await store.close();
        await files.close();
      },
    };
  } catch (error) {
    await files.close().catch(() => undefined);
    throw unusable(error);
  }
}

async function openOver(persistence: Persistence, options: CeilingOptions): Promise<Store> {
  let commits: readonly (readonly Change[])[] = [];
  const low = new Low<Tables>(
    { read: () => persistence.load(), write: (tables) => persistence.persist(commits, tables) },
    createTables(),
  );
  await low.read();
  const tables = low.data;
  const log = createGroupCommit({
    write(next) {
      commits = next;
      return low.write();
    },
    isPackedEnough: true,
    replace: (fresh) => persistence.rewrite(fresh),
    compact: (commit) => persistence.compact(commit),
    probe: (commit) => persistence.probe(commit),
    undo: (changes, previous) => revertChanges(tables, changes, previous),
  });
  return createDocumentStore('lowdb', tables, log, options);
}

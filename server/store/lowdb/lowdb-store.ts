/** The embedded store: lowdb owns the documents, one process owns the data directory. */
import { Low } from 'lowdb';
import type { Clock } from '../../../src/domain/clock.ts';
import { systemClock } from '../../../src/node/clock.ts';
import type { Log } from '../../log.ts';
import type { CeilingOptions } from '../ceiling.ts';
import { createDocumentStore } from '../document-store.ts';
import type { Store } from '../store.ts';
import { createTables, revertChanges } from '../tables.ts';
import type { Change, Tables } from '../tables.ts';
import { removeImported } from './former-file.ts';
import { createGroupCommit } from './group-commit.ts';
import { takeLock } from '../../data-directory/lock.ts';
import type { Lock } from '../../data-directory/lock.ts';
import { migrations } from '../migrations.ts';
import type { Migration } from '../migrations.ts';
import { createPersistence } from './persistence.ts';
import type { Persistence } from './persistence.ts';
import { makePrivateDirectory, nodeFileSystem, unusable } from '../../data-directory/private-files.ts';
import type { FileSystem } from '../../data-directory/private-files.ts';
import { tighten } from '../../data-directory/tighten.ts';
import type { Sealing } from '../../../src/node/sealing.ts';

export interface LowdbStoreOptions {
  /** The data directory; made where it is missing. */
  readonly directory: string;
  readonly fs?: FileSystem;
  /** Default: the machine's own. */
  readonly clock?: Clock;
  /** Asked once the directory is ours. Encrypts all that is written, and what is there already; else files are plain. */
  readonly sealing?: () => Promise<Sealing | undefined>;
  /** Told what the operator should know. Default: says nothing. */
  readonly log?: Log;
  /** Default: those of this version. */
  readonly migrations?: readonly Migration[];
  /** Bytes of memory that it may take; default: what the machine, or the container, has. */
  readonly memory?: number | undefined;
  /** Bytes of journal after which a snapshot is made; default: when it is worth its while. */
  readonly journalLimit?: number;
}

/**
 * Rejects with AppError CONFIGURATION where another process has the directory, where it cannot be used, or where
 * its data is damaged or was written by a newer version.
 */
export async function openLowdbStore({
  directory,
  fs = nodeFileSystem,
  clock = systemClock,
  log = () => {},
  memory,
  ...options
}: LowdbStoreOptions): Promise<Store> {
  let lock: Lock | undefined;
  let persistence: Persistence | undefined;
  try {
    await makePrivateDirectory(fs, directory);
    lock = await takeLock(directory, fs);
    const { place, release } = lock;
    await tighten(fs, directory, log);
    const sealing = await options.sealing?.();
    const files = createPersistence({
      directory,
      place,
      fs,
      clock,
      sealing,
      log,
      migrations: options.migrations ?? migrations,
      journalLimit: options.journalLimit,
    });
    persistence = files;
    const store = await openOver(files, { memory, clock, log });
    if (sealing) await removeImported(fs, directory);
    return {
      ...store,
      async close() {
        try {
          await store.close();
          await files.close();
        } finally {
          await release();
        }
      },
    };
  } catch (error) {
    await persistence?.close().catch(() => undefined);
    await lock?.release();
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
    replace: (fresh) => persistence.rewrite(fresh),
    compact: (commit) => persistence.compact(commit),
    probe: (commit) => persistence.probe(commit),
    undo: (changes, former) => revertChanges(tables, changes, former),
  });
  return createDocumentStore('lowdb', tables, log, options);
}

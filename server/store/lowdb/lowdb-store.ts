/** The embedded store: lowdb owns the documents, one process owns the data directory. */
import { Low } from 'lowdb';
import { createDocumentStore } from '../document-store.ts';
import type { Store } from '../store.ts';
import { applyChanges, createTables } from '../tables.ts';
import type { Change } from '../tables.ts';
import { createGroupCommit } from './group-commit.ts';
import { createJsonFile } from './json-file.ts';
import { takeLock } from './lock.ts';
import { makePrivateDirectory, nodeFileSystem, unusable } from './private-files.ts';
import type { FileSystem } from './private-files.ts';
import { emptyState } from './state.ts';
import type { State } from './state.ts';

export interface LowdbStoreOptions {
  /** The data directory; made where it is missing. */
  readonly directory: string;
  readonly fs?: FileSystem;
}

/**
 * Rejects with AppError CONFIGURATION where another process has the directory, where it cannot be used, or where
 * its data is damaged or was written by a newer version.
 */
export async function openLowdbStore({ directory, fs = nodeFileSystem }: LowdbStoreOptions): Promise<Store> {
  let release = async (): Promise<void> => {};
  try {
    await makePrivateDirectory(fs, directory);
    release = await takeLock(directory, fs);
    const persistence = createJsonFile(directory, fs);
    let changes: readonly Change[] = [];
    const low = new Low<State>(
      { read: () => persistence.load(), write: (state) => persistence.persist(changes, state) },
      emptyState(),
    );
    await low.read();
    const tables = createTables(low.data.collections);
    const log = createGroupCommit({
      write: (next) => {
        changes = next;
        return low.write();
      },
      undo: (undo) => applyChanges(tables, undo),
    });
    const store = createDocumentStore('lowdb', tables, log);
    return {
      ...store,
      async close() {
        try {
          await store.close();
          await persistence.close();
        } finally {
          await release();
        }
      },
    };
  } catch (error) {
    await release();
    throw unusable(error);
  }
}

/** Every store there is. A further one is a file and a line here; the shared suite then covers it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BlobStore } from './blobs.ts';
import type { Store } from './store.ts';

export interface OpenedStore {
  readonly store: Store;
  readonly blobs: BlobStore;
  /** Ends both; what is under way is finished first. */
  close(): Promise<void>;
}

/** Opens the store kept in the data directory. Rejects with AppError CONFIGURATION where that is not usable. */
export type StoreOpener = (options: { readonly directory: string }) => Promise<OpenedStore>;

export const stores = {
  /** Documents in one file, audio beside it. */
  async lowdb({ directory }) {
    const [{ openLowdbStore }, { createFileBlobs }] = await Promise.all([
      import('./lowdb/lowdb-store.ts'),
      import('./lowdb/blobs.ts'),
    ]);
    const store = await openLowdbStore({ directory });
    try {
      // Only once the directory is ours: this removes files that nobody finished.
      const blobs = await createFileBlobs(join(directory, 'audio'));
      return { store, blobs, close: () => store.close() };
    } catch (error) {
      await store.close();
      throw error;
    }
  },
  /** Leaves the data directory alone. Audio goes to a temporary directory. */
  async memory() {
    const [{ createMemoryStore }, { createFileBlobs }] = await Promise.all([
      import('./memory.ts'),
      import('./lowdb/blobs.ts'),
    ]);
    const store = createMemoryStore();
    const directory = await mkdtemp(join(tmpdir(), 'laudio-'));
    const blobs = await createFileBlobs(directory);
    return {
      store,
      blobs,
      async close() {
        await store.close();
        await rm(directory, { recursive: true, force: true });
      },
    };
  },
} as const satisfies Record<string, StoreOpener>;

export type StoreName = keyof typeof stores;

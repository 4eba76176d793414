/** Every store there is. A further one is a file and a line here; the shared suite then covers it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/domain/clock.ts';
import type { Log } from '../log.ts';
import type { BlobStore } from './blobs.ts';
import type { CheckReport, RepairReport, StoreUsage } from './condition.ts';
import type { Encryption, KeyOptions } from './encryption.ts';
import type { Store } from './store.ts';

export interface OpenedStore {
  readonly store: Store;
  readonly blobs: BlobStore;
  /** How what is kept is encrypted; `undefined`: not at all. */
  readonly encryption: Encryption | undefined;
  usage(): Promise<StoreUsage>;
  /** Ends both; what is under way is finished first. */
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly directory: string;
  /** Default: the machine's own. */
  readonly clock?: Clock;
  /** Told what the operator should know. Default: says nothing. */
  readonly log?: Log;
  /** Bytes of memory that it may take; default: what the machine, or the container, has. */
  readonly memory?: number | undefined;
  /** Whether it is to be encrypted, and how its key is had; default: not, and not at all. */
  readonly key?: KeyOptions;
}

/** Opens the store kept in the data directory. Rejects with AppError CONFIGURATION where that is not usable. */
export type StoreOpener = (options: StoreOptions) => Promise<OpenedStore>;

export const stores = {
  /** Documents in a journal and snapshots, audio beside them. */
  async lowdb({ directory, key = {}, ...options }) {
    const [{ openLowdbStore }, { createFileBlobs }, { openEncryption }, { usageOf }] = await Promise.all([
      import('./lowdb/lowdb-store.ts'),
      import('./lowdb/blobs.ts'),
      import('./lowdb/keys.ts'),
      import('./lowdb/usage.ts'),
    ]);
    let encryption: Encryption | undefined;
    const store = await openLowdbStore({
      ...options,
      directory,
      sealing: async () => (encryption = await openEncryption(directory, key))?.sealing,
    });
    try {
      // Only once the directory is ours: this removes files that nobody finished.
      const blobs = await createFileBlobs(join(directory, 'audio'), { sealing: encryption?.sealing, log: options.log });
      return { store, blobs, encryption, usage: () => usageOf(directory), close: () => store.close() };
    } catch (error) {
      await store.close();
      throw error;
    }
  },
  /** Leaves the data directory alone. Audio goes to a temporary directory. */
  async memory(options) {
    const [{ createMemoryStore }, { createFileBlobs }] = await Promise.all([
      import('./memory.ts'),
      import('./lowdb/blobs.ts'),
    ]);
    const store = createMemoryStore(options);
    const directory = await mkdtemp(join(tmpdir(), 'laudio-'));
    const blobs = await createFileBlobs(directory);
    return {
      store,
      blobs,
      encryption: undefined,
      usage: async () => ({ documents_bytes: 0, audio_files: 0, audio_bytes: 0, last_snapshot_at: null }),
      async close() {
        await store.close();
        await rm(directory, { recursive: true, force: true });
      },
    };
  },
} as const satisfies Record<string, StoreOpener>;

export type StoreName = keyof typeof stores;

/** How the key of an encrypted directory is had. */
type CareOptions = { readonly directory: string; readonly key?: Omit<KeyOptions, 'encrypt'> };

/** Looks at the data directory of the embedded store, which may be in use. AppError CONFIGURATION where it cannot be read. */
export async function checkDirectory({ directory, key = {} }: CareOptions): Promise<CheckReport> {
  const [care, keys] = await Promise.all([import('./lowdb/check.ts'), import('./lowdb/keys.ts')]);
  return care.checkDirectory({
    directory,
    sealing: async () => (await keys.openEncryption(directory, { ...key, encrypt: undefined }))?.sealing,
  });
}

/** Keeps what can be read of a directory that does not open. AppError CONFIGURATION where it is in use, or has no key. */
export async function repairDirectory({ directory, key = {} }: CareOptions): Promise<RepairReport> {
  const [care, keys] = await Promise.all([import('./lowdb/repair.ts'), import('./lowdb/keys.ts')]);
  return care.repairDirectory({
    directory,
    sealing: async () => (await keys.openEncryption(directory, { ...key, encrypt: undefined }))?.sealing,
  });
}

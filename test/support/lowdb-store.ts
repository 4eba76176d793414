/** The embedded store by itself, over a directory with a file system and a key of the test's own. */
import { join } from 'node:path';
import { openDataDirectory, takeDataDirectory } from '../../server/storage/data-directory/data-directory.ts';
import type { FileSystem } from '../../server/storage/data-directory/private-files.ts';
import { openBlobs } from '../../server/storage/blobs/blobs.ts';
import type { Blobs, BlobsOptions } from '../../server/storage/blobs/blobs.ts';
import { checkStores } from '../../server/storage/check.ts';
import type { CheckReport, RepairReport } from '../../server/storage/condition.ts';
import { lookIntoFiles, openFileBlobs } from '../../server/storage/files/file-blobs.ts';
import { audioNamedIn, checkDocuments } from '../../server/storage/lowdb/check.ts';
import { openLowdbStore as openIn } from '../../server/storage/lowdb/lowdb-store.ts';
import type { LowdbStore, LowdbStoreOptions as OptionsIn } from '../../server/storage/lowdb/lowdb-store.ts';
import { repairDocuments } from '../../server/storage/lowdb/repair.ts';
import type { Migration } from '../../server/storage/migrations.ts';
import { blobStores, documentStores } from '../../server/storage/registry.ts';
import type { Sealing } from '../../src/node/files/sealing.ts';

interface Directory {
  readonly directory: string;
  readonly fs?: FileSystem;
  /** Asked once the directory is ours. */
  readonly sealing?: () => Promise<Sealing | undefined>;
}

export interface LowdbStoreOptions extends Directory, Omit<OptionsIn, 'directory' | 'fs'> {}

const encryptionOf = (sealing: Directory['sealing']) => async () => {
  const made = await sealing?.();
  return made && { place: 'keychain' as const, sealing: made };
};

/**
 * Closing it lets others have the directory. Default: no snapshot but those that the test asks for; with a `journalLimit` of
 * `undefined` they are made as a server makes them.
 */
export async function openLowdbStore({ directory: path, sealing, ...options }: LowdbStoreOptions): Promise<LowdbStore> {
  const directory = await openDataDirectory(path, {
    fs: options.fs,
    contents: [...Object.values(documentStores), ...Object.values(blobStores)].flatMap((kind) =>
      'contents' in kind ? (kind.contents ?? []) : [],
    ),
    encryption: encryptionOf(sealing),
    log: options.log ?? (() => {}),
  });
  try {
    const store = await openIn({ journalLimit: Infinity, ...options, directory });
    return { ...store, close: () => store.close().finally(directory.close) };
  } catch (error) {
    await directory.close();
    throw error;
  }
}

interface CareOptions extends Directory {
  readonly migrations?: readonly Migration[];
}

export async function checkDirectory({ directory, sealing: ask, ...options }: CareOptions): Promise<CheckReport> {
  const sealing = await ask?.();
  return checkStores({
    check: () => checkDocuments(directory, { ...options, sealing }),
    namedAudio: () => audioNamedIn(directory, { ...options, sealing }),
    blobs: lookIntoFiles(join(directory, 'audio'), options.fs),
    sealing,
  });
}

export async function repairDirectory({ directory: path, sealing, ...options }: CareOptions): Promise<RepairReport> {
  const directory = await takeDataDirectory(path, { fs: options.fs, encryption: encryptionOf(sealing) });
  return repairDocuments(directory, options).finally(directory.close);
}

export const createFileBlobs = async (
  directory: string,
  { fs, ...options }: BlobsOptions & { readonly fs?: FileSystem } = {},
): Promise<Blobs> => openBlobs(await openFileBlobs(directory, fs), options);

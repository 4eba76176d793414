/** The directory of this computer in which one server keeps its files: its stores, the app's desks, its key. */
import type { Log } from '../../runtime/log.ts';
import type { DirectoryContents } from './contents.ts';
import type { Encryption } from './encryption.ts';
import { takeLock } from './lock.ts';
import type { Lock } from './lock.ts';
import type { Place } from './place.ts';
import { makePrivateDirectory, nodeFileSystem, unusable } from './private-files.ts';
import type { FileSystem } from './private-files.ts';
import { tighten } from './tighten.ts';

export interface DataDirectory {
  readonly path: string;
  /** The directory is where it was as long as its lock is. */
  readonly place: Place;
  /** The encryption of the directory; `undefined`: its files are plain. */
  readonly encryption: Encryption | undefined;
  /** Releases the directory for other processes. */
  close(): Promise<void>;
}

export interface DataDirectoryOptions {
  readonly fs?: FileSystem | undefined;
  /** The files that may lie in the directory. */
  readonly contents: readonly DirectoryContents[];
  /** Opens the key of the directory. Called once this process has the directory. */
  readonly encryption: () => Promise<Encryption | undefined>;
  readonly log: Log;
}

/**
 * Takes the directory for this process, makes a missing directory, and makes the directory private. Rejects with AppError
 * CONFIGURATION if another process has the directory, or if the directory cannot be used.
 */
export function openDataDirectory(
  path: string,
  { log, contents, ...options }: DataDirectoryOptions,
): Promise<DataDirectory> {
  const { fs = nodeFileSystem } = options;
  return take(path, options, {
    before: () => makePrivateDirectory(fs, path),
    after: () => tighten(fs, path, { log, contents }),
  });
}

/** Takes an existing directory, and changes nothing in it. Rejects as `openDataDirectory`. */
export const takeDataDirectory = (
  path: string,
  options: Pick<DataDirectoryOptions, 'fs' | 'encryption'>,
): Promise<DataDirectory> => take(path, options);

async function take(
  path: string,
  { fs = nodeFileSystem, encryption }: Pick<DataDirectoryOptions, 'fs' | 'encryption'>,
  preparing?: { before(): Promise<void>; after(): Promise<void> },
): Promise<DataDirectory> {
  let lock: Lock | undefined;
  try {
    await preparing?.before();
    lock = await takeLock(path, fs);
    await preparing?.after();
    const { place, release } = lock;
    return { path, place, encryption: await encryption(), close: release };
  } catch (error) {
    await lock?.release();
    throw unusable(error);
  }
}

/** The directory of this computer in which one server keeps its files: its stores, the app's desks, its key. */
import type { Log } from '../log.ts';
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
  /** How what is kept in it is encrypted; `undefined`: not at all. */
  readonly encryption: Encryption | undefined;
  /** Lets others have it. */
  close(): Promise<void>;
}

export interface DataDirectoryOptions {
  readonly fs?: FileSystem | undefined;
  /** What may lie in it. */
  readonly contents: readonly DirectoryContents[];
  /** Opens its key; asked once the directory is ours. */
  readonly encryption: () => Promise<Encryption | undefined>;
  readonly log: Log;
}

/**
 * Takes the directory for this process: makes it where it is missing, and makes it private. Rejects with AppError CONFIGURATION
 * where another process has it, or where it cannot be used.
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

/** Takes a directory that is there, and changes nothing of it. Rejects as `openDataDirectory`. */
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

/** Writes files that only their owner can read (0600, in directories of 0700). A file is complete and durable before it has its name. */
import { randomBytes } from 'node:crypto';
import { fdatasync, statSync, write } from 'node:fs';
import type { Stats } from 'node:fs';
import * as promises from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError, isStorageFailure } from '../../../src/contract/errors.ts';
import { makeDirectories } from '../../../src/node/files/private-file.ts';
import { syncDirectory } from '../../../src/node/files/replace-file.ts';
import { explain, isSystemError, ofFile } from '../../../src/node/system-error.ts';
import { syncHandle, syncHandleData } from '../../../src/node/files/sync-handle.ts';

/** The calls of `node:fs/promises` that the stores use. They are an argument, so that tests can let any of them fail. */
export interface FileSystem extends Pick<
  typeof promises,
  'chmod' | 'link' | 'mkdir' | 'open' | 'readFile' | 'readdir' | 'rename' | 'stat' | 'unlink'
> {
  /** `stat`, at once: the system knows without a disk where an open file is. */
  statNow(path: string): Stats;
  /**
   * `handle.write` and `handle.datasync`, which take a third more time for their own bookkeeping: each commit waits for these calls. A
   * disk may hang for seconds in either, so that neither is ever made on the main thread. Gives the number of bytes.
   */
  writeData(handle: FileHandle, bytes: Uint8Array, from: number, length: number, position: number): Promise<number>;
  syncData(handle: FileHandle): Promise<void>;
}

export const nodeFileSystem: FileSystem = {
  ...promises,
  statNow: (path) => statSync(path),
  writeData: ({ fd }, bytes, from, length, position) =>
    new Promise((resolve, reject) =>
      write(fd, bytes, from, length, position, (error, written) => (error ? reject(error) : resolve(written))),
    ),
  syncData: ({ fd }) => new Promise((resolve, reject) => fdatasync(fd, (error) => (error ? reject(error) : resolve()))),
};

export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(error.code as string);

/** Throws the error, unless it says that there is no such file. */
export function unlessMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error;
}

/** The AppError CONFIGURATION for an error that kept the data directory from being opened. The system's own message would show paths. */
export function unusable(error: unknown): AppError {
  const isRefusal = isStorageFailure(error);
  if (error instanceof AppError && !isRefusal) return error;
  const cause = isRefusal ? (error.cause ?? error) : error;
  if (isSystemError(cause)) {
    const { message, hint } = explain(cause);
    return new AppError('CONFIGURATION', { message: `The data directory cannot be used: ${message}`, hint, cause });
  }
  return new AppError('CONFIGURATION', {
    message: `The data directory cannot be used (${(cause as NodeJS.ErrnoException)?.code ?? 'unknown reason'}).`,
    hint: 'Check its permissions and the space on its disk; its file system has to know hard links.',
    cause,
  });
}

/** The error for a disk that refuses a write which the start needs. */
export function takesNothing({ cause }: AppError): AppError {
  const { message, hint } = isSystemError(cause) ? explain(cause) : { message: '', hint: 'Check its disk.' };
  return new AppError('CONFIGURATION', {
    message: `The data directory takes no changes. ${message}`.trim(),
    hint,
    cause,
  });
}

/** Makes the directory durably if it is missing. An existing directory keeps its permissions (see tighten.ts). */
export const makePrivateDirectory = (fs: FileSystem, directory: string): Promise<void> =>
  makeDirectories(resolve(directory), async (level) => {
    await fs.mkdir(level, { mode: 0o700 });
    // The umask cut `mode`.
    await fs.chmod(level, 0o700);
    // Without a sync of the parent, the new name would be gone after a power failure.
    await syncDirectory(dirname(level), fs);
  });

/** A name in the directory of `path` that nobody else uses. */
export const temporaryBeside = (path: string): string =>
  join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`);

/** Removes temporary files that a crash left, of files whose names begin with `prefix`. */
export async function removeTemporaries(fs: FileSystem, directory: string, prefix: string): Promise<void> {
  for (const name of await fs.readdir(directory)) {
    if (name.startsWith(`.${prefix}`) && /\.[0-9a-f]{16}\.tmp$/.test(name)) await discard(fs, join(directory, name));
  }
}

/**
 * A new file in the directory to write and to read, gone when it is closed, or with the process. Where the system does not
 * release the name of an open file, the next start removes it with the temporaries of `prefix`.
 */
export async function openNameless(fs: FileSystem, directory: string, prefix: string): Promise<FileHandle> {
  const path = temporaryBeside(join(directory, prefix));
  const handle = await fs.open(path, 'wx+', 0o600);
  await discard(fs, path);
  return handle;
}

/** Bytes that are tried at most. No write is larger. */
const maxRoom = 16 * 1024 * 1024;

/** Rejects if the directory has no room for so many bytes. The bytes do not stay. */
export async function proveRoom(fs: FileSystem, directory: string, bytes: number): Promise<void> {
  if (bytes === 0) return;
  const handle = await openNameless(fs, directory, 'snapshot-room');
  try {
    await handle.writeFile(Buffer.alloc(Math.min(bytes, maxRoom)));
    await syncHandleData(handle);
  } finally {
    await handle.close();
  }
}

/** Removes the file if possible. The next start removes a temporary file that stayed. */
export const discard = (fs: FileSystem, path: string): Promise<void> => fs.unlink(path).catch(() => undefined);

/**
 * Creates the file at `path`, which must be free, lets `fill` write it, and syncs it. Where anything fails the file is
 * gone and the error is thrown on.
 */
export async function createPrivateFile<T>(
  fs: FileSystem,
  path: string,
  fill: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  const handle = await fs.open(path, 'wx', 0o600);
  try {
    let result: T;
    try {
      await handle.chmod(0o600);
      result = await fill(handle);
      await syncHandle(handle);
    } finally {
      await handle.close();
    }
    return result;
  } catch (error) {
    await discard(fs, path);
    throw ofFile(path, error);
  }
}

/** Gives `path` a second, still free name. `false` where that name is taken, or where there is nothing at `path`. */
export async function linked(fs: FileSystem, path: string, name: string): Promise<boolean> {
  try {
    await fs.link(path, name);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST', 'ENOENT')) return false;
    throw error;
  }
}

/**
 * Replaces the file at `path`: durably, or not at all. After an error the former file is there again, even if the
 * error came when the new one already had its name.
 */
export async function replacePrivateFile(fs: FileSystem, path: string, content: string): Promise<void> {
  const temporary = temporaryBeside(path);
  const previous = temporaryBeside(path);
  await createPrivateFile(fs, temporary, (handle) => handle.writeFile(content));
  let replaced = false;
  let kept = false;
  try {
    kept = await linked(fs, path, previous);
    await fs.rename(temporary, path);
    replaced = true;
    await syncDirectory(dirname(path), fs);
  } catch (error) {
    if (!replaced) await discard(fs, temporary);
    else await (kept ? fs.rename(previous, path).catch(() => undefined) : discard(fs, path));
    if (kept) await discard(fs, previous);
    throw error;
  }
  if (kept) await discard(fs, previous);
}

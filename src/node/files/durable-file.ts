/** A file that only grows. Every byte is on disk before it counts. */
import { constants, open as openFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { isFullDisk } from '../system-error.ts';
import { createOrder } from '../../domain/in-order.ts';
import { noteChange } from './file-changes.ts';
import { syncDirectory } from './replace-file.ts';
import { syncHandle, syncHandleData } from './sync-handle.ts';

/** Opens files; an argument, so that tests can let any write fail. */
export type OpenFile = (path: string, flags: string | number, mode?: number) => Promise<FileHandle>;

export interface DurableFile {
  /** Bytes that are on disk. */
  readonly size: number;
  /**
   * Resolves when the bytes are on disk; calls are served in order. STORAGE_UNAVAILABLE if they are not: the file then
   * keeps its previous end.
   */
  append(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** STORAGE_UNAVAILABLE in words that a person can act on; the system's message would name a path. */
export function storageFailure(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const { code } = Object(cause) as { code?: unknown };
  return isFullDisk(cause)
    ? new AppError('STORAGE_UNAVAILABLE', {
        message: 'The disk of this computer is full.',
        hint: 'Make room and try again; what was kept until now is safe.',
        cause,
      })
    : new AppError('STORAGE_UNAVAILABLE', {
        message: `The disk of this computer does not take data (${typeof code === 'string' ? code : 'unknown reason'}).`,
        cause,
      });
}

const openExisting = constants.O_RDWR | constants.O_CREAT;

/** Opens the file, 0600, or creates it. `size` takes the file's length and returns the length to keep. */
export async function openDurableFile(
  path: string,
  { size: cut = (length) => length, open = openFile }: { size?: (length: number) => number; open?: OpenFile } = {},
): Promise<DurableFile> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, openExisting, 0o600);
    await handle.chmod(0o600);
    const { size: length } = await handle.stat();
    const size = cut(length);
    if (size < length) await handle.truncate(size);
    await syncHandle(handle);
    await syncDirectory(dirname(path));
    noteChange({ kind: 'resized', path, size });
    return durableFile(handle, path, size);
  } catch (error) {
    await handle?.close();
    throw storageFailure(error);
  }
}

function durableFile(handle: FileHandle, path: string, start: number): DurableFile {
  let size = start;
  /** After a failed sync the content on disk is unknown, so the file accepts no more writes. */
  let broken: AppError | undefined;
  const inOrder = createOrder();

  async function write(bytes: Uint8Array): Promise<void> {
    if (broken) throw broken;
    try {
      for (let written = 0; written < bytes.length;) {
        written += (await handle.write(bytes, written, bytes.length - written, size + written)).bytesWritten;
      }
    } catch (error) {
      const failure = storageFailure(error);
      await handle.truncate(size).catch(() => (broken = failure));
      throw failure;
    }
    try {
      await syncHandleData(handle);
      await requireThere(size + bytes.length);
    } catch (error) {
      throw (broken = storageFailure(error));
    }
    size += bytes.length;
    noteChange({ kind: 'resized', path, size });
  }

  /** A deleted file accepts writes without an error, and so does a disk that lies. */
  async function requireThere(length: number): Promise<void> {
    const { nlink, size: actual } = await handle.stat();
    if (nlink > 0 && actual === length) return;
    throw new AppError('STORAGE_UNAVAILABLE', {
      message: nlink > 0 ? 'The disk of this computer has lost data.' : 'The directory of the data was removed.',
      hint: 'Start Laudio again; what was kept elsewhere is safe.',
    });
  }

  return {
    get size() {
      return size;
    },
    append: (bytes) => inOrder(() => write(bytes)),
    close: () => inOrder(() => handle.close()),
  };
}

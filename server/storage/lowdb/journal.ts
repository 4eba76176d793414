/** An append-only journal: each group of commits is one write and one fdatasync. */
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Change } from '../transactions/tables.ts';
import { createContentWriter } from './content.ts';
import { formatName } from './data-files.ts';
import { createFrameBuffer, encodeHeader, newHeader } from './frame.ts';
import type { FrameBuffer, Header } from './frame.ts';
import { discardDataFile, writeBeside } from './header-copies.ts';
import { foundAt, rememberPlace } from '../data-directory/place.ts';
import type { Place } from '../data-directory/place.ts';
import { unlessMissing } from '../data-directory/private-files.ts';
import type { FileSystem } from '../data-directory/private-files.ts';
import { syncDirectory } from '../../../src/node/files/replace-file.ts';
import { ofFile } from '../../../src/node/system-error.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';
import { syncHandle, syncHandleData } from '../../../src/node/files/sync-handle.ts';

/**
 * Whether each write goes to the end, wherever that is: then one that follows upon a cut by somebody else does not hide it.
 * Windows lets no such file be cut back, and may tell its size late.
 */
const appends = process.platform !== 'win32';
const appending = appends ? constants.O_APPEND : 0;

export interface Journal {
  /** Bytes that are on disk. */
  readonly size: number;
  /**
   * Whether the content on disk is unknown: a sync failed, a write could not be undone, or somebody removed or cut the file.
   * A broken journal writes nothing more.
   */
  readonly broken: boolean;
  /** Whether a part of the last group may be on disk although `append` rejected: the disk also refused to remove it. */
  readonly uncertain: boolean;
  /** Resolves once the commits are on disk, the first as `sequence`. If `append` rejects, none is on disk, unless `uncertain`. */
  append(commits: readonly (readonly Change[])[], sequence: number): Promise<void>;
  /** Bytes of the last group, written or refused. */
  readonly group: number;
  close(): Promise<void>;
}

export interface JournalOptions {
  readonly directory: string;
  readonly fs: FileSystem;
  readonly sealing: Sealing | undefined;
  /** The schema of the documents. */
  readonly schema: number;
  /** The directory has to be where it was for a commit to count. */
  readonly place: Place;
}

/** Begins the journal of the commits after `sequence`. Leaves no file behind if it rejects. */
export async function createJournal(
  { directory, fs, sealing, schema, place }: JournalOptions,
  sequence: number,
): Promise<Journal> {
  // Another volume may have been laid over the directory, with other files.
  place.check();
  const path = join(directory, formatName('journal', sequence));
  // One whose creation failed; had it any commit, the sequence would be another one.
  await fs.unlink(path).catch(unlessMissing);
  const handle = await fs.open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | appending, 0o600);
  try {
    await handle.chmod(0o600);
    const header = newHeader('journal', { schema, sequence, sealed: sealing !== undefined });
    const bytes = encodeHeader(header);
    // Before the file has its own copies: who reads it meanwhile finds it unfinished, or whole.
    place.check();
    await writeBeside(fs, directory, basename(path), header);
    await writeAt(fs, handle, bytes, 0);
    await syncHandle(handle);
    await syncDirectory(directory, fs);
    const frames = createFrameBuffer(header, sealing);
    return growing(fs, handle, {
      path,
      frames,
      start: bytes.length,
      file: await rememberPlace(fs, path),
      directory: place,
    });
  } catch (error) {
    await handle.close().catch(() => undefined);
    await discardDataFile(fs, directory, basename(path));
    throw ofFile(path, error);
  }
}

/** Continues a journal whose first `size` bytes are good. Syncs them: a former process may not have done so. */
export async function continueJournal(
  { directory, fs, sealing, place }: JournalOptions,
  { header, size }: { readonly header: Header; readonly size: number },
): Promise<Journal> {
  const path = join(directory, formatName('journal', header.sequence));
  const handle = await fs.open(path, constants.O_RDWR | appending);
  try {
    await handle.truncate(size);
    await syncHandle(handle);
    const frames = createFrameBuffer(header, sealing);
    const file = await rememberPlace(fs, path);
    return growing(fs, handle, { path, frames, start: size, file, directory: place });
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw ofFile(path, error);
  }
}

interface Growing {
  readonly path: string;
  readonly frames: FrameBuffer;
  /** Bytes that are on disk. */
  readonly start: number;
  /** Where the journal is, and its directory. */
  readonly file: Place;
  readonly directory: Place;
}

function growing(fs: FileSystem, handle: FileHandle, { path, frames, start, file, directory }: Growing): Journal {
  let size = start;
  let broken = false;
  let uncertain = false;
  let displaced = false;
  let group = 0;
  let encoded: Buffer;
  const content = createContentWriter();

  const encode = (commits: readonly (readonly Change[])[], sequence: number): Buffer => {
    let next = sequence;
    try {
      for (const changes of commits) frames.add(next++, content.changes(changes));
    } finally {
      // The next group begins with nothing, also after an error.
      encoded = frames.take();
    }
    return encoded;
  };

  /** Refused commits must never be read, not even after a crash. */
  const cutBack = async (): Promise<void> => {
    uncertain = true;
    try {
      await handle.truncate(size);
      await syncHandleData(handle);
      uncertain = false;
    } catch {
      broken = true;
    }
  };

  /** Throws unless whoever opens the directory finds a journal of so many bytes: a system may say more than it did. */
  const checkReached = (end: number): void => {
    displaced = true;
    directory.check();
    displaced = false;
    const own = foundAt(file);
    if (own && (own.size === end || !appends)) return;
    // Acknowledged commits may be gone as well.
    broken = true;
    throw ofFile(path, ioError('The journal does not have what was written to it.'));
  };

  return {
    get size() {
      return size;
    },
    get broken() {
      return broken;
    },
    get uncertain() {
      return uncertain;
    },
    get group() {
      return group;
    },
    async append(commits, sequence) {
      uncertain = false;
      const bytes = encode(commits, sequence);
      group = bytes.length;
      const end = size + group;
      // Nothing is written to a place where it may not be found.
      if (displaced) checkReached(size);
      try {
        await writeAt(fs, handle, bytes, size);
      } catch (error) {
        await cutBack();
        throw ofFile(path, error);
      }
      try {
        await fs.syncData(handle);
      } catch (error) {
        // It is not tried again: the system may have forgotten what it could not write, and call it written then. That the
        // file has its former length again is known where the system says so.
        broken = true;
        await cutBack();
        throw ofFile(path, error);
      }
      try {
        checkReached(end);
      } catch (error) {
        // In a directory that was moved it is still there, and may come back.
        await cutBack();
        throw error;
      }
      size = end;
    },
    close: () => handle.close(),
  };
}

/** The system may write less than it was given. */
async function writeAt(fs: FileSystem, handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += checkWritten(await fs.writeData(handle, bytes, done, bytes.length - done, position + done));
  }
}

function checkWritten(bytes: number): number {
  if (bytes === 0) throw ioError('Nothing was written.');
  return bytes;
}

/** An error like the system's own. */
const ioError = (message: string): Error => Object.assign(new Error(message), { code: 'EIO', syscall: 'write' });

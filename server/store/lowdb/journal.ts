/** A journal, to which commits are added at its end: each group of them is one write and one fdatasync. */
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Change } from '../tables.ts';
import { createContentWriter } from './content.ts';
import { nameOf } from './data-files.ts';
import { createFrameBuffer, encodeHeader, newHeader } from './frame.ts';
import type { FrameBuffer, Header } from './frame.ts';
import type { Sync } from './quick-sync.ts';
import { createReserve } from './reserve.ts';
import { rememberPlace } from '../../data-directory/place.ts';
import type { Place } from '../../data-directory/place.ts';
import { discard, unlessMissing } from '../../data-directory/private-files.ts';
import type { FileSystem } from '../../data-directory/private-files.ts';
import { syncDirectory } from '../../../src/node/files/replaced-file.ts';
import { ofFile } from '../../../src/node/system-error.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';

/** Windows may tell the size of a file late. */
const tellsSize = process.platform !== 'win32';

/**
 * What makes a journal longer goes to its end, wherever that is: so it does not hide it where somebody else cut the file.
 * Windows needs no such care, and its places are told.
 */
const appending = constants.O_WRONLY | (tellsSize ? constants.O_APPEND : 0);

/** Bytes that are written at once, at most: who waits for a small group waits for one thing less. */
const mostNow = 64 * 1024;

export interface Journal {
  /** Bytes that are on disk. */
  readonly size: number;
  /**
   * Whether the content on disk is unknown: a sync failed, a write could not be undone, or somebody removed or cut the file.
   * A broken journal writes nothing more.
   */
  readonly broken: boolean;
  /** Resolves once the commits are on disk, the first as `sequence`. If `append` rejects, none is on disk, unless `broken`. */
  append(commits: readonly (readonly Change[])[], sequence: number): Promise<void>;
  /** Bytes of the last group, written or refused. */
  readonly group: number;
  /** Gets ready for what comes next. Nobody has to wait for that. */
  makeRoom(): void;
  /** Gives back the room that was not needed. */
  close(): Promise<void>;
}

export interface JournalOptions {
  readonly directory: string;
  readonly fs: FileSystem;
  readonly sealing: Sealing | undefined;
  /** Of the documents. */
  readonly schema: number;
  /** The directory has to be where it was for a commit to count. */
  readonly place: Place;
  /** Makes what was written durable. */
  readonly sync: Sync;
}

/** Begins the journal of the commits after `sequence`. Leaves no file behind if it rejects. */
export async function createJournal(
  { directory, fs, sealing, schema, place, sync }: JournalOptions,
  sequence: number,
): Promise<Journal> {
  // Another volume may have been laid over the directory, with files of its own.
  await place.check();
  const path = join(directory, nameOf('journal', sequence));
  // One whose creation failed; had it any commit, the sequence would be another one.
  await fs.unlink(path).catch(unlessMissing);
  const handle = await fs.open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    await handle.chmod(0o600);
    const header = newHeader('journal', { schema, sequence, sealed: sealing !== undefined });
    const bytes = encodeHeader(header);
    await writeAt(fs, handle, bytes, 0);
    await handle.sync();
    await syncDirectory(directory, fs);
    return await growing(
      { fs, path, handle, sync, directory: place },
      createFrameBuffer(header, sealing),
      bytes.length,
    );
  } catch (error) {
    await handle.close().catch(() => undefined);
    await discard(fs, path);
    throw ofFile(path, error);
  }
}

/** Continues a journal whose first `size` bytes are good. Syncs them: a former process may not have done so. */
export async function continueJournal(
  { directory, fs, sealing, place, sync }: JournalOptions,
  { header, size }: { readonly header: Header; readonly size: number },
): Promise<Journal> {
  const path = join(directory, nameOf('journal', header.sequence));
  const handle = await fs.open(path, constants.O_RDWR);
  try {
    await handle.truncate(size);
    await handle.sync();
    return await growing({ fs, path, handle, sync, directory: place }, createFrameBuffer(header, sealing), size);
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw ofFile(path, error);
  }
}

interface Growing extends Pick<JournalOptions, 'fs' | 'sync'> {
  readonly path: string;
  readonly handle: FileHandle;
  /** Where the journal has to be. */
  readonly directory: Place;
}

/** `start`: bytes that are on disk, and there is nothing after them. */
async function growing(
  { fs, path, handle, sync, directory }: Growing,
  frames: FrameBuffer,
  start: number,
): Promise<Journal> {
  const file = await rememberPlace(fs, path);
  const tail = await fs.open(path, appending);
  const reserve = createReserve(fs, { path, handle, appending: tail }, start);
  let size = start;
  let broken = false;
  let displaced = false;
  let group = 0;
  let encoded: Buffer;
  const last = Buffer.alloc(1);
  const content = createContentWriter();

  const encode = (commits: readonly (readonly Change[])[], sequence: number): Buffer => {
    let place = 0;
    try {
      for (const changes of commits) frames.add(sequence + place, content.changes(changes), place++);
    } finally {
      // Whatever happened: the next group begins with nothing.
      encoded = frames.take();
    }
    return encoded;
  };

  /** What was refused must never be read, not even after a crash. */
  const cutBack = async (): Promise<void> => {
    await handle.truncate(size);
    reserve.endsAt(size);
    await handle.datasync();
  };

  /** Over the room that there is, or to the end of the file. */
  const write = async (bytes: Buffer): Promise<void> => {
    const end = size + bytes.length;
    await writeAt(fs, reserve.end === size ? tail : handle, bytes, size);
    if (end > reserve.end) reserve.endsAt(end);
  };

  /** Rejects unless whoever opens the directory finds a journal that reaches so far: a system may say more than it did. */
  const checkReached = async (reached: number): Promise<void> => {
    displaced = true;
    await directory.check();
    displaced = false;
    const own = await file.check().catch(() => undefined);
    if (own && (own.size === reserve.end || !tellsSize) && isMarked(reached)) return;
    // What was acknowledged may be gone as well.
    broken = true;
    throw ofFile(path, ioError('The journal does not have what was written to it.'));
  };

  /** Whether something ends there, and not zeros, which lay ahead. */
  const isMarked = (reached: number): boolean =>
    reached === start || (fs.readNow(handle, last, reached - 1) === 1 && last[0] !== 0);

  return {
    get size() {
      return size;
    },
    get broken() {
      return broken;
    },
    get group() {
      return group;
    },
    async append(commits, sequence) {
      const bytes = encode(commits, sequence);
      group = bytes.length;
      const end = size + group;
      try {
        const making = reserve.ready();
        if (making) await making;
      } catch (error) {
        broken = true;
        throw ofFile(path, error);
      }
      // Nothing is written to a place where it may not be found, and what reaches beyond the room hides no cut.
      if (displaced || (size < reserve.end && reserve.end < end)) await checkReached(size);
      try {
        await write(bytes);
      } catch (error) {
        await cutBack().catch(() => (broken = true));
        throw ofFile(path, error);
      }
      try {
        await sync(handle, group);
      } catch (error) {
        // It is not tried again: the system may have forgotten what it could not write, and call it written then.
        broken = true;
        await handle.truncate(size).catch(() => undefined);
        throw ofFile(path, error);
      }
      try {
        await checkReached(end);
      } catch (error) {
        // In a directory that was moved it is still there, and may come back.
        await cutBack().catch(() => (broken = true));
        throw error;
      }
      size = end;
    },
    makeRoom: () => reserve.makeRoom(size, group),
    async close() {
      await reserve.ready()?.catch(() => (broken = true));
      if (!broken && reserve.end > size) await handle.truncate(size).catch(() => undefined);
      await Promise.all([handle.close(), tail.close()]);
    },
  };
}

/** The system may write less than it was given. */
async function writeAt(fs: FileSystem, handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const left = bytes.length - done;
    const written =
      left <= mostNow
        ? fs.writeNow(handle, bytes, done, left, position + done)
        : (await handle.write(bytes, done, left, position + done)).bytesWritten;
    if (written === 0) throw ioError('Nothing was written.');
    done += written;
  }
}

/** As the system would have told it. */
const ioError = (message: string): Error => Object.assign(new Error(message), { code: 'EIO', syscall: 'write' });

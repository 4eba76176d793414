/** A journal that grows: a group of commits is one write and one fdatasync. */
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Change } from '../tables.ts';
import { nameOf } from './data-files.ts';
import { createFrameBuffer, encodeHeader, newHeader } from './frame.ts';
import type { FrameBuffer, Header } from './frame.ts';
import { discard, hasCode, syncDirectory } from './private-files.ts';
import type { FileSystem } from './private-files.ts';
import { runsOf } from './runs.ts';
import type { Sealing } from '../../../src/node/sealing.ts';

export interface Journal {
  /** Bytes that are on disk. */
  readonly size: number;
  /** Nobody knows what is on disk, since a sync failed or a write could not be taken back: nothing more is written. */
  readonly broken: boolean;
  /** Resolves once the commits are on disk, the first with that sequence. Where it rejects none of them is, unless broken. */
  append(commits: readonly (readonly Change[])[], sequence: number): Promise<void>;
  close(): Promise<void>;
}

export interface JournalOptions {
  readonly directory: string;
  readonly fs: FileSystem;
  readonly sealing: Sealing | undefined;
  /** Of the documents. */
  readonly schema: number;
}

/** Begins the journal of what follows the commit with that sequence. Nothing is left where it cannot. */
export async function createJournal(
  { directory, fs, sealing, schema }: JournalOptions,
  sequence: number,
): Promise<Journal> {
  const path = join(directory, nameOf('journal', sequence));
  // One whose creation failed; had it any commit, the sequence would be another one.
  await fs.unlink(path).catch(unlessMissing);
  const handle = await fs.open(path, 'wx', 0o600);
  try {
    await handle.chmod(0o600);
    const header = newHeader('journal', { schema, sequence, sealed: sealing !== undefined });
    const bytes = encodeHeader(header);
    await writeAt(handle, bytes, 0);
    await handle.sync();
    await syncDirectory(fs, directory);
    return growing(handle, createFrameBuffer(header, sealing), bytes.length);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await discard(fs, path);
    throw error;
  }
}

/** Goes on with a journal of which `size` bytes are good. What a former process read of it need not be on disk yet. */
export async function continueJournal(
  { directory, fs, sealing }: JournalOptions,
  { header, size }: { readonly header: Header; readonly size: number },
): Promise<Journal> {
  const handle = await fs.open(join(directory, nameOf('journal', header.sequence)), 'r+');
  try {
    await handle.truncate(size);
    await handle.sync();
    return growing(handle, createFrameBuffer(header, sealing), size);
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  }
}

function growing(handle: FileHandle, frames: FrameBuffer, start: number): Journal {
  let size = start;
  let broken = false;
  let encoded: Buffer;

  const encode = (commits: readonly (readonly Change[])[], sequence: number): Buffer => {
    let next = sequence;
    try {
      for (const changes of commits) frames.add(next++, JSON.stringify(runsOf(changes)));
    } finally {
      // Whatever happened: the next group begins with nothing.
      encoded = frames.take();
    }
    return encoded;
  };

  /** What was refused must never be read, not even after a crash. */
  const cutBack = async (): Promise<void> => {
    await handle.truncate(size);
    await handle.datasync();
  };

  return {
    get size() {
      return size;
    },
    get broken() {
      return broken;
    },
    async append(commits, sequence) {
      const bytes = encode(commits, sequence);
      try {
        await writeAt(handle, bytes, size);
      } catch (error) {
        await cutBack().catch(() => (broken = true));
        throw error;
      }
      try {
        await handle.datasync();
      } catch (error) {
        // It is not tried again: the system may have forgotten what it could not write, and call it written then.
        broken = true;
        await handle.truncate(size).catch(() => undefined);
        throw error;
      }
      size += bytes.length;
    },
    close: () => handle.close(),
  };
}

/** The system may write less than it was given. */
async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    if (bytesWritten === 0) throw Object.assign(new Error('Nothing was written.'), { code: 'EIO' });
    done += bytesWritten;
  }
}

function unlessMissing(error: unknown): void {
  if (!hasCode(error, 'ENOENT')) throw error;
}

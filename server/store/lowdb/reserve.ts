/**
 * Room that a journal has ahead: zeros, synced before a commit is written over them. A sync of what lies within a file writes
 * the data alone; where the file grows, the file system has to write down its new length and where it lies as well. The
 * room is made between commits, and never more of it than the journal holds already.
 */
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileSystem } from '../../data-directory/private-files.ts';

export interface Reserve {
  /** Where the file ends. */
  readonly end: number;
  /** Only while room is made is there anything to wait for. Rejects where nobody knows any more what the file holds. */
  ready(): Promise<void> | undefined;
  /** Makes room where that is worth it; `size` bytes of the file are taken, `group` of them by what was written last. */
  makeRoom(size: number, group: number): void;
  /** Notes that the file was cut, or grew, to so many bytes. */
  endsAt(end: number): void;
}

const block = 4096;
/** Bytes that are made ready at once, about: as many as the journal has, and no more than these. */
const most = 1024 * 1024;

/** Bytes of a group, on average: to write more of them twice costs as much as it saves. */
const largeGroup = 16 * 1024;

/** A disk that has less than so many times as much is left what it has. */
const spare = 16;

/** `appending` writes to the end of the file wherever that is, so that it hides no cut by somebody else. */
export function createReserve(
  fs: FileSystem,
  { path, handle, appending }: { readonly path: string; readonly handle: FileHandle; readonly appending: FileHandle },
  start: number,
): Reserve {
  let end = start;
  let usual = 0;
  /** Where nothing was to be had, nothing is asked for before the journal has reached this. */
  let notBefore = 0;
  let underWay: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;

  async function extend(bytes: number): Promise<void> {
    const { bavail, bsize } = await fs.statfs(dirname(path));
    if (bavail * bsize < spare * bytes) throw new Error('There is little room on the disk.');
    const zeros = Buffer.alloc(bytes);
    for (let done = 0; done < bytes;) {
      const { bytesWritten } = await appending.write(zeros, done, bytes - done, end + done);
      if (bytesWritten === 0) throw new Error('Nothing was written.');
      done += bytesWritten;
    }
  }

  async function reserve(size: number, bytes: number): Promise<void> {
    try {
      await extend(bytes);
    } catch {
      notBefore = size + bytes;
      await handle.truncate(end).catch((error: unknown) => (failure = { error }));
      return;
    }
    // It is not tried again: the system may have forgotten what it could not write, and call it written then.
    await handle.datasync().then(
      () => (end += bytes),
      (error: unknown) => (failure = { error }),
    );
  }

  return {
    get end() {
      return end;
    },
    ready() {
      if (!underWay && !failure) return undefined;
      return Promise.resolve(underWay).then(() => {
        if (failure) throw failure.error;
      });
    },
    makeRoom(size, group) {
      usual += (group - usual) / 8;
      // It ends where a block of the disk does.
      const bytes = Math.ceil(Math.min(size, most) / block) * block - (end % block);
      if (underWay || failure || usual > largeGroup || size < block) return;
      if (end - size >= bytes / 2 || size < notBefore) return;
      underWay = reserve(size, bytes).finally(() => (underWay = undefined));
    },
    endsAt(now) {
      end = now;
    },
  };
}

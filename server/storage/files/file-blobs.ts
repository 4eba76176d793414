/** Blobs as files in one directory, each named as its blob is. */
import { constants } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../../../src/node/files/replace-file.ts';
import { rememberPlace } from '../data-directory/place.ts';
import type { Place } from '../data-directory/place.ts';
import {
  createPrivateFile,
  discard,
  makePrivateDirectory,
  nodeFileSystem,
  openNameless,
  proveRoom,
  removeTemporaries,
  temporaryBeside,
  unlessMissing,
  unusable,
} from '../data-directory/private-files.ts';
import type { FileSystem } from '../data-directory/private-files.ts';
import { readStats } from '../data-directory/stats.ts';
import type { BlobStore, OpenBlob } from '../blobs/blob-store.ts';
import { storageUnavailable } from '../transactions/document-store.ts';

const prefix = 'blb_';
/** The prefix is that of blobs, so that the clean-up of their temporaries removes staged files too. */
const stagedName = 'blb_staged';

/**
 * Makes a missing directory, and removes the remains of interrupted writes: the caller has the directory to itself. Rejects
 * with AppError CONFIGURATION if the directory cannot be used.
 */
export async function openFileBlobs(directory: string, fs: FileSystem = nodeFileSystem): Promise<BlobStore> {
  try {
    await makePrivateDirectory(fs, directory);
    await removeTemporaries(fs, directory, prefix);
    return blobsIn(directory, fs, await rememberPlace(fs, directory));
  } catch (error) {
    throw unusable(error);
  }
}

/** Reads blobs of a directory that another process may use. */
export const lookIntoFiles = (directory: string, fs: FileSystem = nodeFileSystem): Pick<BlobStore, 'open' | 'list'> =>
  blobsIn(directory, fs);

// A pipe in the place of a file would keep its reader waiting. Windows knows neither flag.
const readOnly = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** With `place` all is refused while the directory is not where it was; a file that is missing may be there then. */
function blobsIn(directory: string, fs: FileSystem, place?: Place): BlobStore {
  return {
    name: 'files',
    async put(name, content) {
      place?.check();
      const target = join(directory, name);
      const temporary = temporaryBeside(target);
      let named = false;
      try {
        await createPrivateFile(fs, temporary, (handle) => handle.writeFile(content));
        await fs.rename(temporary, target);
        named = true;
        await syncDirectory(directory, fs);
        place?.check();
      } catch (error) {
        await discard(fs, named ? target : temporary);
        place?.check();
        throw error;
      }
    },
    async open(name) {
      let handle: FileHandle;
      try {
        handle = await fs.open(join(directory, name), readOnly);
      } catch (error) {
        unlessMissing(error);
        place?.check();
        return undefined;
      }
      return opened(handle);
    },
    async remove(name) {
      try {
        await fs.unlink(join(directory, name));
      } catch (error) {
        unlessMissing(error);
        place?.check();
      }
    },
    async *list(beginning) {
      const names = await fs.readdir(directory).catch(unlessMissing);
      place?.check();
      for (const name of names ?? []) if (name.startsWith(beginning)) yield name;
    },
    async stage(content) {
      place?.check();
      const handle = await openNameless(fs, directory, stagedName);
      try {
        await handle.writeFile(content);
        return await opened(handle);
      } catch (error) {
        await handle.close().catch(() => undefined);
        throw error;
      }
    },
    async probe(bytes) {
      place?.check();
      await proveRoom(fs, directory, bytes);
    },
    async usage() {
      const names = (await fs.readdir(directory)).filter((name) => name.startsWith(prefix));
      const stats = await readStats(names.map((name) => join(directory, name)));
      return { files: stats.length, bytes: stats.reduce((sum, { size }) => sum + size, 0) };
    },
    close: async () => {},
  };
}

/** Closes the file where it is none: a link may lead anywhere. */
async function opened(handle: FileHandle): Promise<OpenBlob> {
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw notAFile();
    return {
      size: Number(stats.size),
      version: versionOf(stats),
      async *read(start, end, step) {
        for (let at = start; at <= end;) {
          const piece = Buffer.allocUnsafe(Math.min(step, end - at + 1));
          for (let filled = 0; filled < piece.length;) {
            const { bytesRead } = await handle.read(piece, filled, piece.length - filled, at + filled);
            if (bytesRead === 0) throw storageUnavailable(new Error('The file became shorter.'));
            filled += bytesRead;
          }
          yield piece;
          at += piece.length;
        }
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  }
}

/** As the system answers to a read of such a thing. */
const notAFile = (): Error => Object.assign(new Error('It is no regular file.'), { code: 'EINVAL', syscall: 'read' });

/** As long as nobody writes to the file these stay the same. */
const versionOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join();

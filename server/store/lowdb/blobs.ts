/** Audio as files in one directory, named by their ids. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AppError } from '../../../src/contract/errors.ts';
import type { BlobStore } from '../blobs.ts';
import { storageUnavailable } from '../document-store.ts';
import {
  createPrivateFile,
  discard,
  hasCode,
  makePrivateDirectory,
  nodeFileSystem,
  removeTemporaries,
  syncDirectory,
  temporaryBeside,
  unusable,
} from './private-files.ts';
import type { FileSystem } from './private-files.ts';

const idForm = /^blb_[0-9A-Z]{26}$/;

/**
 * Makes the directory where it is missing, and removes what interrupted writes left there. One process at a time.
 * AppError CONFIGURATION where it cannot be used.
 */
export async function createFileBlobs(directory: string, fs: FileSystem = nodeFileSystem): Promise<BlobStore> {
  try {
    await makePrivateDirectory(fs, directory);
    await removeTemporaries(fs, directory, 'blb_');
  } catch (error) {
    throw unusable(error);
  }

  const path = (id: string): string => {
    // An id of this form cannot lead out of the directory.
    if (!idForm.test(id)) throw new AppError('INTERNAL_ERROR', { message: 'That is not the id of a blob.' });
    return join(directory, id);
  };

  return {
    path,
    async write(id, source, limit) {
      const target = path(id);
      const temporary = temporaryBeside(target);
      const intake = createIntake(source, limit);
      let named = false;
      try {
        await createPrivateFile(fs, temporary, (handle) => handle.writeFile(intake.chunks()));
        await fs.rename(temporary, target);
        named = true;
        await syncDirectory(fs, directory);
      } catch (error) {
        await discard(fs, named ? target : temporary);
        throw error instanceof AppError || error === intake.failure() ? error : storageUnavailable(error);
      }
      return intake.result();
    },
    async read(id, range) {
      const file = path(id);
      let handle: FileHandle | undefined;
      try {
        handle = await fs.open(file, 'r');
        const { size } = await handle.stat();
        const start = range?.start ?? 0;
        const end = Math.min(range?.end ?? Infinity, size - 1);
        if (start <= end) return { stream: handle.createReadStream({ start, end }), size };
        await handle.close();
        return { stream: Readable.from([]), size };
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined;
        await handle?.close().catch(() => undefined);
        throw storageUnavailable(error);
      }
    },
    async remove(id) {
      const file = path(id);
      try {
        await fs.unlink(file);
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw storageUnavailable(error);
      }
    },
    async list() {
      try {
        return (await fs.readdir(directory)).filter((name) => idForm.test(name));
      } catch (error) {
        throw storageUnavailable(error);
      }
    },
  };
}

/** Measures what passes through, and tells a source that broke off from a disk that did. */
function createIntake(source: AsyncIterable<Uint8Array>, limit: number) {
  const hash = createHash('sha256');
  let bytes = 0;
  let failure: unknown;
  return {
    async *chunks(): AsyncGenerator<Uint8Array, void> {
      try {
        for await (const chunk of source) {
          bytes += chunk.byteLength;
          if (bytes > limit) throw new AppError('PAYLOAD_TOO_LARGE', { details: { limit_bytes: limit } });
          hash.update(chunk);
          yield chunk;
        }
      } catch (error) {
        failure = error;
        throw error;
      }
    },
    failure: () => failure,
    result: () => ({ bytes, sha256: hash.digest('hex') }),
  };
}

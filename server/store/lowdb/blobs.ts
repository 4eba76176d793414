/**
 * Audio as files in one directory, named by their ids: `blb_….sealed` where the store is encrypted (sealed-stream.ts),
 * `blb_…` where it is not.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AppError } from '../../../src/contract/errors.ts';
import type { BlobStore } from '../blobs.ts';
import type { Log } from '../../log.ts';
import { storageUnavailable } from '../document-store.ts';
import { createInspection } from './inspection.ts';
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
} from '../../data-directory/private-files.ts';
import { rememberPlace } from '../../data-directory/place.ts';
import type { Place } from '../../data-directory/place.ts';
import type { FileSystem } from '../../data-directory/private-files.ts';
import { openSealedFile, sealStream } from '../../sealing/sealed-stream.ts';
import { syncDirectory } from '../../../src/node/replaced-file.ts';
import type { Sealing } from '../../../src/node/sealing.ts';

const idForm = /^blb_[0-9A-Z]{26}$/;
export const sealedEnding = '.sealed';

/** Begins as the others do, so that what is left of it goes with their temporaries. */
const stagedName = 'blb_staged';

export interface FileBlobsOptions {
  readonly fs?: FileSystem;
  /** What is written is sealed with it; so is, before this resolves, what was written before without it. */
  readonly sealing?: Sealing | undefined;
  /** Told which audio is damaged. Default: says nothing. */
  readonly log?: Log | undefined;
}

/**
 * Makes the directory where it is missing, and removes what interrupted writes left there. One process at a time.
 * AppError CONFIGURATION where it cannot be used.
 */
export async function createFileBlobs(
  directory: string,
  { fs = nodeFileSystem, sealing, log }: FileBlobsOptions = {},
): Promise<BlobStore> {
  let files: Files;
  try {
    await makePrivateDirectory(fs, directory);
    await removeTemporaries(fs, directory, 'blb_');
    if (sealing) await sealPlain(filesIn(directory, fs), sealing);
    files = filesIn(directory, fs, await rememberPlace(fs, directory));
  } catch (error) {
    throw unusable(error);
  }
  /** Bytes to which the longest refused one got since one as long was written. */
  let wanted = 0;
  return {
    async write(id, source, limit) {
      const name = plainName(id);
      const intake = createIntake(source, limit);
      try {
        if (sealing) await files.create(name + sealedEnding, sealStream(sealing, id, intake.chunks()));
        else await files.create(name, intake.chunks());
      } catch (error) {
        if (error instanceof AppError || error === intake.failure()) throw error;
        wanted = Math.max(wanted, intake.result().bytes);
        throw storageUnavailable(error);
      }
      const written = intake.result();
      if (written.bytes >= wanted) wanted = 0;
      return written;
    },
    async probe() {
      try {
        await files.proveRoom(wanted);
        wanted = 0;
      } catch (error) {
        throw storageUnavailable(error);
      }
    },
    read: readerOf(files, { sealing, log }),
    async remove(id) {
      const name = plainName(id);
      try {
        await files.remove(sealing ? name + sealedEnding : name);
      } catch (error) {
        throw storageUnavailable(error);
      }
    },
    async list() {
      try {
        const names = await files.names();
        const ids = sealing
          ? names.flatMap((name) => (name.endsWith(sealedEnding) ? name.slice(0, -sealedEnding.length) : []))
          : names;
        return ids.filter((id) => idForm.test(id));
      } catch (error) {
        throw storageUnavailable(error);
      }
    },
    async stage(source) {
      const handle = await files.openNameless().catch((error: unknown) => {
        throw storageUnavailable(error);
      });
      const intake = createIntake(source, Infinity);
      try {
        await handle.writeFile(sealing ? sealStream(sealing, stagedName, intake.chunks()) : intake.chunks());
        const { size, read } = sealing
          ? await openSealedFile(handle, sealing, stagedName)
          : await openPlainFile(handle);
        const { bytes } = intake.result();
        return { bytes, read: () => streamOf(handle, read(0, size - 1)), discard: () => handle.close() };
      } catch (error) {
        await handle.close().catch(() => undefined);
        throw error instanceof AppError || error === intake.failure() ? error : storageUnavailable(error);
      }
    },
  };
}

/** Reads the audio of a directory that may be in use, and changes nothing. */
export const blobReader = (directory: string, { fs = nodeFileSystem, sealing }: FileBlobsOptions): BlobStore['read'] =>
  readerOf(filesIn(directory, fs), { sealing });

function readerOf(files: Files, { sealing, log }: Pick<FileBlobsOptions, 'sealing' | 'log'>): BlobStore['read'] {
  const inspect = createInspection();

  /** Opens what the file holds; where it is known what that should be, it is that. */
  async function opened(handle: FileHandle, id: string, sha256: string | undefined): Promise<Content> {
    const open = (): Promise<Content> => (sealing ? openSealedFile(handle, sealing, id) : openPlainFile(handle));
    if (sha256 === undefined) return open();
    const stamp = await handle.stat({ bigint: true });
    try {
      const content = await open();
      if ((await inspect(id, stamp, () => hashOf(content))) === sha256) return content;
    } catch {
      // Sealed, and changed; or a bad place of the disk.
    }
    log?.({ level: 'error', event: 'audio_damaged', blob: id });
    throw damagedAudio(id);
  }

  return async (id, { range: { start, end } = { start: 0, end: Infinity }, sha256 } = {}) => {
    const name = plainName(id);
    let handle: FileHandle | undefined;
    try {
      handle = await files.open(sealing ? name + sealedEnding : name);
      if (!handle) return undefined;
      const { size, read } = await opened(handle, id, sha256);
      return { stream: streamOf(handle, read(start, Math.min(end, size - 1))), size };
    } catch (error) {
      await handle?.close().catch(() => undefined);
      throw error instanceof AppError ? error : storageUnavailable(error);
    }
  };
}

interface Content {
  readonly size: number;
  /** The bytes from `start` to `end`, both included. Rejects with an AppError where they are not what was written. */
  read(start: number, end: number): AsyncGenerator<Buffer, void>;
}

/** Bytes read from a file at a time. */
const pieceLength = 65_536;

async function openPlainFile(handle: FileHandle): Promise<Content> {
  const { size } = await handle.stat();
  return {
    size,
    async *read(start, end) {
      for (let at = start; at <= end;) {
        const piece = Buffer.allocUnsafe(Math.min(pieceLength, end - at + 1));
        const { bytesRead } = await handle.read(piece, 0, piece.length, at);
        if (bytesRead === 0) throw storageUnavailable(new Error('The file became shorter.'));
        yield piece.subarray(0, bytesRead);
        at += bytesRead;
      }
    },
  };
}

async function hashOf({ size, read }: Content): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of read(0, size - 1)) hash.update(piece);
  return hash.digest('hex');
}

/** 500: what is kept is not what was written. To ask again is of no use. */
const damagedAudio = (blob: string): AppError =>
  new AppError('INTERNAL_ERROR', {
    message: 'This audio is damaged on the disk of the server.',
    hint: 'An earlier backup may have it; laudio server check tells what else is damaged.',
    details: { blob },
  });

/** A name of this form cannot lead out of the directory. */
function plainName(id: string): string {
  if (!idForm.test(id)) throw new AppError('INTERNAL_ERROR', { message: 'That is not the id of a blob.' });
  return id;
}

interface Files {
  names(): Promise<string[]>;
  /** Durable when it resolves; nothing is left where it rejects. */
  create(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** `undefined` where there is none. Refuses whatever is no file: a link may lead anywhere. */
  open(name: string): Promise<FileHandle | undefined>;
  remove(name: string): Promise<void>;
  /** A new file to write and to read, gone when it is closed, or with the process. */
  openNameless(): Promise<FileHandle>;
  /** Rejects where there is no room for so many bytes. */
  proveRoom(bytes: number): Promise<void>;
}

// A pipe in the place of a file would keep its reader waiting. Windows knows neither flag.
const readOnly = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** With `place` all is refused while the directory is not where it was; a file that is missing may be there then. */
function filesIn(directory: string, fs: FileSystem, place?: Place): Files {
  return {
    async names() {
      const names = await fs.readdir(directory).catch(unlessMissing);
      await place?.check();
      return names ?? [];
    },
    async create(name, content) {
      await place?.check();
      const target = join(directory, name);
      const temporary = temporaryBeside(target);
      let named = false;
      try {
        await createPrivateFile(fs, temporary, (handle) => handle.writeFile(content));
        await fs.rename(temporary, target);
        named = true;
        await syncDirectory(directory, fs);
        await place?.check();
      } catch (error) {
        await discard(fs, named ? target : temporary);
        await place?.check();
        throw error;
      }
    },
    async open(name) {
      let handle: FileHandle;
      try {
        handle = await fs.open(join(directory, name), readOnly);
      } catch (error) {
        unlessMissing(error);
        await place?.check();
        return undefined;
      }
      try {
        if ((await handle.stat()).isFile()) return handle;
      } catch (error) {
        await handle.close().catch(() => undefined);
        throw error;
      }
      await handle.close();
      throw storageUnavailable();
    },
    async remove(name) {
      try {
        await fs.unlink(join(directory, name));
      } catch (error) {
        unlessMissing(error);
        await place?.check();
      }
    },
    async openNameless() {
      await place?.check();
      return openNameless(fs, directory, stagedName);
    },
    async proveRoom(bytes) {
      await place?.check();
      await proveRoom(fs, directory, bytes);
    },
  };
}

/** One file after the other: the sealed one is complete and durable before the plain one goes. */
async function sealPlain(files: Files, sealing: Sealing): Promise<void> {
  const names = new Set(await files.names());
  for (const id of [...names].filter((name) => idForm.test(name))) {
    try {
      if (!names.has(id + sealedEnding)) await sealFile(files, id, sealing);
      await files.remove(id);
    } catch (cause) {
      throw new AppError('CONFIGURATION', {
        message: `The audio file ${id} could not be encrypted (${(cause as NodeJS.ErrnoException).code ?? 'unknown reason'}).`,
        hint: 'It was left as it is. Make room on the disk, or move that file away, and start again.',
        cause,
      });
    }
  }
}

async function sealFile(files: Files, id: string, sealing: Sealing): Promise<void> {
  const handle = await files.open(id);
  try {
    if (handle) await files.create(id + sealedEnding, sealStream(sealing, id, handle.createReadStream()));
  } finally {
    await handle?.close();
  }
}

/** The pieces as a stream that closes the file, also where nobody ever reads it. */
function streamOf(handle: FileHandle, pieces: AsyncGenerator<Buffer, void>): Readable {
  return new Readable({
    read() {
      pieces.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      handle.close().then(
        () => done(error),
        (failure: Error) => done(error ?? failure),
      );
    },
  });
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

/**
 * Audio over any blob store. This module names each blob by its id, measures and encrypts the bytes as they arrive, and gives
 * out only bytes that were written. An encrypted blob is called `blb_….sealed` (sealed-stream.ts), a plain blob `blb_…`.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { AppError, isStorageFailure } from '../../../src/contract/errors.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';
import { isSystemError } from '../../../src/node/system-error.ts';
import { isDisplaced } from '../data-directory/place.ts';
import { unusable } from '../data-directory/private-files.ts';
import { openSealed, sealStream } from '../sealing/sealed-stream.ts';
import { isChanged } from '../sealing/sealing.ts';
import type { Log } from '../../runtime/log.ts';
import type { BlobStore, OpenBlob } from './blob-store.ts';
import { storageUnavailable } from '../transactions/document-store.ts';
import { createInspection } from './inspection.ts';

export interface Blobs {
  /**
   * Writes the stream as its bytes arrive; the blob is durable when `write` resolves. Rejects with AppError PAYLOAD_TOO_LARGE
   * past `limit` bytes and STORAGE_UNAVAILABLE when the store fails; no bytes stay then. `id` comes from ids.ts, never from a
   * request.
   */
  write(id: string, source: AsyncIterable<Uint8Array>, limit: number): Promise<{ bytes: number; sha256: string }>;
  /**
   * `undefined` where the store has no such blob. Rejects with AppError STORAGE_UNAVAILABLE if the blob cannot be read, and
   * with INTERNAL_ERROR if the content does not match `sha256`. The stream fails with STORAGE_UNAVAILABLE at the first piece
   * that cannot be read, or was altered.
   */
  read(id: string, how?: Reading): Promise<{ stream: Readable; size: number } | undefined>;
  /** Removes the blob. A blob that is already gone is no error. */
  remove(id: string): Promise<void>;
  /** The id of every blob, so that a caller can collect the blobs that no document names. */
  list(): Promise<string[]>;
  /** Rejects with AppError STORAGE_UNAVAILABLE while the store refuses audio as long as the longest blob that it refused. */
  probe(): Promise<void>;
  /** As in `BlobStore`. */
  tidy(before: number): Promise<void>;
  /** Puts the stream aside without a name. What a caller forgets to discard is gone with the process. Rejects as `write`. */
  stage(source: AsyncIterable<Uint8Array>): Promise<StagedBlob>;
}

export interface Reading {
  /** `end` is inclusive, as in a Range header. */
  readonly range?: { readonly start: number; readonly end: number };
  /** The hash of the whole blob, where known: `read` gives out no byte before the whole blob has matched the hash. */
  readonly sha256?: string | undefined;
}

export interface StagedBlob {
  readonly bytes: number;
  /** The staged bytes. May be called once. */
  read(): Readable;
  discard(): Promise<void>;
}

export interface BlobsOptions {
  /** Seals every blob written from now on, and, before `openBlobs` resolves, every plain blob written earlier. */
  readonly sealing?: Sealing | undefined;
  /** Whether there are no plain blobs to seal: a list of millions takes minutes. Default: false. */
  readonly isSealed?: boolean;
  /** Gets a line for each damaged blob. Default: none. */
  readonly log?: Log | undefined;
}

const prefix = 'blb_';
const idForm = /^blb_[0-9A-Z]{26}$/;
export const sealedEnding = '.sealed';

/** The name to which the encryption binds staged blobs, as they have no id. */
const stagedName = 'blb_staged';

/** Rejects with AppError CONFIGURATION if a plain blob cannot be sealed. */
export async function openBlobs(store: BlobStore, { sealing, isSealed, log }: BlobsOptions = {}): Promise<Blobs> {
  try {
    if (sealing && !isSealed) await sealPlain(store, sealing);
  } catch (error) {
    throw unusable(error);
  }
  const ending = sealing ? sealedEnding : '';
  /** Bytes of the longest blob that the store refused, since the last success of that length. */
  let maxRefused = 0;
  return {
    async write(id, source, limit) {
      const name = checkId(id) + ending;
      const intake = createIntake(source, limit);
      try {
        await store.put(name, sealing ? sealStream(sealing, id, intake.chunks()) : intake.chunks());
      } catch (error) {
        if (error instanceof AppError || error === intake.failure()) throw error;
        maxRefused = Math.max(maxRefused, intake.result().bytes);
        throw storageUnavailable(error);
      }
      const written = intake.result();
      if (written.bytes >= maxRefused) maxRefused = 0;
      return written;
    },
    async probe() {
      await refusing(() => store.probe(maxRefused));
      maxRefused = 0;
    },
    read: blobReader(store, { sealing, log }),
    async remove(id) {
      const name = checkId(id) + ending;
      await refusing(() => store.remove(name));
    },
    list: () =>
      refusing(async () => {
        const ids: string[] = [];
        for await (const name of store.list(prefix)) {
          if (!name.endsWith(ending)) continue;
          const id = name.slice(0, name.length - ending.length);
          if (idForm.test(id)) ids.push(id);
        }
        return ids;
      }),
    tidy: (before) => refusing(async () => store.tidy?.(before)),
    async stage(source) {
      const intake = createIntake(source, Infinity);
      let blob: OpenBlob | undefined;
      try {
        blob = await store.stage(sealing ? sealStream(sealing, stagedName, intake.chunks()) : intake.chunks());
        const { size, read } = await openContent(blob, stagedName, sealing);
        const { close } = blob;
        const { bytes } = intake.result();
        return { bytes, read: () => createStream(read(0, size - 1), close), discard: close };
      } catch (error) {
        await blob?.close().catch(() => undefined);
        throw error === intake.failure() ? error : toBlobsError(error);
      }
    },
  };
}

/** Reads audio, and changes nothing. */
export function blobReader(store: Pick<BlobStore, 'open'>, { sealing, log }: BlobsOptions = {}): Blobs['read'] {
  const inspect = createInspection();

  /** The content of the blob. Rejects with AppError INTERNAL_ERROR unless the content matches `sha256`, where that is known. */
  async function inspected(blob: OpenBlob, id: string, sha256: string | undefined): Promise<Content> {
    if (sha256 === undefined) return openContent(blob, id, sealing);
    try {
      const content = await openContent(blob, id, sealing);
      if ((await inspect(id, blob.version, () => computeHash(content))) === sha256) return content;
    } catch (error) {
      // The sealed blob was changed, or the disk has a bad block.
      if (!isBlobFault(error)) throw error;
    }
    log?.({ level: 'error', event: 'audio_damaged', blob: id });
    throw damagedAudio(id);
  }

  return async (id, { range: { start, end } = { start: 0, end: Infinity }, sha256 } = {}) => {
    const name = checkId(id) + (sealing ? sealedEnding : '');
    let blob: OpenBlob | undefined;
    try {
      blob = await store.open(name);
      if (!blob) return undefined;
      const { size, read } = await inspected(blob, id, sha256);
      return { stream: createStream(read(start, Math.min(end, size - 1)), blob.close), size };
    } catch (error) {
      await blob?.close().catch(() => undefined);
      throw toBlobsError(error);
    }
  };
}

const toBlobsError = (error: unknown): AppError => (error instanceof AppError ? error : storageUnavailable(error));

/** Turns an error of the store into AppError STORAGE_UNAVAILABLE. */
export const refusing = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw toBlobsError(error);
  });

/** Codes of the system that concern all files. */
const exhausted = /^E[MN]FILE$/;

/**
 * Whether a read failed because of this one blob: it was changed, or the system cannot read its file. Otherwise the store has
 * failed, and the blob may be whole.
 */
export function isBlobFault(error: unknown): boolean {
  const isDamage = error instanceof AppError && !isStorageFailure(error);
  if (isDamage || isChanged(error)) return true;
  const cause = isStorageFailure(error) ? error.cause : error;
  return !isDisplaced(error) && isSystemError(cause) && !exhausted.test(cause.code);
}

interface Content {
  readonly size: number;
  /** The bytes from `start` to `end`, both included. Rejects with an AppError if the bytes differ from those written. */
  read(start: number, end: number): AsyncIterable<Buffer>;
}

/** Bytes read at a time. */
const pieceLength = 65_536;

/** The bytes of a blob as they were written under that name. */
export async function openContent(blob: OpenBlob, name: string, sealing: Sealing | undefined): Promise<Content> {
  if (sealing) return openSealed(blob, sealing, name);
  return { size: blob.size, read: (start, end) => blob.read(start, end, pieceLength) };
}

async function computeHash({ size, read }: Content): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of read(0, size - 1)) hash.update(piece);
  return hash.digest('hex');
}

/** 500: the stored bytes differ from the written bytes. A retry is of no use. */
const damagedAudio = (blob: string): AppError =>
  new AppError('INTERNAL_ERROR', {
    message: 'This audio is damaged on the disk of the server.',
    hint: 'An earlier backup may have this audio; laudio server check lists all damage.',
    details: { blob },
  });

/** A name of this form cannot lead out of the store. Throws AppError INTERNAL_ERROR for any other. */
function checkId(id: string): string {
  if (!idForm.test(id)) throw new AppError('INTERNAL_ERROR', { message: 'That is not the id of a blob.' });
  return id;
}

/** Seals one plain blob after the other. The sealed blob is complete and durable before the plain blob is removed. */
async function sealPlain(store: BlobStore, sealing: Sealing): Promise<void> {
  const names = new Set<string>();
  for await (const name of store.list(prefix)) names.add(name);
  for (const id of names) {
    if (!idForm.test(id)) continue;
    try {
      if (!names.has(id + sealedEnding)) await sealBlob(store, id, sealing);
      await store.remove(id);
    } catch (cause) {
      throw new AppError('CONFIGURATION', {
        message: `The audio file ${id} could not be encrypted (${(cause as NodeJS.ErrnoException).code ?? 'unknown reason'}).`,
        hint: 'The file is unchanged. Make room on the disk, or move that file away, and start again.',
        cause,
      });
    }
  }
}

/** Writes a plain blob sealed, under its name with `sealedEnding`. */
export async function sealBlob(store: BlobStore, id: string, sealing: Sealing): Promise<void> {
  const blob = await store.open(id);
  if (!blob) return;
  try {
    await store.put(id + sealedEnding, sealStream(sealing, id, blob.read(0, blob.size - 1, pieceLength)));
  } finally {
    await blob.close();
  }
}

/** The pieces as a stream that closes the blob, also where nobody ever reads it. */
export function createStream(content: AsyncIterable<Buffer>, close: () => Promise<void>): Readable {
  const pieces = content[Symbol.asyncIterator]();
  return new Readable({
    read() {
      pieces.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: unknown) => this.destroy(toBlobsError(error)),
      );
    },
    destroy(error, done) {
      close().then(
        () => done(error),
        (failure: Error) => done(error ?? failure),
      );
    },
  });
}

/** Measures the bytes that pass through, and distinguishes a failure of the source from a failure of the store. */
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

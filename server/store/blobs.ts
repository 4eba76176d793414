/**
 * Audio over any store of blobs: named by id, measured as it comes, encrypted where there is a key, and given out only as what
 * was written. A blob is called `blb_….sealed` where it is encrypted (sealed-stream.ts), `blb_…` where it is not.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { AppError } from '../../src/contract/errors.ts';
import type { Sealing } from '../../src/node/files/sealing.ts';
import { unusable } from '../data-directory/private-files.ts';
import { openSealed, sealStream } from '../sealing/sealed-stream.ts';
import type { Log } from '../log.ts';
import type { BlobStore, OpenBlob } from './blob-store.ts';
import { storageUnavailable } from './document-store.ts';
import { createInspection } from './inspection.ts';

export interface Blobs {
  /**
   * Writes the stream as it comes; it is durable when this resolves. Rejects with AppError PAYLOAD_TOO_LARGE past `limit` bytes
   * and STORAGE_UNAVAILABLE when the store fails; nothing is left then. `id` comes from ids.ts, never from a request.
   */
  write(id: string, source: AsyncIterable<Uint8Array>, limit: number): Promise<{ bytes: number; sha256: string }>;
  /**
   * `undefined` where there is no such blob. Rejects with AppError STORAGE_UNAVAILABLE where it cannot be read, and with
   * INTERNAL_ERROR where it is not what it should be; the stream fails where what it comes to was not written so.
   */
  read(id: string, how?: Reading): Promise<{ stream: Readable; size: number } | undefined>;
  /** Nothing happens where it is already gone. */
  remove(id: string): Promise<void>;
  /** Every id kept, for collecting those that no document names. */
  list(): Promise<string[]>;
  /** Rejects with AppError STORAGE_UNAVAILABLE while audio is refused, be it only such that is as long as the last refused one. */
  probe(): Promise<void>;
  /** Puts the stream aside without a name: it is gone with whoever forgets to discard it. Rejects as `write`. */
  stage(source: AsyncIterable<Uint8Array>): Promise<Staged>;
}

export interface Reading {
  /** `end` is inclusive, as in a Range header. */
  readonly range?: { readonly start: number; readonly end: number };
  /** Of the whole blob, where that is known: no byte is given out before all of them were seen to be those. */
  readonly sha256?: string | undefined;
}

export interface Staged {
  readonly bytes: number;
  /** What was put aside; once. */
  read(): Readable;
  discard(): Promise<void>;
}

export interface BlobsOptions {
  /** What is written is sealed with it; so is, before `openBlobs` resolves, what was written before without it. */
  readonly sealing?: Sealing | undefined;
  /** Told which audio is damaged. Default: says nothing. */
  readonly log?: Log | undefined;
}

const prefix = 'blb_';
const idForm = /^blb_[0-9A-Z]{26}$/;
export const sealedEnding = '.sealed';

/** What staged blobs are bound to. */
const stagedName = 'blb_staged';

/** AppError CONFIGURATION where what is there cannot be sealed. */
export async function openBlobs(store: BlobStore, { sealing, log }: BlobsOptions = {}): Promise<Blobs> {
  try {
    if (sealing) await sealPlain(store, sealing);
  } catch (error) {
    throw unusable(error);
  }
  const ending = sealing ? sealedEnding : '';
  /** Bytes to which the longest refused one got since one as long was written. */
  let wanted = 0;
  return {
    async write(id, source, limit) {
      const name = checkId(id) + ending;
      const intake = createIntake(source, limit);
      try {
        await store.put(name, sealing ? sealStream(sealing, id, intake.chunks()) : intake.chunks());
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
      await refusing(() => store.probe(wanted));
      wanted = 0;
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
    async stage(source) {
      const intake = createIntake(source, Infinity);
      let blob: OpenBlob | undefined;
      try {
        blob = await store.stage(sealing ? sealStream(sealing, stagedName, intake.chunks()) : intake.chunks());
        const { size, read } = await contentOf(blob, stagedName, sealing);
        const { close } = blob;
        const { bytes } = intake.result();
        return { bytes, read: () => streamOf(read(0, size - 1), close), discard: close };
      } catch (error) {
        await blob?.close().catch(() => undefined);
        throw error instanceof AppError || error === intake.failure() ? error : storageUnavailable(error);
      }
    },
  };
}

/** Reads audio, and changes nothing. */
export function blobReader(store: Pick<BlobStore, 'open'>, { sealing, log }: BlobsOptions = {}): Blobs['read'] {
  const inspect = createInspection();

  /** What the blob holds; where it is known what that should be, it is that. */
  async function inspected(blob: OpenBlob, id: string, sha256: string | undefined): Promise<Content> {
    if (sha256 === undefined) return contentOf(blob, id, sealing);
    try {
      const content = await contentOf(blob, id, sealing);
      if ((await inspect(id, blob.version, () => hashOf(content))) === sha256) return content;
    } catch {
      // Sealed, and changed; or a bad place of the disk.
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
      return { stream: streamOf(read(start, Math.min(end, size - 1)), blob.close), size };
    } catch (error) {
      await blob?.close().catch(() => undefined);
      throw error instanceof AppError ? error : storageUnavailable(error);
    }
  };
}

/** AppError STORAGE_UNAVAILABLE where the store fails. */
const refusing = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw storageUnavailable(error);
  });

interface Content {
  readonly size: number;
  /** The bytes from `start` to `end`, both included. Rejects with an AppError where they are not what was written. */
  read(start: number, end: number): AsyncIterable<Buffer>;
}

/** Bytes read at a time. */
const pieceLength = 65_536;

async function contentOf(blob: OpenBlob, name: string, sealing: Sealing | undefined): Promise<Content> {
  if (sealing) return openSealed(blob, sealing, name);
  return { size: blob.size, read: (start, end) => blob.read(start, end, pieceLength) };
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

/** A name of this form leads nowhere else. */
function checkId(id: string): string {
  if (!idForm.test(id)) throw new AppError('INTERNAL_ERROR', { message: 'That is not the id of a blob.' });
  return id;
}

/** One blob after the other: the sealed one is complete and durable before the plain one goes. */
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
        hint: 'It was left as it is. Make room on the disk, or move that file away, and start again.',
        cause,
      });
    }
  }
}

async function sealBlob(store: BlobStore, id: string, sealing: Sealing): Promise<void> {
  const blob = await store.open(id);
  if (!blob) return;
  try {
    await store.put(id + sealedEnding, sealStream(sealing, id, blob.read(0, blob.size - 1, pieceLength)));
  } finally {
    await blob.close();
  }
}

/** The pieces as a stream that closes the blob, also where nobody ever reads it. */
function streamOf(content: AsyncIterable<Buffer>, close: () => Promise<void>): Readable {
  const pieces = content[Symbol.asyncIterator]();
  return new Readable({
    read() {
      pieces.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: Error) => this.destroy(error),
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

/** Measures what passes through, and tells a source that broke off from a store that did. */
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

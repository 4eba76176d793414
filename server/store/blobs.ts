/** The port behind which audio is kept: files named by id, written as a stream, durable before they are named in a document. */
import type { Readable } from 'node:stream';

export interface BlobStore {
  /**
   * Writes the stream to disk as it comes and syncs it. Rejects with AppError PAYLOAD_TOO_LARGE past `limit` bytes and
   * STORAGE_UNAVAILABLE when the disk fails; nothing is left then. `id` comes from ids.ts, never from a request.
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
  /** Puts the stream aside, as a file that has no name: it is gone with whoever forgets to discard it. Rejects as `write`. */
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

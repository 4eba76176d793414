/**
 * The port of a blob store, which keeps audio as bytes under names. Handlers don't use this port: `blobs.ts` is between,
 * checks names and lengths, encrypts, and proves that a reader gets the bytes that were written. A blob store promises:
 *
 * - `put` writes the whole blob or nothing, and replaces a blob of the same name. Once `put` resolves, the blob is durable,
 *   and every process over the same store finds the blob.
 * - The content of an opened blob never changes: a read gives the bytes of the moment of opening, or fails.
 * - A call, and the reading of a blob, rejects with the error of the storage itself: `blobs.ts` turns that error into
 *   STORAGE_UNAVAILABLE. An error of the system for a file concerns that one blob, any other one the whole store.
 *
 * Nothing here assumes one process, or files.
 */
export interface BlobStore {
  /** Shown to the operator: `files`, `memory`, `s3`. */
  readonly name: string;
  /** Rethrows an error of `content`, and leaves nothing behind then. `name` has letters, digits, `_` and `.`. */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** `undefined` where the store has no blob of this name. */
  open(name: string): Promise<OpenBlob | undefined>;
  /** Removes the blob. A blob that is already gone is no error. */
  remove(name: string): Promise<void>;
  /** The names that begin with `prefix`, in any order. */
  list(prefix: string): AsyncIterable<string>;
  /** Puts the content aside without a name. The content is gone after `close`, or with the process. Rejects as `put`. */
  stage(content: AsyncIterable<Uint8Array>): Promise<OpenBlob>;
  /** Rejects if the store would now refuse a blob of this many bytes. */
  probe(bytes: number): Promise<void>;
  usage(): Promise<BlobUsage>;
  /**
   * Removes what interrupted calls, of any process, left behind before that moment (ms since 1970). Absent if the store does so
   * when it is opened.
   */
  tidy?(before: number): Promise<void>;
  close(): Promise<void>;
}

export interface OpenBlob {
  /** In bytes. */
  readonly size: number;
  /** Differs after every write to the blob. */
  readonly version: string;
  /** The bytes from `start` to `end`, both included, in pieces of `step` bytes; the last piece may be shorter. */
  read(start: number, end: number, step: number): AsyncIterable<Buffer>;
  /** Ends all reads of the blob. May be called again. */
  close(): Promise<void>;
}

export interface BlobUsage {
  readonly files: number;
  readonly bytes: number;
}

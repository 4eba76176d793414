/**
 * The port behind which audio is kept, as bytes under names. Handlers don't use this port: `blobs.ts` stands between, checks
 * names and lengths, encrypts, and proves that what is given out is what was written. A store of blobs promises:
 *
 * - `put` is durable when it resolves, and whole or not at all; a blob of that name is replaced. Every process over the same
 *   blobs finds it from then on.
 * - An opened blob stays what it was when it was opened, or its reading fails.
 * - A call rejects with whatever went wrong: `blobs.ts` makes STORAGE_UNAVAILABLE of it.
 *
 * Nothing here assumes one process, or files.
 */
export interface BlobStore {
  /** Shown to the operator: `files`, `memory`. */
  readonly name: string;
  /** Where `content` throws, its error is thrown on, and nothing is left. `name` has letters, digits, `_` and `.`. */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** `undefined` where there is no such blob. */
  open(name: string): Promise<OpenBlob | undefined>;
  /** Nothing happens where it is already gone. */
  remove(name: string): Promise<void>;
  /** The names that begin so, in any order. */
  list(prefix: string): AsyncIterable<string>;
  /** Puts the content aside without a name: nothing is left of it after `close`, or after the process. Rejects as `put`. */
  stage(content: AsyncIterable<Uint8Array>): Promise<OpenBlob>;
  /** Rejects where so many bytes more would be refused now. */
  probe(bytes: number): Promise<void>;
  usage(): Promise<BlobUsage>;
  close(): Promise<void>;
}

export interface OpenBlob {
  /** In bytes. */
  readonly size: number;
  /** Another one whenever somebody wrote to the blob since. */
  readonly version: string;
  /** The bytes from `start` to `end`, both included, in pieces of `step` bytes, of which the last may be shorter. */
  read(start: number, end: number, step: number): AsyncIterable<Buffer>;
  /** Ends what is being read. Once or more often. */
  close(): Promise<void>;
}

export interface BlobUsage {
  readonly files: number;
  readonly bytes: number;
}

/**
 * The port behind which documents are kept. A store promises:
 *
 * - `transact` is atomic and isolated: all its changes or none, and what it read is still true when it commits. Its
 *   promise settles only once the commit is durable; a failure (AppError STORAGE_UNAVAILABLE) means nothing happened.
 * - `work` may be run again if the store chose to run it optimistically, so it must have no other effects.
 * - Reads outside a transaction see committed data. Documents are values: what a store gives out or takes in is never
 *   changed afterwards by anybody.
 * - Within a collection `find` goes by id, newest first: ids sort in order of creation (see ids.ts).
 *
 * Nothing here assumes one process: every call is a promise, and every lookup goes through a declared index.
 */
import type { CollectionName, Documents, IndexName } from './collections.ts';

export interface Query<C extends CollectionName> {
  /** Declared in collections.ts, with the key to look up; without it the whole collection is walked. */
  readonly index?: IndexName<C>;
  readonly key?: string;
  /** Only documents older than this id: where the last page ended. */
  readonly before?: string;
  readonly limit?: number;
  /** Further condition, checked on each document found. */
  readonly where?: (document: Documents[C]) => boolean;
}

export interface Reader {
  get<C extends CollectionName>(collection: C, id: string): Promise<Documents[C] | undefined>;
  /** Newest first. */
  find<C extends CollectionName>(collection: C, query: Query<C>): Promise<readonly Documents[C][]>;
  count(collection: CollectionName): Promise<number>;
}

export interface Transaction extends Reader {
  /** Inserts or replaces by `id`. Seen at once by this transaction's own reads. */
  put<C extends CollectionName>(collection: C, document: Documents[C]): void;
  remove(collection: CollectionName, id: string): void;
}

export interface Store extends Reader {
  /** Shown to the operator: `lowdb`, `memory`. */
  readonly name: string;
  transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Waits for what is under way; afterwards every call fails. */
  close(): Promise<void>;
}

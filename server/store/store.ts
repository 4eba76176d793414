/**
 * The port behind which documents are kept. A store promises:
 *
 * - `transact` is atomic and isolated: all its changes or none, and what it read is still true when it commits. Its
 *   promise settles only once the commit is durable; a failure (AppError STORAGE_UNAVAILABLE) means nothing happened.
 * - `work` may be run again if the store chose to run it optimistically, so it has no effect but what it writes and
 *   publishes through its transaction, and what it returns: of several runs, those of the last one alone count.
 * - A commit is announced (`watch`, `subscribe`) once it is durable, in the order of the commits, and one that failed never
 *   is. Every process over the same data hears of every commit, whoever made it: what follows from a commit is done by
 *   those who listen.
 * - Reads outside a transaction see what is durable, and nothing that may still be undone; they wait for nobody.
 * - Documents are values: what a store gives out or takes in is never changed afterwards by anybody.
 * - Within a collection `find` goes by id, newest first: ids sort in order of creation (see ids.ts).
 * - What was removed may lie on a disk until `compact` has run.
 * - `dump` and `replace` move everything at once: for backups, and for what else looks at all there is.
 *
 * Nothing here assumes one process: every call is a promise, and every lookup goes through a declared index.
 */
import type { CollectionName, Documents, InstantIndex, KeyIndex, NameIndex } from './collections.ts';
import type { FeedName, Feeds } from './feeds.ts';

/** From one instant to another, both included; ms since 1970. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/**
 * Which documents: all that is said has to hold, and `undefined` says nothing. Conditions are data, so that a store can
 * answer them by its indexes alone.
 */
export interface Conditions<C extends CollectionName> {
  /** What the document gives to the index. For an index within a space the space is said as well. */
  readonly is?: { readonly [I in NameIndex<C>]?: string | undefined };
  readonly during?: { readonly [I in InstantIndex<C>]?: Period | undefined };
  /** Each word of it begins a word of the document's text; see search-text.ts. */
  readonly text?: string | undefined;
}

export interface Query<C extends CollectionName> extends Conditions<C> {
  /** Only documents older than this id: where the last page ended. */
  readonly before?: string;
  readonly limit?: number;
}

export interface Reader {
  get<C extends CollectionName>(collection: C, id: string): Promise<Documents[C] | undefined>;
  /** Newest first. */
  find<C extends CollectionName>(collection: C, query: Query<C>): Promise<readonly Documents[C][]>;
  /** The newest document under each of the names in the space, in their order: many look-ups in one. */
  findEach<C extends CollectionName>(
    collection: C,
    index: KeyIndex<C>,
    space: string,
    names: readonly string[],
  ): Promise<readonly (Documents[C] | undefined)[]>;
  count(collection: CollectionName): Promise<number>;
}

/** Reads and writes together. */
export interface Writer extends Reader {
  /** Inserts or replaces by `id`. Seen at once by this transaction's own reads. */
  put<C extends CollectionName>(collection: C, document: Documents[C]): void;
  remove(collection: CollectionName, id: string): void;
}

export interface Transaction extends Writer {
  /** Tells all who subscribe to the feed, once this is committed. */
  publish<F extends FeedName>(feed: F, change: Feeds[F]): void;
}

/** A document and where it is kept. */
export type StoredDocument = {
  [C in CollectionName]: { readonly collection: C; readonly document: Documents[C] };
}[CollectionName];

export interface Store extends Reader {
  /** Shown to the operator: `lowdb`, `memory`. */
  readonly name: string;
  transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * A transaction that changes a great part of what there is, and need not fit into one commit: it works on a copy of
   * everything, and costs that much. Other transactions wait for its end, readers don't.
   */
  overhaul<T>(work: (tx: Writer) => Promise<T>): Promise<T>;
  /**
   * Calls `listener` with the ids of what each commit put into a collection or removed from it, once that is durable and
   * before `transact` settles; `overhaul` and `replace` tell nothing. The function returned ends it.
   */
  watch(collection: CollectionName, listener: (ids: readonly string[]) => void): () => void;
  /**
   * Calls `listener` with what each commit published to the feed, in the order in which it did, when `watch` would; the
   * function returned ends it.
   */
  subscribe<F extends FeedName>(feed: F, listener: (changes: readonly Feeds[F][]) => void): () => void;
  /** Every document, as all of them were when the first one was asked for, by collection; other work goes on. */
  dump(): AsyncIterable<StoredDocument>;
  /**
   * These documents instead of all there are, once they have all come and are durable; other transactions wait only for
   * the second. VALIDATION_FAILED where one of them cannot be kept, and whatever the source throws: nothing happened then.
   */
  replace(documents: AsyncIterable<StoredDocument>): Promise<void>;
  /** Afterwards nothing that was removed before can be found on any disk. Other work goes on. */
  compact(): Promise<void>;
  /** Rejects with AppError STORAGE_UNAVAILABLE while changes are refused, be it only new work, or what is as large as the last one. */
  probe(): Promise<void>;
  /** Throws AppError STORAGE_UNAVAILABLE where there is no memory for so many bytes of documents beside those it has. */
  requireRoom(bytes: number): void;
  /** How many times changes were refused. */
  setbacks(): number;
  /** Waits for what is under way; afterwards every call fails. */
  close(): Promise<void>;
}

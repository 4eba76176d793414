/**
 * The port of a document store. A store promises:
 *
 * - `transact` is atomic and isolated: the store makes all changes or none, and the documents that `work` read are unchanged
 *   when it commits. The promise settles only once the commit is durable. AppError STORAGE_UNAVAILABLE: nothing has changed.
 *   OUTCOME_UNKNOWN: the changes may be found later, here or at a later start; until then nobody removes what they need.
 * - An optimistic store may run `work` again. So `work` has no effect except its result and what it writes and publishes
 *   through its transaction; of several runs only the last one counts.
 * - The store announces a commit (`watch`, `subscribe`) once the commit is durable, and never announces a failed commit. Every
 *   process over the same data hears of every commit, so listeners do what follows from it.
 * - In which order transactions commit that run at once is not promised: one comes after another if it began after the other settled.
 * - Reads outside a transaction see only durable commits, and wait for nobody.
 * - Documents are values: nobody changes a document after the store gave it out or took it in.
 * - Each commit that changes items has a number, greater than those of all earlier ones, whatever the clock does and however often
 *   the server starts. Nobody knows it beforehand: an item that is put with `unnumbered` gets it with the commit, and keeps it until
 *   it is put like that again.
 * - Within a collection `find` returns documents by id, newest first: ids sort in order of creation (see ids.ts).
 * - Removed documents may lie on a disk until `compact` has run.
 * - `dump` and `replace` move all documents at once, for backups and similar work.
 *
 * Nothing here assumes one process: every call is a promise, and every lookup goes through a declared index.
 */
import type { BundleWriter, Packer } from './tables/packer.ts';
import type { CollectionName, Documents, GroupIndex, InstantIndex, KeyIndex } from './collections.ts';
import type { Actor } from './actor.ts';
import type { FeedName, Feeds } from './feeds.ts';

/** A period from one instant to another, both included; ms since 1970. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/**
 * The conditions that a document must meet, all of them; `undefined` is no condition. Conditions are data, so that a store
 * can answer a query from its indexes alone.
 */
export interface Conditions<C extends CollectionName> {
  /**
   * The value of the document in the index; for a group, one of several. An index within a space needs the condition `space`
   * too.
   */
  readonly is?: { readonly [I in KeyIndex<C>]?: string | undefined } & {
    readonly [I in GroupIndex<C>]?: string | readonly string[] | undefined;
  };
  readonly during?: { readonly [I in InstantIndex<C>]?: Period | undefined };
  /** Each word of this text must begin a word of the document's text; see search-text.ts. */
  readonly text?: string | undefined;
}

/** Conditions of groups alone. */
export interface GroupConditions<C extends CollectionName> {
  readonly is?: { readonly [I in GroupIndex<C>]?: string | readonly string[] | undefined };
}

export interface CountConditions<C extends CollectionName> extends GroupConditions<C> {
  /** An estimate is enough, where a store would have to read a whole index. */
  readonly roughly?: true;
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
  /** For each name, in order, the newest document of that name in the space: many look-ups in one call. */
  findEach<C extends CollectionName>(
    collection: C,
    index: KeyIndex<C>,
    space: string,
    names: readonly string[],
  ): Promise<readonly (Documents[C] | undefined)[]>;
  /** Answered by the indexes: no document is read. Default: all. */
  count<C extends CollectionName>(collection: C, conditions?: CountConditions<C>): Promise<number>;
  /** The oldest document that meets the conditions. Found by the indexes: no other document is read. */
  oldest<C extends CollectionName>(collection: C, conditions: GroupConditions<C>): Promise<Documents[C] | undefined>;
}

/** Reads and writes documents. */
export interface Writer extends Reader {
  /** Inserts or replaces by `id`. Seen at once by this transaction's own reads. */
  put<C extends CollectionName>(collection: C, document: Documents[C]): void;
  remove(collection: CollectionName, id: string): void;
}

/** Documents of a collection that a transaction has put or removed. */
export interface WrittenIds {
  readonly collection: CollectionName;
  readonly ids: readonly string[];
}

/** The `commit` of an item that is to get the number of the commit that stores it. */
export const unnumbered = 0;

export interface Transaction extends Writer {
  /** The documents that this transaction has written so far, by collection, in the order of the first writes. */
  written(): readonly WrittenIds[];
  /** Where the store takes documents that are packed already. */
  readonly packer?: BundleWriter;
  /** Notifies the subscribers of the feed, once the transaction is committed. */
  publish<F extends FeedName>(feed: F, change: Feeds[F]): void;
}

/**
 * Where published changes stand, alike in every process over the store. A position is a text: the epoch, in which all positions can be
 * compared, and two numbers.
 */
export interface Positions {
  /** Behind everything that listeners in this process have heard. */
  current(): string;
  /**
   * The latest changes to the feed that were published before, in order, without those that listeners hear from now on. `after`: no change
   * after that position is missing.
   */
  recent<F extends FeedName>(feed: F): Promise<RecentChanges<Feeds[F]>>;
  /** Calls `listener` when another process has replaced or overhauled all documents, which begins an epoch. */
  onReplaced(listener: () => void): void;
}

export interface RecentChanges<C> {
  readonly after: string;
  readonly changes: readonly { readonly position: string; readonly change: C }[];
}

/** A document and its collection. */
export type StoredDocument = {
  [C in CollectionName]: { readonly collection: C; readonly document: Documents[C] };
}[CollectionName];

export interface Store extends Reader {
  /** Shown to the operator: `lowdb`, `memory`. */
  readonly name: string;
  /** `actor`: who acts, for the audit trail (server/operations/audit); a store itself takes no notice. */
  transact<T>(work: (tx: Transaction) => Promise<T>, actor?: () => Actor): Promise<T>;
  /**
   * A transaction that changes a large part of all documents, too large for one commit. It works on a copy of all documents,
   * and takes the memory of that copy. Other transactions wait for its end; readers don't.
   */
  overhaul<T>(work: (tx: Writer) => Promise<T>): Promise<T>;
  /**
   * Calls `listener` with the ids that each commit put into the collection or removed from it, once the commit is durable and
   * before its `transact` settles; commits of other processes follow soon. `overhaul` and `replace` announce nothing. The returned
   * function ends the watch.
   */
  watch(collection: CollectionName, listener: (ids: readonly string[]) => void): () => void;
  /**
   * Calls `listener` with the changes that each commit published to the feed, soon after the commit is durable: everybody, in every
   * process, hears all changes in one and the same order. `positions`: that of each change. The returned function ends the subscription.
   */
  subscribe<F extends FeedName>(
    feed: F,
    listener: (changes: readonly Feeds[F][], positions?: readonly string[]) => void,
  ): () => void;
  /** Absent where one process has the store: its feeds count by themselves. */
  readonly positions?: Positions;
  /**
   * Up to which commit items can be read: all that changes items later has a greater number. And from which commit on the
   * numbers show what changed: they begin again where all documents are replaced at once.
   */
  commits(): Promise<Period>;
  /** Where threads can pack documents for the store. */
  readonly packer?: Packer;
  /** Every document, by collection in the order of `collectionNames`, as all of them were when the caller read the first one. Other work goes on. */
  dump(): AsyncIterable<StoredDocument>;
  /**
   * Replaces all documents by these, once all of them have arrived and are durable; other transactions wait only while they
   * become durable. Rejects with VALIDATION_FAILED if a document cannot be stored, and with any error of the source; nothing
   * has changed then.
   */
  replace(documents: AsyncIterable<StoredDocument>): Promise<void>;
  /** Deletes all documents removed so far from every disk. Other work goes on. */
  compact(): Promise<void>;
  /** Rejects with AppError STORAGE_UNAVAILABLE while the store refuses new work, or changes as large as the largest refused ones. */
  probe(): Promise<void>;
  /** Throws AppError STORAGE_UNAVAILABLE if memory has no room for this many more bytes of documents. */
  requireRoom(bytes: number): void;
  /** The number of refused changes. */
  setbacks(): number;
  /** Waits for the present calls to settle; afterwards every call fails. */
  close(): Promise<void>;
}

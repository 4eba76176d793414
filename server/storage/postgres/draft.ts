/**
 * The draft of a transaction: what it has read, and what it will write. Its work runs outside of any transaction of the database; when the
 * draft commits, a proof shows that everything it read is still so.
 */
import { elementAt } from '../../../src/domain/elements.ts';
import type { CollectionName } from '../collections.ts';
import type { FeedChange, FeedName } from '../feeds.ts';
import type { Transaction } from '../store.ts';
import { usedAfterEnd } from '../transactions/transaction.ts';
import type { AnyDocument } from '../transactions/tables.ts';
import type { PublishedChanges } from '../transactions/transaction.ts';
import { listKeyNames } from './layout.ts';
import type { KeyName } from './layout.ts';
import { createReader } from './reader.ts';
import type { Notes, ReadingDeps, SeenNames, SeenQuery } from './reader.ts';
import type { Row } from './rows.ts';
import { indexesOf } from '../transactions/conditions.ts';

/** A document as the transaction read it; `x` is null where it was not there. */
export interface SeenDocument {
  readonly collection: CollectionName;
  readonly id: string;
  readonly x: string | null;
}

export type WrittenDocuments = ReadonlyMap<CollectionName, ReadonlyMap<string, AnyDocument | undefined>>;

/** A lease on which a draft depends. */
export interface NeededLease {
  readonly name: string;
  readonly member: string;
  /** The place of its claim. */
  readonly place: string;
}

/** Transactions have it, so that a lease can be confirmed by the one that needs it. */
export const needLease = Symbol('need a lease');

export interface LeasedTransaction extends Transaction {
  readonly [needLease]: (lease: NeededLease) => void;
}

export interface Draft {
  readonly transaction: Transaction;
  readonly written: WrittenDocuments;
  readonly published: PublishedChanges;
  readonly documents: readonly SeenDocument[];
  readonly queries: readonly SeenQuery[];
  readonly names: readonly SeenNames[];
  readonly leases: readonly NeededLease[];
  /** The ids of new documents that nobody else can have made. */
  isFresh(collection: CollectionName, id: string): boolean;
  /** The document as it was before; `undefined`: it was not there, or is fresh. */
  before(collection: CollectionName, id: string): AnyDocument | undefined;
  /** Ends the transaction: its later calls fail. `isRefused`: it writes nothing. */
  end(isRefused: boolean): void;
  /** Reads the documents that it writes and has not read. `isCareful`: also those with new ids. */
  complete(isCareful: boolean): Promise<void>;
  keys(): DraftKeys;
}

/** The ids and names that a draft touches, as texts. */
export interface DraftKeys {
  readonly read: ReadonlySet<string>;
  /** Those of the documents as they will be, and as they were. */
  readonly written: ReadonlySet<string>;
}

/** Ids of our maker end with 80 bits of chance (ids.ts). */
const madeId = /_0[0-9A-HJKMNP-TV-Z]{25}$/;

/**
 * Collections of settings, of which transactions read all: such a read is locked against every change of the collection. In the others
 * a read that names no key is proved but not locked, so that two transactions at once may miss each other.
 */
const small: ReadonlySet<CollectionName> = new Set<CollectionName>([
  'webhooks',
  'subscriptions',
  'channels',
  'templates',
  'users',
  'clients',
  'devices',
  'transcriptions',
]);

/** A member is put out only after the commits that depend on it. */
export const memberKey = (member: string): string => `member ${member}`;

/** The key of a document's lock. */
export const documentKey = (collection: CollectionName, id: string): string => `${collection} ${id}`;
const nameKey = (collection: CollectionName, { index, space, name }: KeyName): string =>
  `${collection} ${index} ${space} ${name}`;

export function createDraft(reading: ReadingDeps): Draft {
  const written = new Map<CollectionName, Map<string, AnyDocument | undefined>>();
  const published: PublishedChanges = new Map();
  const documents: SeenDocument[] = [];
  const queries: SeenQuery[] = [];
  const names: SeenNames[] = [];
  const leases: NeededLease[] = [];
  const befores = new Map<string, AnyDocument | undefined>();
  const fresh = new Set<string>();
  let isOver = false;

  const checkActive = (): void => {
    if (isOver) throw usedAfterEnd();
  };
  const noteBefore = (collection: CollectionName, rows: readonly Row[]): void => {
    for (const row of rows) befores.set(documentKey(collection, row.doc.id), row.doc);
  };
  const notes: Notes = {
    document(collection, id, row) {
      documents.push({ collection, id, x: row?.x ?? null });
      befores.set(documentKey(collection, id), row?.doc);
    },
    query(seen, rows) {
      queries.push(seen);
      noteBefore(seen.collection, rows);
    },
    names(seen, rows) {
      names.push(seen);
      noteBefore(seen.collection, rows);
    },
  };
  const reader = createReader({
    ...reading,
    notes,
    written(collection) {
      checkActive();
      return written.get(collection);
    },
  });
  function write(collection: CollectionName, id: string, document: AnyDocument | undefined): void {
    checkActive();
    let own = written.get(collection);
    if (!own) written.set(collection, (own = new Map()));
    own.set(id, document);
  }

  const transaction: LeasedTransaction = {
    ...reader,
    put: (collection, document) => write(collection, document.id, document),
    remove: (collection, id) => write(collection, id, undefined),
    written() {
      checkActive();
      return Array.from(written, ([collection, own]) => ({ collection, ids: [...own.keys()] }));
    },
    publish(feed, change) {
      checkActive();
      publishTo(published, feed, change);
    },
    [needLease]: (lease) => void leases.push(lease),
  };

  return {
    transaction,
    written,
    published,
    documents,
    queries,
    names,
    leases,
    isFresh: (collection, id) => fresh.has(documentKey(collection, id)),
    before: (collection, id) => befores.get(documentKey(collection, id)),
    end(isRefused) {
      isOver = true;
      if (!isRefused) return;
      written.clear();
      published.clear();
    },
    async complete(isCareful) {
      const reading: Promise<void>[] = [];
      for (const [collection, own] of written) {
        const unread: string[] = [];
        for (const [id, document] of own) {
          const key = documentKey(collection, id);
          if (befores.has(key)) continue;
          if (document && !isCareful && madeId.test(id)) fresh.add(key);
          else unread.push(id);
        }
        if (unread.length > 0) reading.push(readBefore(collection, unread));
      }
      await Promise.all(reading);
    },
    keys() {
      const read = new Set<string>();
      const changed = new Set<string>();
      for (const { collection, id } of documents) read.add(documentKey(collection, id));
      for (const { collection, index, space, names: sought } of names)
        for (const name of sought) read.add(nameKey(collection, { index, space, name }));
      for (const query of queries) for (const key of queryKeys(query)) read.add(key);
      for (const { member } of leases) read.add(memberKey(member));
      for (const [collection, own] of written) {
        if (small.has(collection)) changed.add(`${collection} *`);
        for (const [id, document] of own) {
          const key = documentKey(collection, id);
          if (!fresh.has(key)) changed.add(key);
          for (const each of [document, befores.get(key)])
            if (each) for (const name of listKeyNames(collection, each)) changed.add(nameKey(collection, name));
        }
      }
      return { read, written: changed };
    },
  };

  async function readBefore(collection: CollectionName, ids: readonly string[]): Promise<void> {
    const rows = await reading.lookups.byId(collection, ids);
    rows.forEach((row, at) => notes.document(collection, elementAt(ids, at), row));
  }
}

/** The names by which a query asks, or the whole of a small collection. */
function queryKeys({ collection, conditions }: SeenQuery): string[] {
  const is = (conditions.is ?? {}) as Readonly<Record<string, string | readonly string[] | undefined>>;
  const found: string[] = [];
  for (const [index, name] of Object.entries(is)) {
    const declared = indexesOf(collection)[index];
    if (declared?.kind !== 'key' || typeof name !== 'string') continue;
    const space = declared.within ? String(is[declared.within]) : '';
    found.push(nameKey(collection, { index, space, name }));
  }
  return found.length === 0 && small.has(collection) ? [`${collection} *`] : found;
}

function publishTo(published: PublishedChanges, feed: FeedName, change: FeedChange): void {
  const before = published.get(feed);
  if (before) before.push(change);
  else published.set(feed, [change]);
}

/** Readers and transactions over the tables. The writes of a transaction wait in a draft; its own reads see them. */
import { AppError } from '../../../src/contract/errors.ts';
import type { CollectionName, Documents, KeyIndex } from '../collections.ts';
import type { FeedChange, FeedName } from '../feeds.ts';
import { unnumbered } from '../store.ts';
import type { Conditions, GroupConditions, Query, Reader, Transaction, Writer, WrittenIds } from '../store.ts';
import { createBreaks } from '../../runtime/breaks.ts';
import { createMatcher } from './conditions.ts';
import type { AnyDocument, Change, Tables } from './tables.ts';
import { countIn, findIn, newestUnder, oldestIn } from '../tables/find.ts';
import type { Step } from '../tables/find.ts';
import type { Bundled } from '../tables/bundle.ts';
import { Table } from '../tables/table.ts';

/** The changes that a transaction published, by feed. */
export type PublishedChanges = Map<FeedName, FeedChange[]>;

export interface Draft {
  readonly transaction: Transaction;
  readonly published: PublishedChanges;
  /** Ends the transaction: its later calls fail. Returns its writes, at most one change per document. */
  end(): Change[];
}

/** Documents put to one collection; `undefined`: a removal. */
export interface Writes {
  readonly documents: Map<string, AnyDocument | undefined>;
  /** Documents of bundles; they become objects once somebody reads or writes others of the collection. */
  bundled: readonly Bundled[] | undefined;
  /** The put documents in an indexed table, which the first search among more than a few makes. */
  table: Table | undefined;
}

export type WrittenDocuments = Map<CollectionName, Writes>;

export function writeTo(
  written: WrittenDocuments,
  collection: CollectionName,
  id: string,
  document: AnyDocument | undefined,
): void {
  const writes = written.get(collection) ?? beginWrites(written, collection);
  writes.documents.set(id, document);
  writes.table?.set(id, document);
}

function beginWrites(written: WrittenDocuments, collection: CollectionName): Writes {
  const writes: Writes = { documents: new Map(), bundled: undefined, table: undefined };
  written.set(collection, writes);
  return writes;
}

/** `commit`: the number that items get in this transaction. */
export function createDraft(tables: Tables, commit: number): Draft {
  const written: WrittenDocuments = new Map();
  const published: PublishedChanges = new Map();
  let ended = false;

  const checkActive = (): void => {
    if (ended) throw usedAfterEnd();
  };
  const getWrites = (collection: CollectionName): Writes | undefined => {
    checkActive();
    const writes = written.get(collection);
    const bundled = writes?.bundled;
    if (bundled) {
      writes.bundled = undefined;
      for (const packed of bundled) writeTo(written, collection, packed.id, tables[collection].unpacked(packed));
    }
    return writes;
  };
  const reader = createReader(tables, getWrites);
  /** Changes the object that was put, because a copy of each item would slow down an ingest. */
  const numberItem = (item: Documents['items'] | undefined): void => {
    if (item?.commit === unnumbered) item.commit = commit;
  };
  const write = (collection: CollectionName, id: string, document: AnyDocument | undefined): void => {
    getWrites(collection);
    if (collection === 'items') numberItem(document as Documents['items'] | undefined);
    writeTo(written, collection, id, document);
  };

  return {
    transaction: {
      ...reader,
      put: (collection, document) => write(collection, document.id, document),
      remove: (collection, id) => write(collection, id, undefined),
      packer: {
        canPut(bundle, taken) {
          checkActive();
          const table = tables[bundle.collection];
          if (table.stringTable !== bundle.stringTable) return false;
          return taken.every(
            ({ collection, index, names }) =>
              !written.has(collection) && !tables[collection].mayHave(index, table.hashesIn(names, bundle)),
          );
        },
        put(bundle, ids, at) {
          const { collection } = bundle;
          const writes = getWrites(collection) ?? beginWrites(written, collection);
          const stamp = { created_at: at, updated_at: at, version: 1, commit };
          writes.bundled = tables[collection].stamp(bundle, ids, stamp);
        },
      },
      written() {
        checkActive();
        const all: WrittenIds[] = [];
        for (const [collection, { documents, bundled }] of written) {
          const ids = [...documents.keys()];
          for (const { id } of bundled ?? nothing) ids.push(id);
          all.push({ collection, ids });
        }
        return all;
      },
      publish(feed, change) {
        checkActive();
        const before = published.get(feed);
        if (before) before.push(change);
        else published.set(feed, [change]);
      },
    },
    published,
    end() {
      ended = true;
      const changes: Change[] = [];
      for (const [collection, { documents, bundled }] of written) {
        documents.forEach((document, id) => {
          if (document || tables[collection].has(id)) changes.push({ collection, id, document, packed: undefined });
        });
        for (const document of bundled ?? nothing)
          changes.push({ collection, id: document.id, document, packed: undefined });
      }
      // Waiting for the commit keeps the draft in memory.
      written.clear();
      return changes;
    },
  };
}

/** A transaction that writes straight into the tables. Its calls fail after `end`. */
export function createDirect(tables: Tables): { readonly transaction: Writer; end(): void } {
  let ended = false;
  const checkActive = (): undefined => {
    if (ended) throw usedAfterEnd();
  };
  const set = (collection: CollectionName, id: string, document: AnyDocument | undefined): void => {
    checkActive();
    tables[collection].set(id, document);
  };
  return {
    transaction: {
      ...createReader(tables, checkActive),
      put: (collection, document) => set(collection, document.id, document),
      remove: (collection, id) => set(collection, id, undefined),
    },
    end: () => void (ended = true),
  };
}

const nothing: readonly never[] = [];

export const usedAfterEnd = (): AppError =>
  new AppError('INTERNAL_ERROR', { message: 'A transaction was used after its end.' });

/** Reads each collection with the writes of `writesTo` applied. Every read calls `writesTo`, which may throw to refuse the read. */
export function createReader(tables: Tables, writesTo: (collection: CollectionName) => Writes | undefined): Reader {
  return {
    async get<C extends CollectionName>(collection: C, id: string) {
      const documents = writesTo(collection)?.documents;
      const document = documents?.has(id) ? documents.get(id) : tables[collection].get(id);
      return document as Documents[C] | undefined;
    },
    async find<C extends CollectionName>(collection: C, query: Query<C>) {
      const { limit = Infinity } = query;
      const results: AnyDocument[] = [];
      const breathe = createBreaks();
      let { before } = query;
      for (let isDone = limit <= 0; !isDone;) {
        isDone = true;
        const rest = { ...query, ...(before !== undefined && { before }) };
        const writes = writesTo(collection);
        for (const { documents, from } of writes
          ? merged(tables[collection], rest, writes)
          : findIn(tables[collection], rest)) {
          for (const document of documents) if (results.length < limit) results.push(document);
          if (results.length === limit) break;
          const turn = breathe();
          if (!turn) continue;
          await turn;
          // Other work may have changed the documents that this search has not reached: query the rest again.
          before = from;
          isDone = false;
          break;
        }
      }
      return results as Documents[C][];
    },
    async findEach<C extends CollectionName>(
      collection: C,
      index: KeyIndex<C>,
      space: string,
      names: readonly string[],
    ) {
      const table = tables[collection];
      const writes = writesTo(collection);
      if (!writes) return newestUnder(table, index, space, names) as (Documents[C] | undefined)[];
      return names.map((name) => newest(merged(table, { is: { space, [index]: name } } as Query<C>, writes)));
    },
    async count<C extends CollectionName>(collection: C, conditions: GroupConditions<C> = {}) {
      const table = tables[collection];
      const matches = createMatcher(collection, conditions as Conditions<C>);
      const counts = (document: AnyDocument | undefined): number =>
        Number(document !== undefined && matches(document as Documents[C]));
      let count = 0;
      // Without a break: whatever is committed meanwhile would be counted in part.
      for (const counted of countIn(table, conditions as Conditions<CollectionName>)) count += counted;
      for (const [id, document] of writesTo(collection)?.documents ?? [])
        count += counts(document) - counts(table.get(id));
      return count;
    },
    async oldest<C extends CollectionName>(collection: C, conditions: GroupConditions<C>) {
      const written = writesTo(collection)?.documents;
      const matches = createMatcher(collection, conditions as Conditions<C>);
      const unchanged = (id: string): boolean => !written?.has(id);
      let oldest = oldestIn(tables[collection], conditions as Conditions<CollectionName>, unchanged);
      for (const document of written?.values() ?? []) {
        if (document && matches(document as Documents[C]) && !(oldest && oldest.id < document.id)) oldest = document;
      }
      return oldest as Documents[C] | undefined;
    },
  };
}

function newest<D>(steps: Iterable<Step>): D | undefined {
  for (const { documents } of steps) if (documents.length > 0) return documents[0] as D;
  return undefined;
}

/** Answers the query from the table with the writes applied. */
function* merged<C extends CollectionName>(table: Table, query: Query<C>, writes: Writes): Generator<Step, void> {
  const own = foundIn(writes, table.collection, query);
  const later = (from: string): AnyDocument[] => {
    const at = own.findIndex(({ id }) => id < from);
    return own.splice(0, at < 0 ? own.length : at);
  };
  for (const { documents, from } of findIn(table, query)) {
    const unchanged = documents.filter(({ id }) => !writes.documents.has(id));
    const put = later(from);
    const together = put.length === 0 ? unchanged : [...unchanged, ...put].toSorted(newestFirst);
    yield { documents: together, from };
  }
  yield { documents: own, from: '' };
}

/** The most writes that are looked through one by one: to make a table takes as long as to look through hundreds. */
const few = 64;

/** The put documents that meet the conditions, the newest first. */
function foundIn<C extends CollectionName>(writes: Writes, collection: C, query: Query<C>): AnyDocument[] {
  if (!writes.table && writes.documents.size <= few) {
    const { before } = query;
    const matches = createMatcher(collection, query) as (document: AnyDocument) => boolean;
    const isFound = (document: AnyDocument | undefined): document is AnyDocument =>
      document !== undefined && (before === undefined || document.id < before) && matches(document);
    return [...writes.documents.values()].filter(isFound).toSorted(newestFirst);
  }
  writes.table ??= createTable(collection, writes.documents);
  return Array.from(findIn(writes.table, query), ({ documents }) => documents).flat();
}

const newestFirst = (one: AnyDocument, other: AnyDocument): number => (one.id < other.id ? 1 : -1);

function createTable(collection: CollectionName, documents: Writes['documents']): Table {
  const table = new Table(collection);
  for (const [id, document] of documents) if (document) table.set(id, document);
  return table;
}

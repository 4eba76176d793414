/** The tables as readers see them. A transaction's writes wait in a draft, and its own reads see them. */
import { AppError } from '../../src/contract/errors.ts';
import type { CollectionName, Documents, KeyIndex } from './collections.ts';
import type { Query, Reader, Transaction } from './store.ts';
import { createTable, documentOf, newestUnder, rowsIn, setDocument } from './tables.ts';
import type { AnyDocument, AnyRow, Change, Table, Tables } from './tables.ts';

export interface Draft {
  readonly transaction: Transaction;
  /** Ends the transaction: later calls of it fail. Gives what it wrote, at most one change a document. */
  end(): Change[];
}

/** Documents put to one collection; `undefined` stands for a removal. */
export interface Writes {
  readonly documents: Map<string, AnyDocument | undefined>;
  /** The documents put, ready to be searched. Made by the first search after a write. */
  table: Table | undefined;
}

export type Written = Map<CollectionName, Writes>;

export function writeTo(
  written: Written,
  collection: CollectionName,
  id: string,
  document: AnyDocument | undefined,
): void {
  let writes = written.get(collection);
  if (!writes) written.set(collection, (writes = { documents: new Map(), table: undefined }));
  writes.documents.set(id, document);
  if (writes.table) setDocument(writes.table, id, document);
}

export function createDraft(tables: Tables): Draft {
  const written: Written = new Map();
  let ended = false;

  const check = (): void => {
    if (ended) throw new AppError('INTERNAL_ERROR', { message: 'A transaction was used after its end.' });
  };
  const reader = createReader(tables, (collection) => {
    check();
    return written.get(collection);
  });
  const write = (collection: CollectionName, id: string, document: AnyDocument | undefined): void => {
    check();
    writeTo(written, collection, id, document);
  };

  return {
    transaction: {
      ...reader,
      put: (collection, document) => write(collection, document.id, document),
      remove: (collection, id) => write(collection, id, undefined),
    },
    end() {
      ended = true;
      const changes: Change[] = [];
      for (const [collection, { documents }] of written) {
        for (const [id, document] of documents) {
          if (document || documentOf(tables[collection], id)) changes.push({ collection, id, document });
        }
      }
      return changes;
    },
  };
}

/** Reads each collection as `writesTo` it would leave it; asked at every call, that may throw where nothing is to be read. */
export function createReader(tables: Tables, writesTo: (collection: CollectionName) => Writes | undefined): Reader {
  return {
    async get<C extends CollectionName>(collection: C, id: string) {
      const documents = writesTo(collection)?.documents;
      const found = documents?.has(id) ? documents.get(id) : documentOf(tables[collection], id);
      return found as Documents[C] | undefined;
    },
    async find(collection, query) {
      return findDocuments(tables[collection], collection, query, writesTo(collection));
    },
    async findEach(collection, index, space, names) {
      return findEach(tables[collection], collection, { index, space, names }, writesTo(collection));
    },
    async count(collection) {
      const table = tables[collection];
      let count = table.size;
      for (const [id, document] of writesTo(collection)?.documents ?? []) {
        count += Number(document !== undefined) - Number(documentOf(table, id) !== undefined);
      }
      return count;
    },
  };
}

/** The documents that the query asks for, newest first, as `writes` would leave them. */
function findDocuments<C extends CollectionName>(
  table: Table,
  collection: C,
  query: Query<C>,
  writes?: Writes,
): Documents[C][] {
  const { limit = Infinity } = query;
  const found: Documents[C][] = [];
  if (limit <= 0) return found;
  for (const { document } of writes ? merged(table, collection, query, writes) : rowsIn(table, query)) {
    found.push(document as Documents[C]);
    if (found.length >= limit) break;
  }
  return found;
}

interface Names<C extends CollectionName> {
  readonly index: KeyIndex<C>;
  readonly space: string;
  readonly names: readonly string[];
}

/** The newest document under each of the names, as `writes` would leave them. */
export function findEach<C extends CollectionName>(
  table: Table,
  collection: C,
  { index, space, names }: Names<C>,
  writes?: Writes,
): (Documents[C] | undefined)[] {
  if (!writes) return newestUnder(table, index, space, names) as (Documents[C] | undefined)[];
  const newest = (name: string) =>
    findDocuments(table, collection, { is: { space, [index]: name }, limit: 1 } as Query<C>, writes)[0];
  return names.map(newest);
}

function* merged<C extends CollectionName>(
  table: Table,
  collection: C,
  query: Query<C>,
  writes: Writes,
): Generator<AnyRow, void> {
  writes.table ??= createTable(collection, put(writes.documents));
  const own = [...rowsIn(writes.table, query)];
  let next = 0;
  for (const row of rowsIn(table, query)) {
    if (writes.documents.has(row.id)) continue;
    for (; next < own.length && own[next]!.id > row.id; next++) yield own[next]!;
    yield row;
  }
  yield* own.slice(next);
}

const put = (documents: ReadonlyMap<string, AnyDocument | undefined>): AnyDocument[] =>
  [...documents.values()].filter((document) => document !== undefined);

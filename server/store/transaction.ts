/** One transaction over the tables: its writes wait in a draft, and its own reads see them. */
import { AppError } from '../../src/contract/errors.ts';
import type { CollectionName, Documents, IndexName, Key } from './collections.ts';
import type { Query, Transaction } from './store.ts';
import { createTable, idsIn, newestUnder, setDocument } from './tables.ts';
import type { AnyDocument, Change, Table, Tables } from './tables.ts';

export interface Draft {
  readonly transaction: Transaction;
  /** Ends the transaction: later calls of it fail. Gives what it wrote, at most one change a document. */
  end(): Change[];
}

/** What a transaction wrote to one collection; `undefined` stands for a removal. */
interface Writes {
  readonly documents: Map<string, AnyDocument | undefined>;
  /** The documents put, ready to be searched. Made by the first search after a write. */
  table: Table | undefined;
}

export function createDraft(tables: Tables): Draft {
  const written = new Map<CollectionName, Writes>();
  let ended = false;

  const check = (): void => {
    if (ended) throw new AppError('INTERNAL_ERROR', { message: 'A transaction was used after its end.' });
  };
  const write = (collection: CollectionName, id: string, document: AnyDocument | undefined): void => {
    check();
    let writes = written.get(collection);
    if (!writes) written.set(collection, (writes = { documents: new Map(), table: undefined }));
    writes.documents.set(id, document);
    if (writes.table) setDocument(writes.table, id, document);
  };

  return {
    transaction: {
      async get<C extends CollectionName>(collection: C, id: string) {
        check();
        const documents = written.get(collection)?.documents;
        const found = documents?.has(id) ? documents.get(id) : tables[collection].documents.get(id);
        return found as Documents[C] | undefined;
      },
      async find(collection, query) {
        check();
        return findDocuments(tables[collection], collection, query, written.get(collection));
      },
      async findEach(collection, index, keys) {
        check();
        return findEach(tables[collection], collection, index, keys, written.get(collection));
      },
      async count(collection) {
        check();
        const { documents } = tables[collection];
        let count = documents.size;
        for (const [id, document] of written.get(collection)?.documents ?? []) {
          count += Number(document !== undefined) - Number(documents.has(id));
        }
        return count;
      },
      put: (collection, document) => write(collection, document.id, document),
      remove: (collection, id) => write(collection, id, undefined),
    },
    end() {
      ended = true;
      const changes: Change[] = [];
      for (const [collection, { documents }] of written) {
        for (const [id, document] of documents) {
          if (document || tables[collection].documents.has(id)) changes.push({ collection, id, document });
        }
      }
      return changes;
    },
  };
}

/** The documents that the query asks for, newest first, as `writes` would leave them. */
export function findDocuments<C extends CollectionName>(
  table: Table,
  collection: C,
  query: Query<C>,
  writes?: Writes,
): Documents[C][] {
  const { where, limit = Infinity } = query;
  const found: Documents[C][] = [];
  if (limit <= 0) return found;
  const documents = writes ? merged(table, collection, query, writes) : stored(table, query);
  for (const document of documents as Iterable<Documents[C]>) {
    if (where && !where(document)) continue;
    found.push(document);
    if (found.length >= limit) break;
  }
  return found;
}

/** The newest document under each of the keys, as `writes` would leave them. */
export function findEach<C extends CollectionName>(
  table: Table,
  collection: C,
  index: IndexName<C>,
  keys: readonly Key[],
  writes?: Writes,
): (Documents[C] | undefined)[] {
  if (writes) return keys.map((key) => findDocuments(table, collection, { index, key, limit: 1 }, writes)[0]);
  return newestUnder(table, index, keys) as (Documents[C] | undefined)[];
}

function stored<C extends CollectionName>(table: Table, query: Query<C>): Iterable<AnyDocument> {
  const ids = idsIn(table, query);
  // Most keys belong to at most one document.
  return Array.isArray(ids) ? ids.map((id: string) => table.documents.get(id)!) : each(table, ids);
}

function* each(table: Table, ids: Iterable<string>): Generator<AnyDocument, void> {
  for (const id of ids) yield table.documents.get(id)!;
}

function* merged<C extends CollectionName>(
  table: Table,
  collection: C,
  query: Query<C>,
  writes: Writes,
): Generator<AnyDocument, void> {
  writes.table ??= createTable(collection, put(writes.documents));
  const own = [...stored(writes.table, query)];
  let next = 0;
  for (const document of stored(table, query)) {
    if (writes.documents.has(document.id)) continue;
    for (; next < own.length && own[next]!.id > document.id; next++) yield own[next]!;
    yield document;
  }
  yield* own.slice(next);
}

function put(documents: ReadonlyMap<string, AnyDocument | undefined>): Map<string, AnyDocument> {
  return new Map([...documents].filter((entry): entry is [string, AnyDocument] => entry[1] !== undefined));
}

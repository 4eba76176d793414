/** Documents in memory, each collection with its order and its indexes; whatever changes them can be undone. */
import { collectionNames, indexes } from './collections.ts';
import type { CollectionName, Documents } from './collections.ts';
import { addId, newestFirst, removeId } from './sorted-ids.ts';
import type { SortedIds } from './sorted-ids.ts';

export type AnyDocument = Documents[CollectionName];

/** The documents themselves, by id: all that has to be kept. */
export type Collections = { readonly [C in CollectionName]: Map<string, Documents[C]> };

/** A document put, or removed where `document` is `undefined`. */
export interface Change {
  readonly collection: CollectionName;
  readonly id: string;
  readonly document: AnyDocument | undefined;
}

type KeyOf = (document: AnyDocument) => string | null;

interface Index {
  readonly name: string;
  readonly keyOf: KeyOf;
  readonly lists: Map<string, SortedIds>;
}

export interface Table {
  readonly documents: Map<string, AnyDocument>;
  readonly ids: SortedIds;
  readonly indexes: readonly Index[];
}

export type Tables = Readonly<Record<CollectionName, Table>>;

/** Where to look: a declared index with a key, or the whole collection. */
export interface Range {
  readonly index?: string;
  readonly key?: string;
  readonly before?: string;
}

export const emptyCollections = (): Collections =>
  Object.fromEntries(collectionNames.map((name) => [name, new Map()])) as unknown as Collections;

/** Takes the maps over: from now on only `applyChanges` may change them. */
export const createTables = (collections: Collections): Tables =>
  Object.fromEntries(
    collectionNames.map((name) => [name, createTable(name, collections[name] as Map<string, AnyDocument>)]),
  ) as Record<CollectionName, Table>;

/** Takes the map over, and finds its documents by the indexes of that collection. */
export function createTable(name: CollectionName, documents: Map<string, AnyDocument>): Table {
  const declared = indexes[name] as Readonly<Record<string, unknown>>;
  const table: Table = {
    documents,
    ids: [],
    indexes: Object.entries(declared).map(([index, keyOf]) => ({
      name: index,
      keyOf: keyOf as KeyOf,
      lists: new Map(),
    })),
  };
  for (const [id, document] of documents) {
    addId(table.ids, id);
    for (const index of table.indexes) move(index, id, null, index.keyOf(document));
  }
  return table;
}

/** Whether the document has what its indexes need, as one read from a damaged file may not. */
export function isIndexable(name: CollectionName, document: AnyDocument): boolean {
  try {
    return Object.values<unknown>(indexes[name]).every((keyOf) => {
      const found: unknown = (keyOf as KeyOf)(document);
      return found === null || typeof found === 'string';
    });
  } catch {
    return false;
  }
}

/** Puts the document, or removes it where it is `undefined`; gives back what was there. */
export function setDocument(table: Table, id: string, document: AnyDocument | undefined): AnyDocument | undefined {
  const previous = table.documents.get(id);
  // All keys first: where one cannot be made, nothing has changed yet.
  const moves = table.indexes.map(({ keyOf }) => ({
    from: previous ? keyOf(previous) : null,
    to: document ? keyOf(document) : null,
  }));
  if (document) {
    table.documents.set(id, document);
    if (!previous) addId(table.ids, id);
  } else if (previous) {
    table.documents.delete(id);
    removeId(table.ids, id);
  }
  table.indexes.forEach((index, i) => move(index, id, moves[i]!.from, moves[i]!.to));
  return previous;
}

/** All changes or none. Gives back the changes that undo them. */
export function applyChanges(tables: Tables, changes: readonly Change[]): Change[] {
  const undo: Change[] = [];
  try {
    for (const { collection, id, document } of changes) {
      undo.push({ collection, id, document: setDocument(tables[collection], id, document) });
    }
  } catch (error) {
    applyChanges(tables, undo.toReversed());
    throw error;
  }
  return undo.toReversed();
}

/** The ids in that range, newest first. */
export function idsIn(table: Table, range: Range): Iterable<string> {
  if (range.index === undefined) return newestFirst(table.ids, range.before);
  const index = table.indexes.find(({ name }) => name === range.index);
  if (!index || range.key === undefined) throw new TypeError(`No key, or no index named ${range.index}.`);
  return newestFirst(index.lists.get(range.key) ?? [], range.before);
}

function move(index: Index, id: string, from: string | null, to: string | null): void {
  if (from === to) return;
  if (from !== null) {
    const list = index.lists.get(from);
    if (list) {
      removeId(list, id);
      if (list.length === 0) index.lists.delete(from);
    }
  }
  if (to !== null) {
    const list = index.lists.get(to);
    if (list) addId(list, id);
    else index.lists.set(to, [[id]]);
  }
}

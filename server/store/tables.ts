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

/** What was there before each of some changes. */
export type Former = readonly (AnyDocument | undefined)[];

type KeyOf = (document: AnyDocument) => string | null;

interface Index {
  readonly name: string;
  readonly keyOf: KeyOf;
  /** A key that only one document has, as most have, leads to its id without a list. */
  readonly found: Map<string, string | SortedIds>;
}

export interface Table {
  readonly documents: Map<string, AnyDocument>;
  readonly ids: SortedIds;
  readonly indexes: readonly Index[];
}

export type Tables = Record<CollectionName, Table>;

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
  ) as Tables;

/** Takes the map over, and finds its documents by the indexes of that collection. */
export function createTable(name: CollectionName, documents: Map<string, AnyDocument>): Table {
  const declared = indexes[name] as Readonly<Record<string, unknown>>;
  const table: Table = {
    documents,
    ids: [],
    indexes: Object.entries(declared).map(([index, keyOf]) => ({
      name: index,
      keyOf: keyOf as KeyOf,
      found: new Map(),
    })),
  };
  for (const [id, document] of documents) {
    addId(table.ids, id);
    for (const index of table.indexes) enter(index, index.keyOf(document), id);
  }
  return table;
}

/** Whether the document has what its indexes need, as one that comes from outside may not. */
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
  const { documents, indexes } = table;
  const previous = documents.get(id);
  // All keys first: where one cannot be made, nothing has changed yet.
  const before = previous && keysOf(indexes, previous);
  const after = document && keysOf(indexes, document);
  if (document) {
    documents.set(id, document);
    if (!previous) addId(table.ids, id);
  } else if (previous) {
    documents.delete(id);
    removeId(table.ids, id);
  }
  for (let i = 0; i < indexes.length; i++) {
    const from = before?.[i] ?? null;
    const to = after?.[i] ?? null;
    if (from === to) continue;
    leave(indexes[i]!, from, id);
    enter(indexes[i]!, to, id);
  }
  return previous;
}

/** All changes or none. Gives back what was there before, for `revertChanges`. */
export function applyChanges(tables: Tables, changes: readonly Change[]): Former {
  const former: (AnyDocument | undefined)[] = [];
  try {
    for (const { collection, id, document } of changes) former.push(setDocument(tables[collection], id, document));
  } catch (error) {
    revertChanges(tables, changes.slice(0, former.length), former);
    throw error;
  }
  return former;
}

/** Undoes changes that were the last ones applied. */
export function revertChanges(tables: Tables, changes: readonly Change[], former: Former): void {
  for (let i = changes.length - 1; i >= 0; i--) {
    const { collection, id } = changes[i]!;
    setDocument(tables[collection], id, former[i]);
  }
}

/** The ids in that range, newest first. */
export function idsIn(table: Table, { index: name, key, before }: Range): Iterable<string> {
  if (name === undefined) return newestFirst(table.ids, before);
  const index = table.indexes.find((each) => each.name === name);
  if (!index || key === undefined) throw new TypeError(`No key, or no index named ${name}.`);
  const found = index.found.get(key);
  if (found === undefined) return [];
  if (typeof found !== 'string') return newestFirst(found, before);
  return before === undefined || found < before ? [found] : [];
}

function keysOf(indexes: readonly Index[], document: AnyDocument): (string | null)[] {
  const keys: (string | null)[] = [];
  for (const { keyOf } of indexes) keys.push(keyOf(document));
  return keys;
}

function enter({ found }: Index, key: string | null, id: string): void {
  if (key === null) return;
  const there = found.get(key);
  if (there === undefined) found.set(key, id);
  else if (typeof there !== 'string') addId(there, id);
  else if (there !== id) found.set(key, [there < id ? [there, id] : [id, there]]);
}

function leave({ found }: Index, key: string | null, id: string): void {
  if (key === null) return;
  const there = found.get(key);
  if (there === id) {
    found.delete(key);
  } else if (typeof there === 'object') {
    removeId(there, id);
    if (there.length === 0) found.delete(key);
  }
}

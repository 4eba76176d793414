/** Documents in memory, each collection with its order and its indexes; whatever changes them can be undone. */
import { collectionNames, indexes } from './collections.ts';
import type { CollectionName, Documents, Key } from './collections.ts';
import { addId, isNewest, newestFirst, newestOfAll, removeId } from './sorted-ids.ts';
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

type KeyOf = (document: AnyDocument) => Key | null;

/** By the name in their keys. One that only one document has, as most have, leads to its id without a list. */
type Named = Map<string, string | SortedIds>;

interface Index {
  readonly name: string;
  readonly keyOf: KeyOf;
  /** By what the names are within. */
  readonly found: Map<string, Named>;
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
  readonly key?: Key;
  readonly until?: string;
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
    for (const index of table.indexes) {
      const key = index.keyOf(document);
      if (key !== null) enter(index, key, id);
    }
  }
  return table;
}

/** Whether the document has what its indexes need, as one that comes from outside may not. */
export function isIndexable(name: CollectionName, document: AnyDocument): boolean {
  try {
    return Object.values<unknown>(indexes[name]).every((keyOf) => {
      const key = (keyOf as KeyOf)(document);
      return key === null || (typeof withinOf(key) === 'string' && typeof nameOf(key) === 'string');
    });
  } catch {
    return false;
  }
}

/** Puts the document, or removes it where it is `undefined`; gives back what was there. */
export function setDocument(table: Table, id: string, document: AnyDocument | undefined): AnyDocument | undefined {
  const { documents, indexes } = table;
  const previous = isNewest(table.ids, id) ? undefined : documents.get(id);
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
    if (isSame(from, to)) continue;
    if (from !== null) leave(indexes[i]!, from, id);
    if (to !== null) enter(indexes[i]!, to, id);
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
export function idsIn(table: Table, { index: name, key, until, before }: Range): Iterable<string> {
  if (name === undefined) return newestFirst(table.ids, before);
  if (key === undefined) throw new TypeError(`No key for the index ${name}.`);
  const index = indexOf(table, name);
  if (until !== undefined) return newestOfAll(listsBetween(index, key, until), before);
  const ids = idsUnder(index, key);
  if (ids === undefined) return [];
  if (typeof ids !== 'string') return newestFirst(ids, before);
  return before === undefined || ids < before ? [ids] : [];
}

/** The newest document under each of the keys, in their order. */
export function newestUnder(table: Table, name: string, keys: readonly Key[]): (AnyDocument | undefined)[] {
  const index = indexOf(table, name);
  return keys.map((key) => {
    const ids = idsUnder(index, key);
    const id = typeof ids === 'object' ? ids.at(-1)!.at(-1) : ids;
    return id === undefined ? undefined : table.documents.get(id);
  });
}

function indexOf({ indexes }: Table, name: string): Index {
  const index = indexes.find((each) => each.name === name);
  if (!index) throw new TypeError(`No index named ${name}.`);
  return index;
}

function keysOf(indexes: readonly Index[], document: AnyDocument): (Key | null)[] {
  const keys: (Key | null)[] = [];
  for (const { keyOf } of indexes) keys.push(keyOf(document));
  return keys;
}

const withinOf = (key: Key): string => (typeof key === 'string' ? '' : key[0]);
const nameOf = (key: Key): string => (typeof key === 'string' ? key : key[1]);

const isSame = (a: Key | null, b: Key | null): boolean =>
  a === b || (a !== null && b !== null && nameOf(a) === nameOf(b) && withinOf(a) === withinOf(b));

const idsUnder = ({ found }: Index, key: Key): string | SortedIds | undefined =>
  found.get(withinOf(key))?.get(nameOf(key));

/** Names are few where they are asked for in ranges, such as days, so that they are kept in no order. */
function listsBetween({ found }: Index, key: Key, until: string): SortedIds[] {
  const from = nameOf(key);
  return Array.from(found.get(withinOf(key)) ?? [])
    .filter(([name]) => name >= from && name <= until)
    .map(([, ids]) => (typeof ids === 'string' ? [[ids]] : ids));
}

function enter({ found }: Index, key: Key, id: string): void {
  const [within, name] = [withinOf(key), nameOf(key)];
  let named = found.get(within);
  if (!named) found.set(within, (named = new Map()));
  const there = named.get(name);
  if (there === undefined) named.set(name, id);
  else if (typeof there !== 'string') addId(there, id);
  else if (there !== id) named.set(name, [there < id ? [there, id] : [id, there]]);
}

function leave({ found }: Index, key: Key, id: string): void {
  const [within, name] = [withinOf(key), nameOf(key)];
  const named = found.get(within);
  const there = named?.get(name);
  if (!named || there === undefined) return;
  if (typeof there === 'object') removeId(there, id);
  if (there === id || there.length === 0) named.delete(name);
  if (named.size === 0) found.delete(within);
}

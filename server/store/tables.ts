/** Documents in memory, each collection with its order and its indexes; whatever changes them can be undone. */
import { collectionNames, indexes } from './collections.ts';
import type { CollectionName, Documents, IndexBy, Key } from './collections.ts';
import { addRow, isNewest, newestFirst, newestOfAll, removeRow, rowOf } from './sorted-rows.ts';
import type { Row, SortedRows } from './sorted-rows.ts';

export type AnyDocument = Documents[CollectionName];

/** Documents by id, as they come in. */
export type Collections = { readonly [C in CollectionName]: Map<string, Documents[C]> };

/** A document put, or removed where `document` is `undefined`. */
export interface Change {
  readonly collection: CollectionName;
  readonly id: string;
  readonly document: AnyDocument | undefined;
}

/** What was there before each of some changes. */
export type Former = readonly (AnyDocument | undefined)[];

export type AnyRow = Row<AnyDocument>;
type Rows = SortedRows<AnyDocument>;

/** By the name that documents have there. One that only one document has, as most have, leads to it without a list. */
type Named = Map<string, AnyRow | Rows>;

interface Index {
  readonly name: string;
  readonly by: IndexBy<AnyDocument>;
  /** By what the names are within. */
  readonly found: Map<string, Named>;
}

export interface Table {
  readonly rows: Rows;
  /** Number of documents. */
  size: number;
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

export const createTables = (collections = emptyCollections()): Tables =>
  Object.fromEntries(collectionNames.map((name) => [name, createTable(name, collections[name].values())])) as Tables;

/** The documents must have different ids. */
export function createTable(name: CollectionName, documents: Iterable<AnyDocument> = []): Table {
  const declared = Object.entries<unknown>(indexes[name]);
  const table: Table = {
    rows: [],
    size: 0,
    indexes: declared.map(([index, by]) => ({ name: index, by: by as Index['by'], found: new Map() })),
  };
  for (const document of documents)
    insert(table, document, namesOf(table, document), isNewest(table.rows, document.id));
  return table;
}

/** Whether the document has what its indexes need, as one that comes from outside may not. */
export function isIndexable(name: CollectionName, document: AnyDocument): boolean {
  try {
    return Object.values<unknown>(indexes[name]).every((index) => {
      const by = index as Index['by'];
      const found = by.name(document);
      return found === null || (typeof found === 'string' && typeof by.within(document) === 'string');
    });
  } catch {
    return false;
  }
}

export const documentOf = (table: Table, id: string): AnyDocument | undefined => rowOf(table.rows, id)?.document;

/** All there are, in ascending order of their ids. */
export function documentsOf(table: Table): AnyDocument[] {
  const documents: AnyDocument[] = [];
  for (const chunk of table.rows) for (const { document } of chunk) documents.push(document);
  return documents;
}

/** Puts the document, or removes it where it is `undefined`; gives back what was there. */
export function setDocument(table: Table, id: string, document: AnyDocument | undefined): AnyDocument | undefined {
  const newest = isNewest(table.rows, id);
  const row = newest ? undefined : rowOf(table.rows, id);
  const previous = row?.document;
  // All names first: where one cannot be made, nothing has changed yet.
  const names = document && namesOf(table, document);
  if (row && document) replace(table, row, document, names!);
  else if (row) remove(table, row);
  else if (document) insert(table, document, names!, newest);
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

/** The rows in that range, newest first. */
export function rowsIn(table: Table, { index: name, key, until, before }: Range): Iterable<AnyRow> {
  if (name === undefined) return newestFirst(table.rows, before);
  if (key === undefined) throw new TypeError(`No key for the index ${name}.`);
  const [within, from] = typeof key === 'string' ? ['', key] : key;
  const named = indexOf(table, name).found.get(within);
  if (until !== undefined) return newestOfAll(listsBetween(named, from, until), before);
  const there = named?.get(from);
  if (isList(there)) return newestFirst(there, before);
  return there && (before === undefined || there.id < before) ? [there] : [];
}

/** The newest document under each of the names, in their order. */
export function newestUnder(
  table: Table,
  index: string,
  within: string,
  names: readonly string[],
): (AnyDocument | undefined)[] {
  const named = indexOf(table, index).found.get(within);
  return names.map((name) => {
    const there = named?.get(name);
    return (isList(there) ? there.at(-1)!.at(-1) : there)?.document;
  });
}

function indexOf({ indexes }: Table, name: string): Index {
  const index = indexes.find((each) => each.name === name);
  if (!index) throw new TypeError(`No index named ${name}.`);
  return index;
}

/** Names are few where they are asked for in ranges, such as days, so that they are kept in no order. */
const listsBetween = (named: Named | undefined, from: string, until: string): Rows[] =>
  Array.from(named ?? [])
    .filter(([name]) => name >= from && name <= until)
    .map(([, there]) => (isList(there) ? there : [[there]]));

const isList = (there: AnyRow | Rows | undefined): there is Rows => Array.isArray(there);

type Names = readonly (string | null)[];

/** Under which the document is found, index by index. */
function namesOf({ indexes }: Table, document: AnyDocument): Names {
  const names: (string | null)[] = [];
  for (const { by } of indexes) names.push(by.name(document));
  return names;
}

/** `newest`: whether its id comes after all there are, and so after those of any list. */
function insert(table: Table, document: AnyDocument, names: Names, newest: boolean): void {
  const row = { id: document.id, document };
  addRow(table.rows, row, newest);
  table.size++;
  for (let i = 0; i < names.length; i++) enter(table.indexes[i]!, names[i]!, row, newest);
}

function replace(table: Table, row: AnyRow, document: AnyDocument, names: Names): void {
  const { document: previous } = row;
  const former = namesOf(table, previous);
  const moved = table.indexes.filter(
    ({ by }, i) => names[i] !== former[i] || by.within(document) !== by.within(previous),
  );
  for (const index of moved) leave(index, row);
  row.document = document;
  for (const index of moved) enter(index, index.by.name(document), row, false);
}

function remove(table: Table, row: AnyRow): void {
  for (const index of table.indexes) leave(index, row);
  removeRow(table.rows, row.id);
  table.size--;
}

function enter({ by, found }: Index, name: string | null, row: AnyRow, newest: boolean): void {
  if (name === null) return;
  const within = by.within(row.document);
  let named = found.get(within);
  if (!named) found.set(within, (named = new Map()));
  const there = named.get(name);
  if (there === undefined) named.set(name, row);
  else if (isList(there)) addRow(there, row, newest || undefined);
  else if (there !== row) named.set(name, [there.id < row.id ? [there, row] : [row, there]]);
}

function leave({ by, found }: Index, row: AnyRow): void {
  const name = by.name(row.document);
  if (name === null) return;
  const within = by.within(row.document);
  const named = found.get(within);
  const there = named?.get(name);
  if (!named || there === undefined) return;
  if (isList(there)) removeRow(there, row.id);
  if (there === row || (isList(there) && there.length === 0)) named.delete(name);
  if (named.size === 0) found.delete(within);
}

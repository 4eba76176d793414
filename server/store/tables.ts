/** Documents in memory, each collection with its order and its indexes; whatever changes them can be undone. */
import { collectionNames } from './collections.ts';
import type { CollectionName, Documents } from './collections.ts';
import { indexesOf, matcherOf } from './conditions.ts';
import { addRow, isNewest, newestFirst, removeRow, rowOf } from './sorted-rows.ts';
import type { Row, SortedRows } from './sorted-rows.ts';
import type { Query } from './store.ts';

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

interface NameIndex {
  readonly name: string;
  readonly of: (document: AnyDocument) => string | null;
  readonly within: (document: AnyDocument) => string;
  /** By what the names are within: a space, or nothing. */
  readonly found: Map<string, Named>;
}

export interface Table {
  readonly collection: CollectionName;
  readonly rows: Rows;
  /** Number of documents. */
  size: number;
  readonly indexes: readonly NameIndex[];
}

export type Tables = Record<CollectionName, Table>;

export const emptyCollections = (): Collections =>
  Object.fromEntries(collectionNames.map((name) => [name, new Map()])) as unknown as Collections;

export const createTables = (collections = emptyCollections()): Tables =>
  Object.fromEntries(collectionNames.map((name) => [name, createTable(name, collections[name].values())])) as Tables;

/** The documents must have different ids. */
export function createTable(collection: CollectionName, documents: Iterable<AnyDocument> = []): Table {
  const table: Table = {
    collection,
    rows: [],
    size: 0,
    indexes: Object.entries(indexesOf(collection)).flatMap(([name, index]) => {
      if (index.kind !== 'key' && index.kind !== 'group') return [];
      const within = index.kind === 'key' && index.within === 'space' ? spaceOf : nowhere;
      return [{ name, of: index.of, within, found: new Map() }];
    }),
  };
  for (const document of documents)
    insert(table, document, namesOf(table, document), isNewest(table.rows, document.id));
  return table;
}

const spaceOf = (document: AnyDocument): string => (document as { space: string }).space;
const nowhere = (): string => '';

/** Whether the document has what its indexes need, as one that comes from outside may not. */
export function isIndexable(collection: CollectionName, document: AnyDocument): boolean {
  try {
    return Object.values(indexesOf(collection)).every((index) => {
      const given = index.of(document);
      if (index.kind === 'instant') return given === null || typeof given === 'number';
      if (index.kind === 'text')
        return Array.isArray(given) && given.every((text) => text === null || typeof text === 'string');
      return given === null || typeof given === 'string';
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

/** The rows of all documents for which the conditions hold, newest first. */
export function* rowsIn(table: Table, query: Query<CollectionName>): Generator<AnyRow, void> {
  const matches = matcherOf(table.collection, query);
  for (const row of candidates(table, query)) if (matches(row.document)) yield row;
}

/** The fewest rows to look through that any of the names leads to, newest first. */
function candidates(table: Table, { is = {}, before }: Query<CollectionName>): Iterable<AnyRow> {
  const names = is as Readonly<Record<string, string | undefined>>;
  let fewest: AnyRow | Rows = table.rows;
  for (const { name, within, found } of table.indexes) {
    const wanted = names[name];
    if (wanted === undefined) continue;
    const there = found.get(within === spaceOf ? names['space']! : '')?.get(wanted);
    if (there === undefined) return [];
    if (isList(fewest) && (!isList(there) || there.length <= fewest.length)) fewest = there;
  }
  if (isList(fewest)) return newestFirst(fewest, before);
  return before === undefined || fewest.id < before ? [fewest] : [];
}

/** The newest document under each of the names in the space, in their order. */
export function newestUnder(
  table: Table,
  index: string,
  space: string,
  names: readonly string[],
): (AnyDocument | undefined)[] {
  const { found, within } = table.indexes.find(({ name }) => name === index)!;
  const named = found.get(within === spaceOf ? space : '');
  return names.map((name) => {
    const there = named?.get(name);
    return (isList(there) ? there.at(-1)!.at(-1) : there)?.document;
  });
}

const isList = (there: AnyRow | Rows | undefined): there is Rows => Array.isArray(there);

type Names = readonly (string | null)[];

/** Under which the document is found, index by index. */
function namesOf({ indexes }: Table, document: AnyDocument): Names {
  const names: (string | null)[] = [];
  for (const { of } of indexes) names.push(of(document));
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
    ({ within }, i) => names[i] !== former[i] || within(document) !== within(previous),
  );
  for (const index of moved) leave(index, row);
  row.document = document;
  for (const index of moved) enter(index, index.of(document), row, false);
}

function remove(table: Table, row: AnyRow): void {
  for (const index of table.indexes) leave(index, row);
  removeRow(table.rows, row.id);
  table.size--;
}

function enter({ within: withinOf, found }: NameIndex, name: string | null, row: AnyRow, newest: boolean): void {
  if (name === null) return;
  const within = withinOf(row.document);
  let named = found.get(within);
  if (!named) found.set(within, (named = new Map()));
  const there = named.get(name);
  if (there === undefined) named.set(name, row);
  else if (isList(there)) addRow(there, row, newest || undefined);
  else if (there !== row) named.set(name, [there.id < row.id ? [there, row] : [row, there]]);
}

function leave({ of, within: withinOf, found }: NameIndex, row: AnyRow): void {
  const name = of(row.document);
  if (name === null) return;
  const within = withinOf(row.document);
  const named = found.get(within);
  const there = named?.get(name);
  if (!named || there === undefined) return;
  if (isList(there)) removeRow(there, row.id);
  if (there === row || (isList(there) && there.length === 0)) named.delete(name);
  if (named.size === 0) found.delete(within);
}

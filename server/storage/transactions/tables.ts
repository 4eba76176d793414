/** All collections in memory, and changes to them that can be undone. */
import { collectionNames } from '../collections.ts';
import type { CollectionName } from '../collections.ts';
import { indexesOf } from './conditions.ts';
import type { Bundled } from '../tables/bundle.ts';
import { isPackableId } from '../tables/packing.ts';
import type { PackedDocument } from '../tables/packing.ts';
import { Table } from '../tables/table.ts';
import type { AnyDocument, PackedInTable, TableView } from '../tables/table.ts';
import type { StringTable } from '../tables/string-table.ts';

export type { AnyDocument };

/** A write to one document. */
export interface Change {
  readonly collection: CollectionName;
  readonly id: string;
  /** `undefined` for a removal. A log that writes packed documents lets it go once the change is applied. */
  document: AnyDocument | Bundled | undefined;
  /** The packed document, once the change is applied. The bytes never change. */
  packed?: PackedInTable | undefined;
}

/** The former document of each change, still packed, as few callers need it; `undefined`: there was none. */
export type Former = readonly (PackedDocument | undefined)[];

export type Tables = Record<CollectionName, Table>;

/** Empty tables. `stringTableOf`: the string tables of documents that are packed already; default: new ones. */
export const createTables = (stringTableOf?: (name: CollectionName) => StringTable): Tables =>
  Object.fromEntries(
    collectionNames.map((name) => [name, new Table(name, undefined, stringTableOf?.(name))]),
  ) as Tables;

/** All documents at one moment. Later changes to the tables leave a copy as it is. */
export type Copy = readonly ({ readonly collection: CollectionName } & TableView)[];

export const copyOf = (tables: Tables): Copy =>
  collectionNames.map((collection) => ({ collection, ...tables[collection].view() }));

/** Whether a document from outside can be stored: its id can be packed, and its fields suit the indexes. */
export function isIndexable(collection: CollectionName, document: AnyDocument): boolean {
  try {
    const isIndexed = Object.values(indexesOf(collection)).every((index) => {
      const value: unknown = index.of(document);
      if (index.kind === 'text') return Array.isArray(value) && value.every(isTextOrNone);
      if (index.kind === 'key' && Array.isArray(value)) return value.every((name) => typeof name === 'string');
      return index.kind === 'instant' ? value === null || typeof value === 'number' : isTextOrNone(value);
    });
    const isOwned = !('space' in indexesOf(collection)) || typeof (document as { space?: unknown }).space === 'string';
    return isIndexed && isOwned && isPackableId(document.id);
  } catch {
    return false;
  }
}

const isTextOrNone = (value: unknown): boolean => value === null || typeof value === 'string';

/** Applies all changes or none. Returns the former documents, for `revertChanges`. */
export function applyChanges(tables: Tables, changes: readonly Change[]): Former {
  const previous: (PackedDocument | undefined)[] = [];
  try {
    for (const change of changes) {
      const table = tables[change.collection];
      previous.push(table.set(change.id, change.document));
      if (change.document) change.packed = table.lastPacked;
    }
  } catch (error) {
    revertChanges(tables, changes.slice(0, previous.length), previous);
    throw error;
  }
  return previous;
}

/** Undoes the changes that were applied last. */
export function revertChanges(tables: Tables, changes: readonly Change[], previous: Former): void {
  let at = changes.length;
  for (const { collection, id } of changes.toReversed()) {
    tables[collection].set(id, documentBefore(tables, collection, previous[--at]));
  }
}

/** The document before a change; `undefined`: there was none. */
export const documentBefore = (
  tables: Tables,
  collection: CollectionName,
  previous: Former[number],
): AnyDocument | undefined => previous && tables[collection].unpacked(previous);

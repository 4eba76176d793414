/** All collections in memory; whatever changes them can be undone. */
import { collectionNames } from './collections.ts';
import type { CollectionName } from './collections.ts';
import { indexesOf } from './conditions.ts';
import { isPackableId } from '../tables/packing.ts';
import { Table } from '../tables/table.ts';
import type { AnyDocument, TableView } from '../tables/table.ts';
import type { Vocabulary } from '../tables/vocabulary.ts';

export type { AnyDocument };

/** A document put, or removed where `document` is `undefined`. */
export interface Change {
  readonly collection: CollectionName;
  readonly id: string;
  readonly document: AnyDocument | undefined;
  /** How the document was packed, once the change is applied. The bytes never change. */
  packed?: { readonly bytes: Buffer; readonly vocabulary: Vocabulary };
}

/** What was there before each of some changes, as its table packed it: few ask for it. */
export type Former = readonly (Buffer | undefined)[];

export type Tables = Record<CollectionName, Table>;

/** With nothing in them. `vocabularyOf`: for documents that are packed already; default: new ones. */
export const createTables = (vocabularyOf?: (name: CollectionName) => Vocabulary): Tables =>
  Object.fromEntries(collectionNames.map((name) => [name, new Table(name, undefined, vocabularyOf?.(name))])) as Tables;

/** All documents at one moment, whatever becomes of the tables. */
export type Copy = readonly ({ readonly collection: CollectionName } & TableView)[];

export const copyOf = (tables: Tables): Copy =>
  collectionNames.map((collection) => ({ collection, ...tables[collection].view() }));

/** Whether the document can be kept, and has what its indexes need, as one that comes from outside may not. */
export function isIndexable(collection: CollectionName, document: AnyDocument): boolean {
  try {
    const isIndexed = Object.values(indexesOf(collection)).every((index) => {
      const given: unknown = index.of(document);
      if (index.kind === 'text') return Array.isArray(given) && given.every(isTextOrNone);
      return index.kind === 'instant' ? given === null || typeof given === 'number' : isTextOrNone(given);
    });
    const isOwned = !('space' in indexesOf(collection)) || typeof (document as { space?: unknown }).space === 'string';
    return isIndexed && isOwned && isPackableId(document.id);
  } catch {
    return false;
  }
}

const isTextOrNone = (value: unknown): boolean => value === null || typeof value === 'string';

/** All changes or none. Gives back what was there before, for `revertChanges`. */
export function applyChanges(tables: Tables, changes: readonly Change[]): Former {
  const former: (Buffer | undefined)[] = [];
  try {
    for (const change of changes) {
      const table = tables[change.collection];
      former.push(table.set(change.id, change.document));
      if (change.document) change.packed = { bytes: table.lastPacked, vocabulary: table.vocabulary };
    }
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
    tables[collection].set(id, documentBefore(tables, collection, former[i]));
  }
}

/** What was there before a change. */
export const documentBefore = (
  tables: Tables,
  collection: CollectionName,
  former: Former[number],
): AnyDocument | undefined => former && tables[collection].unpacked(former);

/**
 * Migrates documents from a former schema to the newest, one schema at a time. The header of a file names its schema. After a
 * migration the server rewrites all documents at once, so a crash in between only repeats the steps.
 */

import { AppError } from '../../src/contract/errors.ts';
import { Table } from './tables/table.ts';
import type { AnyDocument } from './tables/table.ts';
import type { Definitions } from './tables/string-table.ts';
import { collectionNames } from './collections.ts';
import type { CollectionName } from './collections.ts';
import { createTables } from './transactions/tables.ts';
import type { Tables } from './transactions/tables.ts';

/** A document of any schema. */
export interface KeptDocument {
  readonly id: string;
}

/** All documents of one schema, as the files are read. */
export interface KeptDocuments {
  put(collection: string, document: KeptDocument): void;
  /** Puts packed documents. Returns `false`, and puts none, if their definitions contradict its string table. */
  putPacked(collection: string, definitions: Definitions, documents: readonly Buffer[]): boolean;
  remove(collection: string, id: string): void;
  /** The tables so far, by collection. */
  readonly tables: ReadonlyMap<string, Table>;
}

/** Documents of the newest schema are indexed at once. Documents of a former schema may lack fields that the indexes need. */
export function keepDocuments({ areNewest }: { readonly areNewest: boolean }): KeptDocuments {
  const tables = new Map<string, Table>();
  const getTable = (collection: string): Table => {
    let table = tables.get(collection);
    if (!table) {
      const name = collection as CollectionName;
      tables.set(name, (table = new Table(name, areNewest && isKnown(name) ? undefined : {})));
    }
    return table;
  };
  return {
    tables,
    put: (collection, document) => void getTable(collection).set(document.id, document as AnyDocument),
    putPacked(collection, definitions, documents) {
      const table = getTable(collection);
      if (!table.stringTable.take(definitions)) return false;
      for (const bytes of documents) table.setPacked({ bytes, start: 0, end: bytes.length });
      return true;
    },
    remove: (collection, id) => void tables.get(collection)?.set(id, undefined),
  };
}

/** Returns the documents that replace `document`: none, one or several. Must not change `document` itself. */
export type Migration = (
  collection: string,
  document: KeptDocument,
) => Iterable<readonly [collection: string, document: KeptDocument]>;

/**
 * The meaning of each schema, from 1 on. A change of the meaning of stored documents is a further line, with its migration below
 * and data of the former schema in test/fixtures/stores; a former version refuses the new schema then, and never misreads it.
 * A field that is only added, and that all readers may miss, is no such change. The form of the files has separate numbers:
 * `formats` in server/storage/lowdb/frame.ts.
 */
export const schemas: readonly string[] = ['Documents as in documents.ts.'];

/** The first migration leads from schema 1 to 2. A published migration never changes. */
export const migrations: readonly Migration[] = [];

/** The schema to which the steps lead. */
export const schemaAfter = (steps: readonly Migration[]): number => steps.length + 1;

/** Migrates documents of schema `from`. Throws AppError CONFIGURATION if a collection is unknown. */
export function migrate(documents: KeptDocuments, from: number, steps: readonly Migration[]): Tables {
  let present = documents;
  const left = steps.slice(from - 1);
  for (const [index, step] of left.entries()) {
    const next = keepDocuments({ areNewest: index === left.length - 1 });
    for (const [collection, former] of present.tables) {
      for (const document of former.view().documents()) {
        for (const [name, made] of step(collection, document)) next.put(name, made);
      }
    }
    present = next;
  }
  return adaptTables(present);
}

function adaptTables({ tables: migrated }: KeptDocuments): Tables {
  const tables = createTables();
  for (const [name, table] of migrated) {
    if (!isKnown(name)) {
      throw new AppError('CONFIGURATION', {
        message: `The data directory holds documents of an unknown kind (${JSON.stringify(name)}).`,
        hint: 'Start the version of Laudio that wrote the data, or a newer version.',
      });
    }
    tables[name] = table;
  }
  return tables;
}

const isKnown = (name: string): name is CollectionName => (collectionNames as readonly string[]).includes(name);

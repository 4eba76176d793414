/**
 * How documents of a former schema become those of the next. The schema of a file is in its header; what was migrated
 * at the start is written anew as a whole, so that a crash in between just runs the steps again.
 */

import { AppError } from '../../src/contract/errors.ts';
import { Table } from '../tables/table.ts';
import type { AnyDocument } from '../tables/table.ts';
import type { Definitions } from '../tables/vocabulary.ts';
import { collectionNames } from './collections.ts';
import type { CollectionName } from './collections.ts';
import { createTables } from './tables.ts';
import type { Tables } from './tables.ts';

/** A document of some schema, and where it is kept. */
export interface KeptDocument {
  readonly id: string;
}

/** Documents of one schema, as they come from files. */
export interface KeptDocuments {
  put(collection: string, document: KeptDocument): void;
  /** Puts documents as they are packed. `false` where their definitions do not fit those that are known: nothing happens then. */
  putPacked(collection: string, definitions: Definitions, documents: readonly Buffer[]): boolean;
  remove(collection: string, id: string): void;
  /** Where they are by now, by collection. */
  readonly tables: ReadonlyMap<string, Table>;
}

/** Those of the newest schema are indexed as they come. Those of a former one may lack what the indexes need. */
export function keepDocuments({ areNewest }: { readonly areNewest: boolean }): KeptDocuments {
  const tables = new Map<string, Table>();
  const tableOf = (collection: string): Table => {
    let table = tables.get(collection);
    if (!table) {
      const name = collection as CollectionName;
      tables.set(name, (table = new Table(name, areNewest && isKnown(name) ? undefined : {})));
    }
    return table;
  };
  return {
    tables,
    put: (collection, document) => void tableOf(collection).set(document.id, document as AnyDocument),
    putPacked(collection, definitions, documents) {
      const table = tableOf(collection);
      if (!table.vocabulary.take(definitions)) return false;
      for (const packed of documents) table.setPacked(packed);
      return true;
    },
    remove: (collection, id) => void tables.get(collection)?.set(id, undefined),
  };
}

/** Gives the documents that take the place of this one: none, one or several. It must not change the one it was given. */
export type Migration = (
  collection: string,
  document: KeptDocument,
) => Iterable<readonly [collection: string, document: KeptDocument]>;

/** The first one leads from schema 1 to 2. One that was published is never changed. */
export const migrations: readonly Migration[] = [];

/** The schema to which the steps lead. */
export const schemaAfter = (steps: readonly Migration[]): number => steps.length + 1;

/** The tables of documents that are of schema `from`. AppError CONFIGURATION where some are in no known collection. */
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
  return tablesOf(present);
}

function tablesOf({ tables: kept }: KeptDocuments): Tables {
  const tables = createTables();
  for (const [name, table] of kept) {
    if (!isKnown(name)) {
      throw new AppError('CONFIGURATION', {
        message: `The data directory holds documents of an unknown kind (${JSON.stringify(name)}).`,
        hint: 'Start the version that wrote it, or a newer one.',
      });
    }
    tables[name] = table;
  }
  return tables;
}

const isKnown = (name: string): name is CollectionName => (collectionNames as readonly string[]).includes(name);

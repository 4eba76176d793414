/**
 * How documents of a former schema become those of the next. The schema of a file is in its header; what was migrated
 * at the start is written anew as a whole, so that a crash in between just runs the steps again.
 */

import { AppError } from '../../src/contract/errors.ts';
import { emptyCollections } from './tables.ts';
import type { Collections } from './tables.ts';

/** A document of some schema, and where it is kept. */
export interface KeptDocument {
  readonly id: string;
}

/** By collection and id. */
export type KeptDocuments = Map<string, Map<string, KeptDocument>>;

/** Gives the documents that take the place of this one: none, one or several. It must not change the one it was given. */
export type Migration = (
  collection: string,
  document: KeptDocument,
) => Iterable<readonly [collection: string, document: KeptDocument]>;

/** The first one leads from schema 1 to 2. One that was published is never changed. */
export const migrations: readonly Migration[] = [];

/** The schema to which the steps lead. */
export const schemaAfter = (steps: readonly Migration[]): number => steps.length + 1;

/** Documents of schema `from` as those of the newest. */
export function migrate(documents: KeptDocuments, from: number, steps: readonly Migration[]): KeptDocuments {
  let present = documents;
  for (const step of steps.slice(from - 1)) {
    const next: KeptDocuments = new Map();
    for (const [collection, former] of present) {
      for (const document of former.values()) {
        for (const [name, made] of step(collection, document)) keep(next, name, made);
      }
    }
    present = next;
  }
  return present;
}

export function keep(documents: KeptDocuments, collection: string, document: KeptDocument): void {
  let kept = documents.get(collection);
  if (!kept) documents.set(collection, (kept = new Map()));
  kept.set(document.id, document);
}

/** Takes over the documents, which are of the newest schema. AppError CONFIGURATION where some are in no known collection. */
export function collectionsOf(documents: KeptDocuments): Collections {
  const collections = emptyCollections() as unknown as Record<string, Map<string, KeptDocument>>;
  for (const [name, kept] of documents) {
    if (!Object.hasOwn(collections, name)) {
      throw new AppError('CONFIGURATION', {
        message: `The data directory holds documents of an unknown kind (${JSON.stringify(name)}).`,
        hint: 'Start the version that wrote it, or a newer one.',
      });
    }
    collections[name] = kept;
  }
  return collections as unknown as Collections;
}

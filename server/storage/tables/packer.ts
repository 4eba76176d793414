/**
 * The additional port of a store that keeps documents packed: a thread packs new ones for it (bundler.ts), and a transaction
 * puts them as they are. A store without it gets the same documents one by one.
 */
import type { CollectionName } from '../documents.ts';
import type { Bundle } from './bundle.ts';
import type { StringTable } from './string-table.ts';

export interface Packer {
  /** The string table of a collection: the thread needs a copy. */
  stringTable(collection: CollectionName): StringTable;
}

/** Names that are taken: by documents in an index, and new ones must have none of them in the index `names` of their collection. */
export interface TakenNames {
  readonly names: string;
  readonly collection: CollectionName;
  readonly index: string;
}

/** The packer within a transaction. */
export interface BundleWriter {
  /** Whether a bundle can be put: the store packs as its thread did, and no name of its documents is taken. */
  canPut(bundle: Bundle, taken: readonly TakenNames[]): boolean;
  /** Puts the documents of a bundle under new ids, created and changed `at` (ISO 8601). */
  put(bundle: Bundle, ids: readonly string[], at: string): void;
}

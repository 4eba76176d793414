/**
 * Bundles: new documents that a thread has packed (bundler.ts), with all that the indexes of their table need. So the event loop is left
 * with what has to be decided there: whether the documents are new, their ids, and the number of their commit.
 */
import type { CollectionName } from '../collections.ts';
import type { PackedDocument } from './packing.ts';
import type { StringTable } from './string-table.ts';

/** The fields that a new document gets with its commit: its last fields, in this order. */
export interface Stamp {
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
  readonly commit: number;
}

/** A bundle as it moves from thread to thread, in few pieces. Indexes are in the order in which they are declared. */
export interface LooseBundle {
  readonly collection: CollectionName;
  /** The number of documents. */
  readonly length: number;
  /** Packed documents, each with an id of the same length as its own, and room for a stamp. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Lists with a number of each document: where it starts; where its stamp begins; those of its names by group; hashes by key. */
  readonly numbers: Uint32Array<ArrayBuffer>;
  /** Such lists by instant; NaN where a document has none. Those of the stamp are still missing. */
  readonly instants: Float64Array<ArrayBuffer>;
  /** The names that the numbers mean, for each group. */
  readonly names: readonly (readonly (string | null)[])[];
  /** Texts that came so often that they should be words. */
  readonly wanted: readonly string[];
}

/** A bundle in the thread of its table. */
export interface Bundle {
  readonly collection: CollectionName;
  /** The string table by which the documents are packed. */
  readonly stringTable: StringTable;
  readonly bytes: Buffer;
  readonly starts: Uint32Array;
  readonly stamps: Uint32Array;
  readonly groups: readonly { readonly names: readonly (string | null)[]; readonly numbers: Uint32Array }[];
  /** Hashes; 0: the document has no name. */
  readonly keys: readonly Uint32Array[];
  readonly instants: readonly Float64Array[];
}

/**
 * Frees the memory of a bundle that nobody reads any more. Until the collector finds it, it would count as if the heap were full, and
 * a server that takes one bundle after the other would look through all of its heap twice a second.
 */
export function closeBundle({ bytes, starts, instants }: Bundle): void {
  const buffers = new Set([bytes, starts, ...instants].map(({ buffer }) => buffer as ArrayBuffer));
  for (const buffer of buffers) buffer.transfer(0);
}

/** The nth document of a bundle, with its id and its stamp. */
export class Bundled implements PackedDocument {
  readonly id: string;
  readonly bundle: Bundle;
  readonly nth: number;
  readonly end: number;

  constructor(id: string, bundle: Bundle, nth: number, end: number) {
    this.id = id;
    this.bundle = bundle;
    this.nth = nth;
    this.end = end;
  }

  get bytes(): Buffer {
    return this.bundle.bytes;
  }

  get start(): number {
    return this.bundle.starts[this.nth]!;
  }
}

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

/** The lists that come before those of groups and keys: starts and stamps. */
const firstLists = 2;

const none: readonly never[] = [];

/** The indexes of the table, which are given the values of a document. */
interface Indexes {
  readonly groups: readonly { readonly at: number; given: string | null }[];
  readonly instants: readonly { readonly at: number; given: number }[];
  readonly keys: readonly { given: number; givenFurther: readonly number[] }[];
}

/** A bundle in the thread of its table. Documents are counted from 0, as are the indexes of a kind. */
export class Bundle {
  readonly collection: CollectionName;
  /** The string table by which the documents are packed. */
  readonly stringTable: StringTable;
  readonly length: number;
  readonly bytes: Buffer<ArrayBuffer>;
  readonly #numbers: LooseBundle['numbers'];
  readonly #instants: LooseBundle['instants'];
  readonly #names: LooseBundle['names'];

  constructor({ collection, length, bytes, numbers, instants, names }: LooseBundle, stringTable: StringTable) {
    this.collection = collection;
    this.stringTable = stringTable;
    this.length = length;
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#numbers = numbers;
    this.#instants = instants;
    this.#names = names;
  }

  startOf(nth: number): number {
    return this.#number(0, nth);
  }

  /** Where the stamp of a document begins. */
  stampOf(nth: number): number {
    return this.#number(1, nth);
  }

  /** Gives the indexes the values of a document. */
  read(nth: number, { groups, instants, keys }: Indexes): void {
    let list = firstLists;
    for (const index of groups) index.given = this.#names[index.at]?.[this.#number(list++, nth)] ?? null;
    for (const key of keys) {
      key.given = this.#number(list++, nth);
      key.givenFurther = none;
    }
    for (const index of instants) index.given = this.#instants[index.at * this.length + nth] ?? Number.NaN;
  }

  /** The hashes of all documents in a key. */
  hashes(key: number): Uint32Array {
    const from = (firstLists + this.#names.length + key) * this.length;
    return this.#numbers.subarray(from, from + this.length);
  }

  /** Gives all documents the same instant. */
  setInstant(index: number, instant: number): void {
    this.#instants.fill(instant, index * this.length, (index + 1) * this.length);
  }

  /**
   * Frees the memory of a bundle that nobody reads any more. Until the collector finds it, it would count as if the heap were full, and
   * a server that takes one bundle after the other would look through all of its heap twice a second.
   */
  close(): void {
    for (const { buffer } of [this.bytes, this.#numbers, this.#instants]) buffer.transfer(0);
  }

  #number(list: number, nth: number): number {
    const number = this.#numbers[list * this.length + nth];
    if (number === undefined) throw new RangeError(`The bundle has no document ${nth}.`);
    return number;
  }
}

/** The nth document of a bundle, with its id and its stamp. */
export class Bundled implements PackedDocument {
  readonly id: string;
  readonly #bundle: Bundle;
  readonly #nth: number;
  readonly end: number;

  constructor(id: string, bundle: Bundle, nth: number, end: number) {
    this.id = id;
    this.#bundle = bundle;
    this.#nth = nth;
    this.end = end;
  }

  get bytes(): Buffer {
    return this.#bundle.bytes;
  }

  get start(): number {
    return this.#bundle.startOf(this.#nth);
  }

  /** Gives the indexes the values of the document. */
  read(indexes: Indexes): void {
    this.#bundle.read(this.#nth, indexes);
  }
}

/**
 * A chunk of a table: documents adjacent in the order of their ids, packed one after the other. A document keeps its slot as
 * long as it stays in the chunk, whatever is put before it; the indexes refer to documents by their slots.
 */
import { GroupColumn, InstantColumn } from './columns.ts';
import type { DeclaredIndex, GroupIndex, InstantIndex } from './declared.ts';
import { compareId, idIn } from './packing.ts';
import type { PackedDocument } from './packing.ts';
import { ChunkWords } from './chunk-words.ts';

/** Bits of a slot's number. */
export const slotBits = 10;
/** The most documents in a chunk. */
export const maxDocuments = 2 ** slotBits;
/** The most bytes in a chunk of more than one document: a change may have to copy them all at once. */
const maxBytes = 256 * 1024;

/** The indexes that a chunk has columns or words for. */
interface ChunkIndexes {
  readonly groups: readonly GroupIndex[];
  readonly instants: readonly InstantIndex[];
  readonly text: DeclaredIndex<'text'> | undefined;
}

/** Where the document of each slot is. */
class Places {
  readonly #starts: Uint32Array;
  readonly #lengths: Uint32Array;

  constructor(capacity: number, previous?: Places) {
    this.#starts = new Uint32Array(capacity);
    this.#lengths = new Uint32Array(capacity);
    if (!previous) return;
    this.#starts.set(previous.#starts);
    this.#lengths.set(previous.#lengths);
  }

  startOf(slot: number): number {
    return this.#starts[slot]!;
  }

  lengthOf(slot: number): number {
    return this.#lengths[slot]!;
  }

  set(slot: number, start: number, length: number): void {
    this.#starts[slot] = start;
    this.#lengths[slot] = length;
  }

  packedIn(bytes: Buffer, slot: number): PackedDocument {
    const start = this.startOf(slot);
    return { bytes, start, end: start + this.lengthOf(slot) };
  }
}

export class Chunk {
  /** Among all chunks of the table. */
  readonly number: number;
  /** No id in it comes before that one. */
  minId: string;
  count = 0;
  readonly groups: readonly GroupColumn[];
  readonly instants: readonly InstantColumn[];
  /** Where words are looked for in the documents. */
  readonly words: ChunkWords | undefined;
  /** Slots in ascending order of the ids. */
  #order: Uint16Array;
  #places: Places;
  /** Slots from here on were never used; those before it that are free. */
  #used = 0;
  #free: number[] = [];
  #bytes: Buffer = nothing;
  #buffer = 0;
  #end = 0;
  /** Bytes of documents that are in it. */
  #live = 0;
  /** Where an id was looked for last. */
  #lastPosition = -1;
  /** Whether somebody has a view of it. */
  #isViewed = false;

  /** `like`: a full chunk, as the new one is going to be; to grow step by step would copy each document twice. */
  constructor(number: number, minId: string, indexes: ChunkIndexes, like?: Chunk) {
    this.number = number;
    this.minId = minId;
    this.words = indexes.text ? new ChunkWords() : undefined;
    const capacity = like ? like.#order.length : 16;
    if (like) this.#pack(Math.min(like.#live, maxBytes));
    this.#order = new Uint16Array(capacity);
    this.#places = new Places(capacity);
    this.groups = indexes.groups.map((index) => new GroupColumn(index, capacity));
    this.instants = indexes.instants.map((index) => new InstantColumn(index, capacity));
  }

  /** Bytes of memory. */
  get size(): number {
    const columns = [...this.groups, ...this.instants].reduce((sum, { bytes }) => sum + bytes, 0);
    return this.#bytes.length + 10 * this.#order.length + columns + (this.words?.size ?? 0);
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** The number of the buffer that its bytes are in, among all that ever were. */
  get buffer(): number {
    return this.#buffer;
  }

  slotAt(position: number): number {
    return this.#order[position]!;
  }

  /** The slots of all documents, the oldest first. */
  slots(): Uint16Array {
    return this.#order.subarray(0, this.count);
  }

  startOf(slot: number): number {
    return this.#places.startOf(slot);
  }

  lengthOf(slot: number): number {
    return this.#places.lengthOf(slot);
  }

  packedAt(slot: number): PackedDocument {
    return this.#places.packedIn(this.#bytes, slot);
  }

  /** Sets the values that the indexes were given. */
  fillColumns(slot: number): void {
    for (const column of this.groups) column.set(slot);
    for (const column of this.instants) column.set(slot);
  }

  /** Sets the values that a document had in another chunk of the table. */
  copyColumns(slot: number, from: Chunk, slotThere: number): void {
    for (const column of this.groups) column.set(slot, from.groups[column.index.at]?.get(slotThere) ?? null);
    for (const column of this.instants) column.set(slot, from.instants[column.index.at]?.get(slotThere) ?? Number.NaN);
  }

  /** Whether there is room for another document of that length. */
  hasRoom(length: number): boolean {
    return this.count === 0 || (this.count < maxDocuments && this.#live + length <= maxBytes);
  }

  /** Whether so little is left that the two should be one. */
  isSparseWith(other: Chunk): boolean {
    return this.count + other.count <= maxDocuments / 2 && this.#live + other.#live <= maxBytes / 2;
  }

  /** The position of the id, or where it would be. */
  positionOf(id: string): number {
    // Documents that arrived together are mostly read in the same order.
    const next = this.#lastPosition + 1;
    if (next < this.count && this.#compareAt(next, id) === 0) return (this.#lastPosition = next);
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compareAt(middle, id) < 0) low = middle + 1;
      else high = middle;
    }
    return (this.#lastPosition = low);
  }

  #compareAt(position: number, id: string): number {
    return compareId(this.#bytes, this.startOf(this.slotAt(position)), id);
  }

  /** The slot of the document with that id; -1 where there is none. */
  slotOf(id: string, position = this.positionOf(id)): number {
    if (position === this.count) return -1;
    const slot = this.slotAt(position);
    return compareId(this.#bytes, this.startOf(slot), id) === 0 ? slot : -1;
  }

  idOf(slot: number): string {
    return idIn(this.#bytes, this.startOf(slot));
  }

  /** Gives the slot. */
  insert(position: number, packed: PackedDocument): number {
    this.#own();
    const slot = this.#free.pop() ?? this.#used++;
    if (slot === this.#order.length) this.#grow();
    this.#write(slot, packed);
    if (position < this.count) this.#order.copyWithin(position + 1, position, this.count);
    this.#order[position] = slot;
    this.count++;
    return slot;
  }

  replace(slot: number, packed: PackedDocument): void {
    this.#own();
    this.#empty(slot);
    this.#write(slot, packed);
  }

  removeAt(position: number): void {
    this.#own();
    const slot = this.slotAt(position);
    this.#order.copyWithin(position, position + 1, this.count);
    this.count--;
    this.#empty(slot);
    this.#free.push(slot);
    for (const column of this.groups) column.set(slot, null);
    for (const column of this.instants) column.set(slot, Number.NaN);
    if (this.#live < this.#bytes.length / 2 - 1024) this.#pack(this.#live + this.#spare());
  }

  /** The packed documents of one moment, the oldest first. Later changes to the chunk leave the view as it is. */
  view(): () => Generator<PackedDocument, void> {
    this.#isViewed = true;
    const [bytes, places, slots] = [this.#bytes, this.#places, this.slots()];
    return function* () {
      for (const slot of slots) yield places.packedIn(bytes, slot);
    };
  }

  /** Frees unused memory, as this chunk will hardly grow any more. */
  trim(): void {
    if (this.#bytes.length > 1.1 * this.#live) this.#pack(this.#live);
  }

  /** Leaves to the views what they look at. The bytes of documents are never changed, so that those can be shared. */
  #own(): void {
    if (!this.#isViewed) return;
    this.#order = this.#order.slice();
    this.#places = new Places(this.#order.length, this.#places);
    this.#isViewed = false;
  }

  #write(slot: number, { bytes, start, end }: PackedDocument): void {
    const length = end - start;
    if (this.#end + length > this.#bytes.length) this.#pack(this.#live + length + this.#spare());
    bytes.copy(this.#bytes, this.#end, start, end);
    this.#places.set(slot, this.#end, length);
    this.#end += length;
    this.#live += length;
  }

  /** Nothing is in that slot any more. */
  #empty(slot: number): void {
    this.#live -= this.lengthOf(slot);
    this.#places.set(slot, this.startOf(slot), 0);
  }

  #spare(): number {
    return Math.max(512, Math.min(this.#live, maxBytes / 4));
  }

  /** Copies the documents that there are to a place of that many bytes. */
  #pack(capacity: number): void {
    const previous = this.#bytes;
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
    this.#buffer = ++buffers;
    if (this.#live === this.#end) {
      previous.copy(this.#bytes, 0, 0, this.#end);
      return;
    }
    this.#own();
    this.#end = 0;
    for (let slot = 0; slot < this.#used; slot++) {
      const { start, end } = this.#places.packedIn(previous, slot);
      previous.copy(this.#bytes, this.#end, start, end);
      this.#places.set(slot, this.#end, end - start);
      this.#end += end - start;
    }
  }

  #grow(): void {
    const capacity = Math.min(maxDocuments, 4 * this.#order.length);
    const order = new Uint16Array(capacity);
    order.set(this.#order);
    this.#order = order;
    this.#places = new Places(capacity, this.#places);
    for (const column of [...this.groups, ...this.instants]) column.grow(capacity);
  }
}

const nothing = Buffer.alloc(0);

/** The number of buffers so far. */
let buffers = 0;

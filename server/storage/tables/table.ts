/**
 * One collection in memory: its documents in the order of their ids, split into chunks, so that a change touches only one
 * chunk; and every declared index of the collection.
 */
import type { CollectionName } from '../collections.ts';
import { indexesOf } from '../transactions/conditions.ts';
import { Bundled } from './bundle.ts';
import type { Bundle, Stamp } from './bundle.ts';
import { packedStamp, stampBundle } from './bundler.ts';
import { Chunk, maxDocuments, slotBits } from './chunk.ts';
import type { ChunkTexts } from './chunk-words.ts';
import { declaredIndexes, hashIn } from './declared.ts';
import type { AnyDocument, DeclaredIndex, GroupIndex, HashedIndex, InstantIndex } from './declared.ts';
import { FurtherNames } from './further-names.ts';
import { KeyIndex } from './key-index.ts';
import { createLately } from './lately.ts';
import type { Lately } from './lately.ts';
import { createPack, idIn, isPackableId, unpack, Viewer } from './packing.ts';
import type { Pack, PackedDocument } from './packing.ts';
import { StringTable } from './string-table.ts';

export type { AnyDocument };

type Key = HashedIndex & { readonly rows: KeyIndex; readonly additional: FurtherNames };

/** A packed document with the string table by which it is read. */
export interface PackedInTable extends PackedDocument {
  readonly stringTable: StringTable;
}

/** All documents at one moment. Later changes to the table leave the view as it is. */
export interface TableView {
  readonly size: number;
  readonly stringTable: StringTable;
  /** All documents, the oldest first. */
  documents(): Generator<AnyDocument, void>;
  packed(): Generator<PackedInTable, void>;
}

/** The most bytes of a packed document that the cache (lately.ts) holds as an object. */
const maxCached = 4096;

export class Table {
  readonly collection: CollectionName;
  readonly groups: readonly GroupIndex[];
  readonly instants: readonly InstantIndex[];
  readonly keys: readonly Key[];
  readonly text: DeclaredIndex<'text'> | undefined;
  /** Ascending, none of them empty. */
  readonly chunks: Chunk[] = [];
  size = 0;
  /** The number of changes so far: a caller that noted rows must look them up again after a change. */
  changes = 0;
  readonly stringTable: StringTable;
  /** Made for the first document, as is `#lately`: many a table has none. */
  #pack: Pack<AnyDocument> | undefined;
  /** Separate, so that the texts of stamps count among themselves. */
  #packStamp: Pack<Stamp & { readonly id: string }> | undefined;
  /** For a document, and for the one that was there before. */
  readonly #viewer: Viewer<AnyDocument>;
  readonly #formerViewer: Viewer<AnyDocument>;
  /** Indexed by their numbers. */
  readonly #numbered: (Chunk | undefined)[] = [];
  readonly #freeNumbers: number[] = [];
  /** No id comes after that one. */
  #newest = '';
  #lastPut: { readonly chunk: Chunk; readonly slot: number } | undefined;
  #lately: Lately<AnyDocument> | undefined;

  /** Default: the declared indexes of the collection, and a new string table. */
  constructor(collection: CollectionName, indexes = indexesOf(collection), stringTable = new StringTable()) {
    this.stringTable = stringTable;
    this.#viewer = new Viewer(stringTable);
    this.#formerViewer = new Viewer(stringTable);
    const { groups, instants, keys, text } = declaredIndexes(indexes);
    const isOlder = (row: number, than: number): boolean => this.idOf(row) < this.idOf(than);
    this.collection = collection;
    this.groups = groups.map((index) => ({ ...index, given: null }));
    this.instants = instants.map((index) => ({ ...index, given: Number.NaN }));
    this.keys = keys.map((index) => ({
      ...index,
      rows: new KeyIndex(slotBits, isOlder),
      additional: new FurtherNames(),
      given: 0,
      givenFurther: none,
    }));
    this.text = text;
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    return (
      this.chunks.reduce((sum, chunk) => sum + chunk.size, 0) +
      this.keys.reduce((sum, { rows, additional: further }) => sum + rows.bytes + further.bytes, 0)
    );
  }

  /** No document has a later instant in this index. -Infinity: none has any. */
  lastInstant(name: string): number {
    let latest = -Infinity;
    for (const { instants } of this.chunks) {
      for (const { index, last } of instants) if (index.name === name && last > latest) latest = last;
    }
    return latest;
  }

  get(id: string): AnyDocument | undefined {
    const chunk = this.chunks[this.chunkOf(id)];
    if (!chunk) return undefined;
    const slot = chunk.slotOf(id);
    return slot < 0 ? undefined : this.#read(chunk, slot);
  }

  has(id: string): boolean {
    return (this.chunks[this.chunkOf(id)]?.slotOf(id) ?? -1) >= 0;
  }

  /** Puts `document`, or removes the document of this id if `document` is `undefined`. Returns the former document, packed. */
  set(id: string, document: AnyDocument | Bundled | undefined): PackedDocument | undefined {
    if (!document) return this.#removeById(id);
    // Every step that can fail comes first, before anything changes.
    if (!isPackableId(id) || document.id !== id) throw new TypeError('A document cannot be kept under that id.');
    if (document instanceof Bundled) return this.#putBundled(document);
    this.#take(document);
    this.#pack ??= createPack(this.stringTable);
    return this.#put(id, document, this.#pack(document));
  }

  /** The key index of that name. Throws TypeError if the collection has none. */
  key(index: string): Key {
    const key = this.keys.find(({ name }) => name === index);
    if (!key) throw new TypeError(`The collection ${this.collection} has no key index ${index}.`);
    return key;
  }

  /** Whether a document may have one of the names of these hashes in a key index. */
  mayHave(index: string, hashes: Uint32Array): boolean {
    const { rows, additional: further } = this.key(index);
    return hashes.some((hash) => hash !== 0 && (rows.newest(hash) >= 0 || further.of(hash).length > 0));
  }

  /** The hashes of the names that the documents of a bundle have in a key index. */
  hashesIn(index: string, bundle: Bundle): Uint32Array {
    return bundle.hashes(this.key(index).at);
  }

  /** Gives the documents of a bundle their ids and their stamp. */
  stamp(bundle: Bundle, ids: readonly string[], stamp: Stamp): Bundled[] {
    if (bundle.stringTable !== this.stringTable) throw new TypeError('The bundle was packed by another string table.');
    this.#packStamp ??= createPack(this.stringTable);
    const packed = packedStamp(this.#packStamp, stamp);
    return stampBundle(bundle, ids, stamp, { packed, instants: this.instants });
  }

  /** Puts a document that was packed with the table's string table. */
  setPacked(packed: PackedDocument): void {
    const { bytes, start } = packed;
    const document = this.#viewer.show(bytes, start);
    this.#take(document);
    this.#put(idIn(bytes, start), document, packed);
  }

  /** The document that was packed here. */
  unpacked({ bytes, start }: PackedDocument): AnyDocument {
    return unpack(bytes, start, this.stringTable);
  }

  /** The last put document, if any. Its bytes never change. */
  get lastPacked(): PackedInTable | undefined {
    if (!this.#lastPut) return undefined;
    const { chunk, slot } = this.#lastPut;
    const start = chunk.startOf(slot);
    return { bytes: chunk.bytes, start, end: start + chunk.lengthOf(slot), stringTable: this.stringTable };
  }

  documentAt(chunk: Chunk, slot: number): AnyDocument {
    return unpack(chunk.bytes, chunk.startOf(slot), this.stringTable);
  }

  documentIn(row: number): AnyDocument {
    return this.#read(this.#chunkIn(row), slotOf(row));
  }

  /** As `documentAt`, for documents of which some are asked for again and again. */
  #read(chunk: Chunk, slot: number): AnyDocument {
    const start = chunk.startOf(slot);
    let document = this.#lately?.get(chunk.buffer, start);
    if (!document) {
      document = this.documentAt(chunk, slot);
      if (chunk.lengthOf(slot) <= maxCached) (this.#lately ??= createLately()).set(chunk.buffer, start, document);
    }
    return document;
  }

  /** The row of the document with that id, which is there. */
  rowOf(id: string): number {
    const chunk = this.chunks[this.chunkOf(id)];
    const slot = chunk?.slotOf(id) ?? -1;
    if (!chunk || slot < 0) throw new RangeError('No document has that id.');
    return toRow(chunk, slot);
  }

  idOf(row: number): string {
    return this.#chunkIn(row).idOf(slotOf(row));
  }

  #chunkIn(row: number): Chunk {
    const chunk = this.#numbered[row >>> slotBits];
    if (!chunk) throw new RangeError('No chunk has that row.');
    return chunk;
  }

  /**
   * Does a slice of what a search for words in a chunk needs first; every chunk but the last is at rest. Returns whether there was
   * anything to do.
   */
  prepareWords(chunk: Chunk): boolean {
    return chunk.words?.prepare(chunk !== this.chunks.at(-1), this.textsIn(chunk)) ?? false;
  }

  /** The texts of a chunk's documents, whose words a query can search. */
  textsIn(chunk: Chunk): ChunkTexts {
    return { slots: () => chunk.slots(), textsOf: (slot) => this.textsAt(chunk, slot) };
  }

  /** The text index, whose words a query can search. */
  textsAt(chunk: Chunk, slot: number): readonly (string | null)[] {
    return this.text?.of(this.#viewer.show(chunk.bytes, chunk.startOf(slot))) ?? none;
  }

  /** The last chunk that begins at or before the id; the first one where there is none. */
  chunkOf(id: string): number {
    let low = 0;
    let high = this.chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      const chunk = this.chunks[middle];
      if (chunk && chunk.minId <= id) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  view(): TableView {
    const { stringTable } = this;
    const views = this.chunks.map((chunk) => chunk.view());
    return {
      size: this.size,
      stringTable,
      *documents() {
        for (const packed of views) {
          for (const { bytes, start } of packed()) yield unpack<AnyDocument>(bytes, start, stringTable);
        }
      },
      *packed() {
        for (const packed of views) {
          for (const { bytes, start, end } of packed()) yield { bytes, start, end, stringTable };
        }
      },
    };
  }

  #put(id: string, document: AnyDocument, packed: PackedDocument): PackedDocument | undefined {
    this.changes++;
    const isNewest = this.size === 0 || id > this.#newest;
    const chunk = isNewest ? undefined : this.chunks[this.chunkOf(id)];
    const slot = chunk?.slotOf(id) ?? -1;
    if (!chunk || slot < 0) {
      this.#insert(id, packed, isNewest);
      return undefined;
    }
    const previous = chunk.packedAt(slot);
    this.#replace(chunk, slot, { previous, document, packed });
    return previous;
  }

  #putBundled(document: Bundled): undefined {
    const { id } = document;
    const isNewest = this.size === 0 || id > this.#newest;
    if (!isNewest && this.has(id)) throw new TypeError('A bundle has new documents only.');
    document.read(this);
    this.changes++;
    this.#insert(id, document, isNewest);
    return undefined;
  }

  #removeById(id: string): PackedDocument | undefined {
    const at = this.chunkOf(id);
    const chunk = this.chunks[at];
    if (!chunk) return undefined;
    const position = chunk.positionOf(id);
    const slot = chunk.slotOf(id, position);
    if (slot < 0) return undefined;
    const previous = chunk.packedAt(slot);
    this.changes++;
    this.#remove(chunk, at, position);
    return previous;
  }

  #take(document: AnyDocument): void {
    for (const index of this.groups) index.given = index.of(document) ?? null;
    for (const index of this.instants) index.given = index.of(document) ?? Number.NaN;
    for (const key of this.keys) {
      const names = key.of(document) ?? null;
      const isSeveral = Array.isArray(names);
      key.given = hashIn(key, document, isSeveral ? names[0] : names);
      key.givenFurther = isSeveral ? names.slice(1).map((name) => hashIn(key, document, name)) : none;
    }
  }

  /** `isNewest`: whether its id comes after all there are. */
  #insert(id: string, packed: PackedDocument, isNewest: boolean): void {
    const chunk = this.#chunkFor(id, packed.end - packed.start, isNewest);
    const slot = chunk.insert(isNewest ? chunk.count : chunk.positionOf(id), packed);
    if (id < chunk.minId) chunk.minId = id;
    if (isNewest) this.#newest = id;
    this.size++;
    this.#lastPut = { chunk, slot };
    chunk.fillColumns(slot);
    for (const { rows, additional, given, givenFurther } of this.keys) {
      if (given !== 0) rows.add(toRow(chunk, slot), given, isNewest);
      additional.set(id, givenFurther);
    }
    chunk.words?.change(slot);
  }

  #replace(
    chunk: Chunk,
    slot: number,
    { previous, document, packed }: { previous: PackedDocument; document: AnyDocument; packed: PackedDocument },
  ): void {
    const isSaidAnew =
      this.text &&
      !isSame(this.text.of(this.#formerViewer.show(previous.bytes, previous.start)), this.text.of(document));
    chunk.replace(slot, packed);
    this.#lastPut = { chunk, slot };
    chunk.fillColumns(slot);
    const row = toRow(chunk, slot);
    for (const { rows, additional, given, givenFurther } of this.keys) {
      additional.set(document.id, givenFurther);
      if (rows.hashOf(row) === given) continue;
      rows.remove(row);
      if (given !== 0) rows.add(row, given, false);
    }
    if (isSaidAnew) chunk.words?.change(slot);
  }

  #remove(chunk: Chunk, at: number, position: number): void {
    const slot = chunk.slotAt(position);
    for (const { rows, additional: further } of this.keys) {
      rows.remove(toRow(chunk, slot));
      further.set(chunk.idOf(slot), none);
    }
    chunk.words?.remove(slot);
    chunk.removeAt(position);
    this.size--;
    if (chunk.count === 0) {
      this.#drop(at);
      return;
    }
    const [before, after] = [this.chunks[at - 1], this.chunks[at + 1]];
    if (before?.isSparseWith(chunk)) {
      this.#moveAll(chunk, 0, before);
      this.#drop(at);
    } else if (after?.isSparseWith(chunk)) {
      this.#moveAll(after, 0, chunk);
      this.#drop(at + 1);
    }
  }

  /** The chunk in which a new document belongs, with room for it. */
  #chunkFor(id: string, length: number, isNewest: boolean): Chunk {
    const at = isNewest ? this.chunks.length - 1 : this.chunkOf(id);
    const chunk = this.chunks[at];
    if (!chunk || (isNewest && !chunk.hasRoom(length))) {
      chunk?.trim();
      return this.#addChunk(at + 1, id, chunk);
    }
    if (chunk.hasRoom(length)) return chunk;
    if (chunk.count > 1) {
      this.#split(chunk, at);
      return this.#chunkFor(id, length, isNewest);
    }
    const only = chunk.idOf(chunk.slotAt(0));
    if (id > only) return this.#addChunk(at + 1, id);
    const minId = id < chunk.minId ? id : chunk.minId;
    chunk.minId = only;
    return this.#addChunk(at, minId);
  }

  #addChunk(at: number, minId: string, like?: Chunk): Chunk {
    const number = this.#freeNumbers.pop() ?? this.#numbered.length;
    const chunk = new Chunk(number, minId, this, like);
    this.#numbered[number] = chunk;
    this.chunks.splice(at, 0, chunk);
    return chunk;
  }

  #drop(at: number): void {
    for (const { number } of this.chunks.splice(at, 1)) {
      for (const { rows } of this.keys) rows.forget(number);
      this.#numbered[number] = undefined;
      this.#freeNumbers.push(number);
    }
  }

  /** Splits a chunk in two. */
  #split(chunk: Chunk, at: number): void {
    const half = chunk.count >>> 1;
    const upper = this.#addChunk(at + 1, chunk.idOf(chunk.slotAt(half)));
    this.#moveAll(chunk, half, upper);
    chunk.trim();
  }

  /** Moves the documents from a position on to the end of another chunk. */
  #moveAll(from: Chunk, position: number, to: Chunk): void {
    const end = to.count;
    while (from.count > position) {
      const last = from.count - 1;
      const slot = from.slotAt(last);
      // The last document moves first, each to a place before those that have moved.
      const target = to.insert(end, from.packedAt(slot));
      to.copyColumns(target, from, slot);
      for (const { rows } of this.keys) rows.move(toRow(from, slot), toRow(to, target));
      to.words?.change(target);
      from.words?.remove(slot);
      from.removeAt(last);
    }
  }
}

const toRow = (chunk: Chunk, slot: number): number => chunk.number * maxDocuments + slot;
const slotOf = (row: number): number => row & slotMask;
const slotMask = maxDocuments - 1;

const none: readonly never[] = [];

function isSame(a: readonly (string | null)[], b: readonly (string | null)[]): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return a.length === b.length;
}

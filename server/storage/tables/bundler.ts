/** Makes bundles in a thread, and stamps them in the thread of their table. */
import { indexesOf } from '../transactions/conditions.ts';
import type { CollectionName } from '../collections.ts';
import { Bundled } from './bundle.ts';
import type { Bundle, LooseBundle, Stamp } from './bundle.ts';
import { withRoom } from './bytes.ts';
import { declaredIndexes, hashIn } from './declared.ts';
import type { AnyDocument, DeclaredIndex } from './declared.ts';
import { createPack, fieldsAt, idIn, maxWordLength, putId } from './packing.ts';
import type { Pack } from './packing.ts';
import { StringTable } from './string-table.ts';
import type { Definitions } from './string-table.ts';

/** Too long for a word, so that it is packed in the same way whatever the string table has. */
const noTime = '-'.repeat(maxWordLength + 1);
/** The placeholder until there is a stamp. */
export const noStamp: Stamp = { created_at: noTime, updated_at: noTime, version: 1, commit: 0 };

/** Bytes in which any stamp finds room, packed. */
const stampRoom = 80;

export interface Bundler {
  /** Takes what the table has defined meanwhile. */
  learn(definitions: Definitions): void;
  /**
   * Packs new documents that end with `noStamp`, and whose ids are as long as those that they will have. `undefined`: only the table can
   * pack them, as they end with other fields, or have several names in an index. Throws UnknownShape where the table has not defined
   * their shape.
   */
  bundle(documents: readonly AnyDocument[]): LooseBundle | undefined;
}

/** A document has a shape that the table has not defined. */
export class UnknownShape extends Error {}

/** Packs documents of a collection in a thread, by a copy of the string table of their table. */
export function createBundler(collection: CollectionName): Bundler {
  const stringTable = new StringTable();
  const asked = new Set<string>();
  let wanted: string[] = [];
  const pack = createPack<AnyDocument>(stringTable, {
    shapeOf(names) {
      if (!stringTable.hasShape(names)) throw new UnknownShape();
      return stringTable.shapeOf(names);
    },
    addWord(text) {
      if (asked.has(text)) return undefined;
      asked.add(text);
      wanted.push(text);
      return -1;
    },
  });
  const ending = packedStamp(createPack(new StringTable()), noStamp);
  const { groups, instants, keys } = declaredIndexes(indexesOf(collection));

  let scratch = Buffer.allocUnsafeSlow(64 * 1024);

  /** Gives the bytes, and fills the lists; `undefined` where a document ends with other fields. */
  function packAll(
    documents: readonly AnyDocument[],
    starts: Uint32Array,
    stamps: Uint32Array,
  ): Uint8Array<ArrayBuffer> | undefined {
    let at = 0;
    for (const [nth, document] of documents.entries()) {
      const packed = pack(document);
      const length = packed.end - ending.length;
      if (length < 0 || ending.compare(packed.bytes, length, packed.end) !== 0) return undefined;
      scratch = withRoom(scratch, at, length + stampRoom);
      packed.bytes.copy(scratch, at, 0, length);
      starts[nth] = at;
      stamps[nth] = at + length;
      at += length + stampRoom;
    }
    return new Uint8Array(scratch.subarray(0, at));
  }

  return {
    learn(definitions) {
      if (!stringTable.take(definitions)) throw new Error('A number of the string table has another meaning.');
    },
    bundle(documents) {
      const { length } = documents;
      const numbers = new Uint32Array((2 + groups.length + keys.length) * length);
      const list = (nth: number): Uint32Array => numbers.subarray(nth * length, (nth + 1) * length);
      wanted = [];
      const bytes = packAll(documents, list(0), list(1));
      const names = groups.map((group, nth) => fillNames(list(2 + nth), group, documents));
      const areKeys = keys.every((key, nth) => fillHashes(list(2 + groups.length + nth), key, documents));
      if (!bytes || !areKeys) return undefined;
      const times = new Float64Array(instants.length * length).fill(Number.NaN);
      for (const { at, of, isOfStamp } of instants) {
        if (isOfStamp) continue;
        documents.forEach((document, nth) => (times[at * length + nth] = of(document) ?? Number.NaN));
      }
      return { collection, length, bytes, numbers, instants: times, names, wanted };
    },
  };
}

/** Gives the names that the numbers stand for. */
function fillNames(numbers: Uint32Array, { of }: DeclaredIndex<'group'>, documents: readonly AnyDocument[]) {
  const names: (string | null)[] = [];
  documents.forEach((document, nth) => {
    const name = of(document) ?? null;
    const known = names.indexOf(name);
    numbers[nth] = known < 0 ? names.push(name) - 1 : known;
  });
  return names;
}

/** `false` where a document has several names. */
function fillHashes(hashes: Uint32Array, key: DeclaredIndex<'key'>, documents: readonly AnyDocument[]): boolean {
  return documents.every((document, nth) => {
    const names = key.of(document) ?? null;
    if (Array.isArray(names)) return false;
    hashes[nth] = hashIn(key, document, names as string | null);
    return true;
  });
}

/** The stamp as it ends a packed document. */
export function packedStamp(pack: Pack<Stamp & { readonly id: string }>, stamp: Stamp): Buffer {
  const packed = pack({ id: '', ...stamp });
  // The first tag marks the id.
  return packed.bytes.subarray(fieldsAt(packed) + 1, packed.end);
}

/** Gives the documents of a bundle their ids and their stamp. Throws TypeError where those do not fit. */
export function stampBundle(
  bundle: Bundle,
  ids: readonly string[],
  stamp: Stamp,
  { packed, instants }: { readonly packed: Buffer; readonly instants: readonly DeclaredIndex<'instant'>[] },
): Bundled[] {
  const { bytes } = bundle;
  const idLength = idIn(bytes, bundle.startOf(0)).length;
  const isFit = ids.length === bundle.length && ids.every((id) => id.length === idLength) && packed.length <= stampRoom;
  if (!isFit) throw new TypeError('The ids or the stamp do not fit the bundle.');
  for (const { at, of, isOfStamp } of instants)
    if (isOfStamp) bundle.setInstant(at, of(stamp as unknown as AnyDocument) ?? Number.NaN);
  return ids.map((id, nth) => {
    const ending = bundle.stampOf(nth);
    putId(bytes, bundle.startOf(nth), id);
    bytes.set(packed, ending);
    return new Bundled(id, bundle, nth, ending + packed.length);
  });
}

/**
 * The content of frames: changes of documents, collection by collection, packed as in memory, with the definitions of their
 * shapes and words, so that each frame can be read alone. Numbers are LEB128: seven bits a byte, the lowest first. `T[]`
 * is a count and that many Ts, `bytes` for a length and that many bytes.
 *
 *     content     run[], or in the last frame of a snapshot 0 and the number of documents in all of it
 *     run         name of the collection bytes | shapes definition[] | words definition[] | put bytes[] | removed bytes[]
 *     definition  number | JSON bytes
 *
 * packing.ts describes the put documents. A removed document is represented by its id, as JSON.
 */
import { maxNumberBytes, putNumber, withRoom } from '../tables/bytes.ts';
import { unpack, wordsIn } from '../tables/packing.ts';
import type { Definition, Definitions } from '../tables/string-table.ts';
import { StringTable } from '../tables/string-table.ts';
import type { KeptDocument, KeptDocuments } from '../migrations.ts';
import type { Change } from '../transactions/tables.ts';

type PackedChange = Pick<Change, 'id' | 'packed'> & { readonly collection: string };

/** The content of a frame. */
export interface Content {
  /** Documents that it puts or removes. */
  readonly changes: number;
  /** Documents of a whole snapshot, in its last frame. */
  readonly total?: number;
  /** Brings the documents up to date. */
  apply(documents: KeptDocuments): void;
}

/** Documents of one collection that were put together, packed, with what they refer to. */
interface Run {
  readonly collection: string;
  readonly definitions: Definitions;
  readonly put: readonly Buffer[];
  readonly removed: readonly string[];
}

export interface ContentWriter {
  /** The content of a frame, good until the next one is written. */
  changes(changes: readonly PackedChange[]): Buffer;
  /** That of the last frame of a snapshot. */
  total(documents: number): Buffer;
}

export function createContentWriter(): ContentWriter {
  let buffer = Buffer.allocUnsafeSlow(64 * 1024);
  let at = 0;
  const words = createNumberSet();

  function put(number: number): void {
    buffer = withRoom(buffer, at, maxNumberBytes);
    at = putNumber(buffer, at, number);
  }

  function putBytes(bytes: Buffer, start = 0, end = bytes.length): void {
    put(end - start);
    buffer = withRoom(buffer, at, end - start);
    at += bytes.copy(buffer, at, start, end);
  }

  function putText(text: string): void {
    putBytes(Buffer.from(text));
  }

  function putDefinition([number, json]: Definition): void {
    put(number);
    putBytes(json);
  }

  function putRun(collection: string, changes: readonly PackedChange[]): void {
    const shapes: number[] = [];
    words.clear();
    let count = 0;
    // All of a collection are of its one table.
    let stringTable: StringTable | undefined;
    for (const { packed } of changes) {
      if (!packed) continue;
      count++;
      stringTable = packed.stringTable;
      const shape = wordsIn(packed, stringTable, words.add);
      if (!shapes.includes(shape)) shapes.push(shape);
    }
    putText(collection);
    put(shapes.length);
    if (stringTable) for (const number of shapes) putDefinition(stringTable.shapeDefinition(number));
    put(words.all.length);
    if (stringTable) for (const number of words.all) putDefinition(stringTable.wordDefinition(number));
    put(count);
    for (const { packed } of changes) if (packed) putBytes(packed.bytes, packed.start, packed.end);
    put(changes.length - count);
    for (const { packed, id } of changes) if (!packed) putText(JSON.stringify(id));
  }

  return {
    changes(changes) {
      at = 0;
      const collections = new Set(changes.map(({ collection }) => collection));
      put(collections.size);
      for (const name of collections) {
        putRun(name, collections.size === 1 ? changes : changes.filter(({ collection }) => collection === name));
      }
      return buffer.subarray(0, at);
    },
    total(documents) {
      at = 0;
      put(0);
      put(documents);
      return buffer.subarray(0, at);
    },
  };
}

/** Small numbers, each once, in the order in which they came first: a Set takes several times as long. */
function createNumberSet() {
  /** The round in which each number came. */
  let rounds = new Uint32Array(4096);
  let round = 1;
  const all: number[] = [];
  return {
    all,
    clear(): void {
      all.length = 0;
      if (++round < 2 ** 32) return;
      rounds.fill(0);
      round = 1;
    },
    add(number: number): void {
      if (rounds[number] === round) return;
      if (number >= rounds.length) {
        const previous = rounds;
        rounds = new Uint32Array(2 * number);
        rounds.set(previous);
      }
      rounds[number] = round;
      all.push(number);
    },
  };
}

/** Throws RangeError if the bytes are no valid content. */
export function readContent(bytes: Buffer): Content {
  const reader = createReader(bytes);
  const runs = reader.list((): Run => {
    const collection = reader.text();
    const definition = (): Definition => [reader.number(), reader.bytes()];
    const shapes = reader.list(definition);
    const words = reader.list(definition);
    const put = reader.list(reader.bytes);
    const removed = reader.list(() => JSON.parse(reader.text()) as string);
    return { collection, definitions: { shapes, words }, put, removed };
  });
  const total = runs.length === 0 && !reader.isAtEnd() ? reader.number() : undefined;
  return {
    changes: runs.reduce((count, { put, removed }) => count + put.length + removed.length, 0),
    ...(total !== undefined && { total }),
    apply: (documents) => runs.forEach((run) => applyRun(documents, run)),
  };
}

function applyRun(documents: KeptDocuments, { collection, definitions, put, removed }: Run): void {
  for (const id of removed) documents.remove(collection, id);
  if (put.length === 0 || documents.putPacked(collection, definitions, put)) return;
  const stringTable = new StringTable();
  stringTable.take(definitions);
  for (const bytes of put) documents.put(collection, unpack<KeptDocument>(bytes, 0, stringTable));
}

function createReader(bytes: Buffer) {
  let at = 0;
  const reader = {
    isAtEnd: () => at === bytes.length,
    number(): number {
      let value = 0;
      for (let weight = 1; ; weight *= 0x80) {
        const byte = weight > Number.MAX_SAFE_INTEGER ? undefined : bytes[at++];
        if (byte === undefined) throw new RangeError('A number has no end.');
        value += (byte & 0x7f) * weight;
        if (byte <= 0x7f) return value;
      }
    },
    bytes(): Buffer {
      const length = reader.number();
      if (at + length > bytes.length) throw new RangeError('There are fewer bytes.');
      return bytes.subarray(at, (at += length));
    },
    text: (): string => reader.bytes().toString(),
    list<T>(read: () => T): T[] {
      const length = reader.number();
      if (length > bytes.length) throw new RangeError('There are fewer of them.');
      const list: T[] = [];
      for (let i = 0; i < length; i++) list.push(read());
      return list;
    },
  };
  return reader;
}

/**
 * Packs documents as bytes. A million documents as objects would be tens of millions of objects for the garbage collector to
 * visit, and most of their memory would repeat the same field names and values. As bytes they take a fraction of that
 * memory, outside the collector's heap, and become objects only when somebody reads them.
 *
 *     document  u16: length of the id, doubled, and 1 where it is wide | id | number of the shape | a value a field
 *     value     tag u8, and what the tag says: see below
 *
 * Texts are Latin-1, or wide: UTF-16, as nothing but that keeps every text that JSON can hold. Shapes and words are those of
 * a string table. Numbers are LEB128, seven bits a byte, the lowest first; all others are little-endian.
 */
import { putNumber, withRoom } from './bytes.ts';
import type { Shape, StringTable } from './string-table.ts';

/** A packed document: the bytes from `start` to `end`. A separate Buffer for each would cost a tenth of the packing. */
export interface PackedDocument {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Packs a document; the bytes are valid until the next call. Leaves out `undefined` fields, as JSON does. */
export type Pack<D extends { readonly id: string }> = (document: D) => PackedDocument;

const maxIdLength = 0x7fff;

export const isPackableId = (id: unknown): id is string => typeof id === 'string' && id.length <= maxIdLength;

/** The id of the packed document. */
export function idIn(bytes: Buffer, start: number): string {
  const { from, to, isWide } = idAt(bytes, start);
  return bytes.toString(isWide ? 'utf16le' : 'latin1', from, to);
}

/** Where the fields of the packed document begin. */
export function fieldsAt({ bytes, start }: PackedDocument): number {
  const reader = new NumberReader(bytes, idAt(bytes, start).to);
  reader.number();
  return reader.at;
}

/** Puts another id of the same length into the packed document; both are Latin-1. */
export function putId(bytes: Buffer, start: number, id: string): void {
  const { from } = idAt(bytes, start);
  for (let i = 0; i < id.length; i++) bytes[from + i] = id.charCodeAt(i);
}

/** As `readUInt16LE`, which checks more. */
function headerAt(bytes: Buffer, start: number): number {
  const low = bytes[start];
  const high = bytes[start + 1];
  if (low === undefined || high === undefined) throw endMissing();
  return low + high * 0x100;
}

const endMissing = (): RangeError => new RangeError('A packed document has no end.');

function idAt(bytes: Buffer, start: number): { from: number; to: number; isWide: boolean } {
  const header = headerAt(bytes, start);
  const isWide = header % 2 === 1;
  const from = start + 2;
  return { from, to: from + (isWide ? 2 : 1) * (header >>> 1), isWide };
}

/** Compares the id of the packed document with another id: below 0 if it comes before that id, above 0 if after. */
export function compareId(bytes: Buffer, start: number, other: string): number {
  const header = headerAt(bytes, start);
  if (header % 2 === 1) return compareText(idIn(bytes, start), other);
  const length = header >>> 1;
  const shared = Math.min(length, other.length);
  const from = start + 2;
  for (let i = 0; i < shared; i++) {
    const unit = bytes[from + i];
    if (unit === undefined) throw endMissing();
    const difference = unit - other.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return length - other.length;
}

const compareText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

const tags = {
  null: 0,
  false: 1,
  true: 2,
  /** The id, which comes before. */
  id: 3,
  /** A whole number from 0 up. */
  whole: 4,
  /** 8 bytes. */
  double: 5,
  /** The number of a word. */
  word: 6,
  /** Length in bytes, and a text as it is, a wide one, or the JSON of an object or array (UTF-8). */
  latin1: 7,
  wide: 8,
  json: 9,
  /** This and all higher tags: a text, as many characters as the tag is above this. */
  short: 16,
} as const;
const maxShort = 255 - tags.short;

/** How many words a field may add to the string table, so that no field uses up the room of the others. */
const maxFieldWords = 4096;
/** Characters of a word, at most. */
export const maxWordLength = 64;

/** Copied by whoever needs places for texts: to fill them one by one takes twenty times as long. */
const noTexts: readonly string[] = Array.from({ length: 4096 }, () => '');

/** A field of a shape: whether its texts come again often enough to be looked for among the words, and the last of them. */
class Field {
  readonly name: string;
  readonly isId: boolean;
  /** Above 0 where it is worth to look. */
  worth = 16;
  /** So many texts are let pass without looking. */
  rest = 0;
  words = 0;
  /** Words and their numbers, at places that their letters give, and the last of them. */
  readonly recent = noTexts.slice(0, 64);
  readonly numbers = new Uint32Array(64);
  last = '';
  lastNumber = 0;

  constructor(name: string) {
    this.name = name;
    this.isId = name === 'id';
  }
}

/** The state for packing documents of one shape. */
interface Packing {
  readonly shape: Shape;
  readonly fields: readonly Field[];
}

/** Defines what a string table lacks. */
export interface Defining {
  shapeOf(names: readonly string[]): Shape;
  /** The number of the new word. Below 0: the text is no word yet; `undefined`: it was asked for before. */
  addWord(text: string): number | undefined;
}

/** Finds the words of a string table among the texts of documents, and defines new ones. */
class WordFinder {
  readonly #stringTable: StringTable;
  readonly #define: Defining;
  /** Texts seen once, each at the place that its letters give: one that comes again soon becomes a word. */
  readonly #seenOnce = noTexts.slice();

  constructor(stringTable: StringTable, define: Defining) {
    this.#stringTable = stringTable;
    this.#define = define;
  }

  /** The number of the word, or -1. Fields that hold words nearly always do: to look for what is not there costs most. */
  numberOf(text: string, field: Field): number {
    if (field.rest > 0) {
      field.rest--;
      return -1;
    }
    if (text === field.last) return field.lastNumber;
    const place = placeOf(text);
    const recentPlace = place & 63;
    const recentNumber = field.numbers[recentPlace];
    if (recentNumber !== undefined && field.recent[recentPlace] === text) {
      field.last = text;
      return (field.lastNumber = recentNumber);
    }
    let number = this.#stringTable.numberOfWord(text);
    if (number >= 0) field.worth = Math.min(field.worth + 4, 64);
    else if (--field.worth < 0) {
      field.worth = 8;
      field.rest = 64;
    }
    const once = place & 4095;
    if (number < 0 && this.#seenOnce[once] !== text) this.#seenOnce[once] = text;
    else if (number < 0 && field.words < maxFieldWords) {
      const added = this.#define.addWord(text);
      if (added !== undefined) field.words++;
      number = added ?? -1;
    }
    if (number >= 0) {
      field.recent[recentPlace] = text;
      field.numbers[recentPlace] = number;
    }
    return number;
  }
}

/** Most texts are so short that to write them letter by letter is the fastest. -1 where a letter is higher than `highest`: 0x7f or 0xff. */
function putLetters(bytes: Buffer, at: number, text: string, highest: number): number {
  const { length } = text;
  let bits = 0;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    bits |= code;
    bytes[at + i] = code;
  }
  return bits > highest ? -1 : at + length;
}
const latin1 = 0xff;
const ascii = 0x7f;

/** Packs documents with the shapes and words of a string table. What it lacks is defined by `define`; default: by the string table itself. */
export function createPack<D extends { readonly id: string }>(
  stringTable: StringTable,
  define: Defining = stringTable,
): Pack<D> {
  const known: Packing[] = [];
  let last: Packing | undefined;
  const words = new WordFinder(stringTable, define);
  let buffer = Buffer.allocUnsafeSlow(16 * 1024);

  function getPacking(names: readonly string[]): Packing {
    const shape = define.shapeOf(names);
    return (known[shape.number] ??= { shape, fields: names.map((name) => new Field(name)) });
  }

  function putText(at: number, text: string, field: Field): number {
    const { length } = text;
    if (length > 1 && length <= maxWordLength) {
      const word = words.numberOf(text, field);
      if (word >= 0) {
        buffer[at] = tags.word;
        return putNumber(buffer, at + 1, word);
      }
    }
    buffer = withRoom(buffer, at, 2 * length + 16);
    if (length <= maxShort) {
      buffer[at] = tags.short + length;
      const end = putLetters(buffer, at + 1, text, latin1);
      if (end >= 0) return end;
    }
    const isNarrow = isLatin1.test(text);
    buffer[at] = isNarrow ? tags.latin1 : tags.wide;
    const start = putNumber(buffer, at + 1, isNarrow ? length : 2 * length);
    return start + buffer.write(text, start, isNarrow ? 'latin1' : 'utf16le');
  }

  function beginWith(at: number, id: string): number {
    buffer = withRoom(buffer, at, 2 + 2 * id.length);
    const end = putLetters(buffer, at + 2, id, latin1);
    const isWide = end < 0;
    buffer.writeUInt16LE(2 * id.length + Number(isWide), at);
    return isWide ? at + 2 + buffer.write(id, at + 2, 'utf16le') : end;
  }

  /** A number, or an object or array as its JSON. */
  function putOther(at: number, value: unknown): number {
    if (typeof value === 'number') {
      if (Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)) {
        buffer[at] = tags.whole;
        return putNumber(buffer, at + 1, value);
      }
      buffer[at] = tags.double;
      return buffer.writeDoubleLE(value, at + 1);
    }
    const json = JSON.stringify(value);
    // A UTF-16 unit takes at most three bytes of UTF-8.
    buffer = withRoom(buffer, at, 3 * json.length + 16);
    buffer[at] = tags.json;
    if (json.length <= maxShort) {
      const end = putLetters(buffer, putNumber(buffer, at + 1, json.length), json, ascii);
      if (end >= 0) return end;
    }
    const start = putNumber(buffer, at + 1, Buffer.byteLength(json));
    return start + buffer.write(json, start);
  }

  /** Where the document ends that is put there as one of the shape, or -1 where it is not of the shape. */
  function putDocument(document: D, { shape, fields }: Packing): number {
    const { length } = fields;
    let at = beginWith(0, document.id);
    buffer = withRoom(buffer, at, 16);
    at = putNumber(buffer, at, shape.number);
    let i = 0;
    // A document has no inherited fields, and no faster way leads through all of them.
    for (const name in document) {
      const field = fields[i++];
      const value: unknown = document[name];
      if (!field || field.name !== name || value === undefined) return -1;
      // So much each finds free; what needs more makes more room.
      if (at + 16 > buffer.length) buffer = withRoom(buffer, at, 16);
      if (value === null) buffer[at++] = tags.null;
      else if (typeof value === 'string') {
        if (field.isId) buffer[at++] = tags.id;
        else at = putText(at, value, field);
      } else if (typeof value === 'boolean') buffer[at++] = value ? tags.true : tags.false;
      else at = putOther(at, value);
    }
    return i === length ? at : -1;
  }

  return function pack(document: D): PackedDocument {
    let end = last ? putDocument(document, last) : -1;
    if (end < 0) {
      const values: unknown[] = Object.values(document);
      const plain = values.includes(undefined) ? (JSON.parse(JSON.stringify(document)) as D) : document;
      last = getPacking(Object.keys(plain));
      end = putDocument(plain, last);
    }
    return { bytes: buffer, start: 0, end };
  };
}

/** Reads numbers from a place on. */
class NumberReader {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw endMissing();
    return byte;
  }

  number(): number {
    let byte = this.byte();
    let value = byte & 0x7f;
    for (let weight = 0x80; byte > 0x7f; weight *= 0x80) {
      byte = this.byte();
      value += (byte & 0x7f) * weight;
    }
    return value;
  }
}

/** Unpacks the document that begins at `start`. */
export function unpack<D>(bytes: Buffer, start: number, stringTable: StringTable): D {
  const reader = new NumberReader(bytes, idAt(bytes, start).to);
  const { names, template } = stringTable.shape(reader.number());
  const document: Record<string, unknown> = { ...template };
  for (const name of names) {
    if (bytes[reader.at] === tags.null) reader.at++;
    else document[name] = readValue(reader, bytes, start, stringTable);
  }
  return document as D;
}

/** The value that begins where the reader is, of the document at `start`. */
function readValue(reader: NumberReader, bytes: Buffer, start: number, stringTable: StringTable): unknown {
  const tag = reader.byte();
  if (tag >= tags.short) return bytes.toString('latin1', reader.at, (reader.at += tag - tags.short));
  if (tag === tags.word) return stringTable.word(reader.number());
  if (tag === tags.null) return null;
  if (tag === tags.whole) return reader.number();
  if (tag === tags.id) return idIn(bytes, start);
  if (tag === tags.true) return true;
  if (tag === tags.false) return false;
  if (tag === tags.double) return bytes.readDoubleLE((reader.at += 8) - 8);
  const length = reader.number();
  const from = reader.at;
  const to = (reader.at += length);
  if (tag === tags.latin1) return bytes.toString('latin1', from, to);
  if (tag === tags.wide) return bytes.toString('utf16le', from, to);
  return JSON.parse(bytes.toString('utf8', from, to));
}

/** Goes over the value that begins where the reader is. */
function skipValue(reader: NumberReader): void {
  const tag = reader.byte();
  if (tag >= tags.short) reader.at += tag - tags.short;
  else if (tag === tags.word || tag === tags.whole) reader.number();
  else if (tag === tags.double) reader.at += 8;
  else if (tag === tags.latin1 || tag === tags.wide || tag === tags.json) {
    const length = reader.number();
    reader.at += length;
  }
}

/** Shows packed documents as objects, and unpacks a field only when somebody reads the field. */
export class Viewer<D> {
  readonly #stringTable: StringTable;
  /** Indexed by the numbers of the shapes: one object for all documents of a shape. */
  readonly #views: (object | undefined)[] = [];
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  /** Where the fields begin. */
  #fields = new Uint32Array(64);
  /** The last field that had to be parsed, which several indexes read, and its value. */
  #parsedField = -1;
  #parsed: unknown;

  constructor(stringTable: StringTable) {
    this.#stringTable = stringTable;
  }

  /** The document that is packed there, good until the next one is shown. */
  show(bytes: Buffer, start: number): D {
    const reader = new NumberReader(bytes, idAt(bytes, start).to);
    const { number, names } = this.#stringTable.shape(reader.number());
    if (names.length > this.#fields.length) this.#fields = new Uint32Array(2 * names.length);
    for (let i = 0; i < names.length; i++) {
      this.#fields[i] = reader.at;
      skipValue(reader);
    }
    this.#bytes = bytes;
    this.#start = start;
    this.#parsedField = -1;
    return (this.#views[number] ??= this.#viewOf(names)) as D;
  }

  #viewOf(names: readonly string[]): object {
    const read = (field: number) => (): unknown => {
      if (field === this.#parsedField) return this.#parsed;
      const at = this.#fields[field];
      if (at === undefined) return undefined;
      const value = readValue(new NumberReader(this.#bytes, at), this.#bytes, this.#start, this.#stringTable);
      if (this.#bytes[at] === tags.json) {
        this.#parsedField = field;
        this.#parsed = value;
      }
      return value;
    };
    return Object.defineProperties({}, Object.fromEntries(names.map((name, field) => [name, { get: read(field) }])));
  }
}

/** Reports each word in the packed document; returns the number of the document's shape. */
export function wordsIn(
  { bytes, start }: PackedDocument,
  stringTable: StringTable,
  visit: (word: number) => void,
): number {
  const reader = new NumberReader(bytes, idAt(bytes, start).to);
  const shape = reader.number();
  for (let left = stringTable.shape(shape).names.length; left > 0; left--) {
    if (bytes[reader.at] !== tags.word) skipValue(reader);
    else {
      reader.at++;
      visit(reader.number());
    }
  }
  return shape;
}

const isLatin1 = /^[\x00-\xff]*$/;

/** A hash that differs for most different texts. */
const placeOf = (text: string): number =>
  text.length * 31 +
  text.charCodeAt(0) * 7 +
  text.charCodeAt(text.length >>> 1) * 17 +
  text.charCodeAt(text.length - 1) * 131;

/**
 * Documents as bytes. A million documents as objects are tens of millions of things for the garbage collector to go
 * through, and most of what they take is the same field names and values again and again. As bytes they take a fraction,
 * outside the collector's heap, and become objects when they are read.
 *
 *     document  u16: length of the id, doubled, and 1 where it is wide | id | number of the shape | a value a field
 *     value     tag u8, and what the tag says: see below
 *
 * Texts are Latin-1, or wide: UTF-16, as nothing but that keeps every text that JSON can hold. A shape is the names of the
 * fields in their order; a word is a text that many documents have. Both are numbered by the packing, which belongs to one
 * table, and are never forgotten. Numbers are LEB128: seven bits a byte, the lowest first; all others are little-endian.
 */

export interface Packing<D extends { readonly id: string }> {
  /** The document as bytes, good until the next one is packed. A field that is `undefined` is left out, as in any JSON. */
  pack(document: D): Buffer;
  unpack(bytes: Buffer, start: number): D;
}

const longestId = 0x7fff;

export const isPackableId = (id: unknown): id is string => typeof id === 'string' && id.length <= longestId;

/** The id of the document that is packed there. */
export function idIn(bytes: Buffer, start: number): string {
  const { from, to, isWide } = idAt(bytes, start);
  return bytes.toString(isWide ? 'utf16le' : 'latin1', from, to);
}

function idAt(bytes: Buffer, start: number): { from: number; to: number; isWide: boolean } {
  const header = bytes[start]! + bytes[start + 1]! * 0x100;
  const isWide = header % 2 === 1;
  const from = start + 2;
  return { from, to: from + (isWide ? 2 : 1) * (header >>> 1), isWide };
}

/** Below 0 where the id of the document that is packed there comes before the other one, above it where it comes after. */
export function compareId(bytes: Buffer, start: number, other: string): number {
  const header = bytes[start]! + bytes[start + 1]! * 0x100;
  const isWide = header % 2 === 1;
  const length = header >>> 1;
  const shared = Math.min(length, other.length);
  for (let i = 0, at = start + 2; i < shared; i++) {
    const unit = isWide ? bytes[at++]! + bytes[at++]! * 0x100 : bytes[at++]!;
    const difference = unit - other.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return length - other.length;
}

const tags = {
  null: 0,
  false: 1,
  true: 2,
  /** The id, which stands before. */
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
  /** From here on: a text, as many characters as the tag is above this. */
  short: 16,
} as const;
const longestShort = 255 - tags.short;

/** How many words a field may add, so that none takes the place of all others. */
const mostWordsOfField = 4096;
/** Characters of a word, at most. */
const longestWord = 64;

type Fields = Record<string, unknown>;

/** A field of a shape: whether its texts come again often enough to be looked for among the words, and the last of them. */
class Field {
  readonly name: string;
  readonly isId: boolean;
  /** Above 0 where it is worth to look. */
  worth = 16;
  /** So many texts are let pass without looking. */
  rest = 0;
  words = 0;
  /** Words and their numbers, at places that their letters give. */
  readonly lately: string[] = Array.from({ length: 16 }, () => '');
  readonly numbers = new Uint32Array(16);

  constructor(name: string) {
    this.name = name;
    this.isId = name === 'id';
  }
}

interface Shape {
  readonly number: number;
  readonly names: readonly string[];
  readonly fields: readonly Field[];
  /** Copied and then filled, so that all documents of the shape are alike to the engine. */
  readonly template: Readonly<Fields>;
}

export function createPacking<D extends { readonly id: string }>(): Packing<D> {
  const shapes: Shape[] = [];
  const shapeNumbers = new Map<string, Shape>();
  let lastShape: Shape | undefined;
  const words: string[] = [];
  const wordNumbers = new Map<string, number>();
  /** Texts seen once, each at the place that its letters give: one that comes again soon becomes a word. */
  const seenOnce = Array.from({ length: 4096 }, () => '');
  let buffer = Buffer.allocUnsafeSlow(16 * 1024);

  function shapeOf(names: readonly string[]): Shape {
    if (lastShape && isSame(lastShape.names, names)) return lastShape;
    const key = JSON.stringify(names);
    let shape = shapeNumbers.get(key);
    if (!shape) {
      shape = {
        number: shapes.length,
        names: [...names],
        fields: names.map((name) => new Field(name)),
        template: Object.fromEntries(names.map((name) => [name, null])),
      };
      shapes.push(shape);
      shapeNumbers.set(key, shape);
    }
    return (lastShape = shape);
  }

  /** Makes room for so many bytes after those that there are. */
  function reserve(at: number, bytes: number): void {
    if (at + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * buffer.length, at + bytes));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  }

  /** The number of the word, or -1. Fields that hold words nearly always do: to look for what is not there costs most. */
  function wordNumber(text: string, field: Field): number {
    if (field.rest > 0) {
      field.rest--;
      return -1;
    }
    const place = placeOf(text);
    const lately = place & 15;
    if (field.lately[lately] === text) return field.numbers[lately]!;
    let number = wordNumbers.get(text) ?? -1;
    if (number >= 0) field.worth = Math.min(field.worth + 4, 64);
    else if (--field.worth < 0) {
      field.worth = 8;
      field.rest = 64;
    }
    const once = place & 4095;
    if (number < 0 && seenOnce[once] !== text) seenOnce[once] = text;
    else if (number < 0 && field.words++ < mostWordsOfField) {
      number = words.push(text) - 1;
      wordNumbers.set(text, number);
    }
    if (number >= 0) {
      field.lately[lately] = text;
      field.numbers[lately] = number;
    }
    return number;
  }

  /** Where the number ends that is put there. */
  function putNumber(at: number, value: number): number {
    let next = at;
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) buffer[next++] = (rest % 0x80) + 0x80;
    buffer[next++] = rest;
    return next;
  }

  /** Most texts are so short that to write them letter by letter is the fastest. -1 where it is a wide one. */
  function putLatin1(at: number, text: string): number {
    const bytes = buffer;
    const { length } = text;
    let bits = 0;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      bits |= code;
      bytes[at + i] = code;
    }
    return bits > 0xff ? -1 : at + length;
  }

  function putText(at: number, text: string, field: Field): number {
    const { length } = text;
    if (length > 1 && length <= longestWord) {
      const word = wordNumber(text, field);
      if (word >= 0) {
        buffer[at] = tags.word;
        return putNumber(at + 1, word);
      }
    }
    reserve(at, 2 * length + 16);
    if (length <= longestShort) {
      buffer[at] = tags.short + length;
      const end = putLatin1(at + 1, text);
      if (end >= 0) return end;
    }
    const isNarrow = isLatin1.test(text);
    buffer[at] = isNarrow ? tags.latin1 : tags.wide;
    const start = putNumber(at + 1, isNarrow ? length : 2 * length);
    return start + buffer.write(text, start, isNarrow ? 'latin1' : 'utf16le');
  }

  function putId(at: number, id: string): number {
    reserve(at, 2 + 2 * id.length);
    buffer.writeUInt16LE(2 * id.length, at);
    const end = putLatin1(at + 2, id);
    if (end >= 0) return end;
    buffer[at]! |= 1;
    return at + 2 + buffer.write(id, at + 2, 'utf16le');
  }

  /** A number, or an object or array as its JSON. */
  function putOther(at: number, value: unknown): number {
    if (typeof value === 'number') {
      if (Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)) {
        buffer[at] = tags.whole;
        return putNumber(at + 1, value);
      }
      buffer[at] = tags.double;
      return buffer.writeDoubleLE(value, at + 1);
    }
    const json = JSON.stringify(value);
    // A UTF-16 unit takes at most three bytes of UTF-8.
    reserve(at, 3 * json.length + 16);
    buffer[at] = tags.json;
    const start = putNumber(at + 1, Buffer.byteLength(json));
    return start + buffer.write(json, start);
  }

  return {
    pack(document) {
      const values: unknown[] = Object.values(document);
      if (values.includes(undefined)) return this.pack(JSON.parse(JSON.stringify(document)) as D);
      const { fields, number } = shapeOf(Object.keys(document));
      let at = putId(0, document.id);
      reserve(at, 16);
      at = putNumber(at, number);
      for (let i = 0; i < fields.length; i++) {
        const value = values[i];
        // So much each finds free; what needs more makes more room.
        if (at + 16 > buffer.length) reserve(at, 16);
        if (value === null) buffer[at++] = tags.null;
        else if (typeof value === 'string') {
          if (fields[i]!.isId) buffer[at++] = tags.id;
          else at = putText(at, value, fields[i]!);
        } else if (typeof value === 'boolean') buffer[at++] = value ? tags.true : tags.false;
        else at = putOther(at, value);
      }
      return buffer.subarray(0, at);
    },

    unpack(bytes, start) {
      const id = idIn(bytes, start);
      let next = idAt(bytes, start).to;
      const number = (): number => {
        let byte = bytes[next++]!;
        let value = byte & 0x7f;
        for (let weight = 0x80; byte > 0x7f; weight *= 0x80) {
          byte = bytes[next++]!;
          value += (byte & 0x7f) * weight;
        }
        return value;
      };
      const { names, template } = shapes[number()]!;
      const document: Fields = { ...template };
      for (let i = 0; i < names.length; i++) {
        const tag = bytes[next++]!;
        if (tag === tags.null) continue;
        let value: unknown;
        if (tag >= tags.short) value = bytes.toString('latin1', next, (next += tag - tags.short));
        else if (tag === tags.word) value = words[number()];
        else if (tag === tags.whole) value = number();
        else if (tag === tags.id) value = id;
        else if (tag === tags.true) value = true;
        else if (tag === tags.false) value = false;
        else if (tag === tags.double) value = bytes.readDoubleLE((next += 8) - 8);
        else {
          const length = number();
          const from = next;
          next += length;
          if (tag === tags.latin1) value = bytes.toString('latin1', from, next);
          else if (tag === tags.wide) value = bytes.toString('utf16le', from, next);
          else value = JSON.parse(bytes.toString('utf8', from, next));
        }
        document[names[i]!] = value;
      }
      return document as unknown as D;
    },
  };
}

const isLatin1 = /^[\x00-\xff]*$/;

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Differs for most texts that differ. */
const placeOf = (text: string): number =>
  text.length * 31 +
  text.charCodeAt(0) * 7 +
  text.charCodeAt(text.length >>> 1) * 17 +
  text.charCodeAt(text.length - 1) * 131;

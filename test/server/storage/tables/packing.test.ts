import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import {
  compareId,
  createPack,
  idIn,
  isPackableId,
  unpack,
  Viewer,
  wordsIn,
} from '../../../../server/storage/tables/packing.ts';
import type { PackedDocument } from '../../../../server/storage/tables/packing.ts';
import { StringTable } from '../../../../server/storage/tables/string-table.ts';

interface Document {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Every text that JSON can hold, and above all those that come again, lone surrogates and lengths around the limits. */
const anyText = fc.oneof(
  fc.constantFrom(
    '',
    'CT',
    'São Lucas',
    '\ud800',
    'ü\u2028"',
    '山田^太郎',
    'x'.repeat(239),
    'x'.repeat(240),
    'ÿ'.repeat(70_000),
  ),
  fc.string({ unit: 'binary' }),
);
const id = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'binary' }), fc.constant('b'.repeat(1000)));
const anyNumber = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger(), fc.nat(300));
/** As JSON gives it back: inside of it -0 is 0. */
const anyJson = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const anyValue = fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null), anyJson);

const anyDocument: fc.Arbitrary<Document> = fc
  .tuple(fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', '__proto__', '1'), fc.string()), anyValue), id, fc.boolean())
  .map(([fields, id, isFirst]) => (isFirst ? { ...own('id', id), ...fields, id } : { ...fields, id }));
const own = (name: string, value: unknown) => ({ [name]: value });

/** A copy of what is packed there. */
const bytesOf = ({ bytes, start, end }: PackedDocument): Buffer => Buffer.from(bytes.subarray(start, end));

test('documents come back as they were, with their fields in their order', () => {
  fc.assert(
    fc.property(fc.array(anyDocument, { maxLength: 40 }), (documents) => {
      const stringTable = new StringTable();
      const pack = createPack<Document>(stringTable);
      const viewer = new Viewer<Document>(stringTable);
      // Twice, for what comes again is packed as a word.
      const kept = [...documents, ...documents].map((document) => bytesOf(pack(document)));
      kept.forEach((bytes, at) => {
        const document = documents[at % documents.length]!;
        const padded = Buffer.concat([Buffer.alloc(at), bytes]);
        const unpacked = unpack<Document>(padded, at, stringTable);
        expect(JSON.stringify(unpacked)).toBe(JSON.stringify(document));
        expect(unpacked).toEqual(document);
        expect(idIn(padded, at)).toBe(document.id);
        const view = viewer.show(padded, at);
        for (const [name, value] of Object.entries(document)) expect(view[name]).toEqual(value);
        // With the definitions that it needs it can be read elsewhere.
        const words = new Set<number>();
        const shape = wordsIn(
          { bytes: padded, start: at, end: padded.length },
          stringTable,
          (word) => void words.add(word),
        );
        const elsewhere = new StringTable();
        elsewhere.take({
          shapes: [stringTable.shapeDefinition(shape)],
          words: Array.from(words, (word) => stringTable.wordDefinition(word)),
        });
        expect(JSON.stringify(unpack<Document>(bytes, 0, elsewhere))).toBe(JSON.stringify(document));
      });
    }),
  );
});

test('definitions are adopted unless a number already means something else', () => {
  const one = new StringTable();
  const other = new StringTable();
  const shape = one.shapeOf(['id', 'a']).number;
  const definitions = { shapes: [one.shapeDefinition(shape)], words: [one.wordDefinition(one.addWord('CT'))] };
  expect(other.take(definitions)).toBe(true);
  expect(other.take(definitions)).toBe(true);
  expect(other.numberOfWord('CT')).toBe(one.numberOfWord('CT'));
  expect(other.addWord('MR')).not.toBe(other.numberOfWord('CT'));
  const another = new StringTable();
  another.addWord('MR');
  expect(another.take(definitions)).toBe(false);
  expect(another.word(0)).toBe('MR');
});

test('ids are compared as texts are', () => {
  const pack = createPack<Document>(new StringTable());
  fc.assert(
    fc.property(id, id, (one, other) => {
      const order = one < other ? -1 : one > other ? 1 : 0;
      expect(Math.sign(compareId(pack({ id: one }).bytes, 0, other))).toBe(order);
    }),
  );
});

test('a field that is undefined is left out, and an id has to be a text of some length', () => {
  const stringTable = new StringTable();
  const pack = createPack<Document>(stringTable);
  expect(unpack(pack({ id: 'a', none: undefined, b: 1 }).bytes, 0, stringTable)).toStrictEqual({ id: 'a', b: 1 });
  expect(['a', '', 'x'.repeat(0x7fff), 'x'.repeat(0x8000), 7, null].map(isPackableId)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('a field whose texts never come again leaves the words to the others', () => {
  const pack = createPack<Document>(new StringTable());
  const lengthOf = (document: Document): number => bytesOf(pack(document)).length;
  for (let n = 0; n < 20_000; n++) {
    pack({ id: 'x', own: `accession ${n}`, shared: 'Hospital São Lucas' });
    pack({ id: 'x', own: `accession ${n}`, shared: 'Hospital São Lucas' });
  }
  const short = lengthOf({ id: 'x', own: 'never seen before', shared: 'Hospital São Lucas' });
  expect(short).toBeLessThan(lengthOf({ id: 'x', own: 'never seen before', shared: 'Hospital São Pedro' }) - 10);
});

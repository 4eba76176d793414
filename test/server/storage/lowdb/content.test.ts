import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import { createContentWriter, readContent } from '../../../../server/storage/lowdb/content.ts';
import { readFormerContent } from '../../../../server/storage/lowdb/former-content.ts';
import { keepDocuments } from '../../../../server/storage/migrations.ts';
import type { KeptDocument, KeptDocuments } from '../../../../server/storage/migrations.ts';
import type { Change } from '../../../../server/storage/transactions/tables.ts';
import { Table } from '../../../../server/storage/tables/table.ts';
import type { AnyDocument } from '../../../../server/storage/tables/table.ts';

type Document = KeptDocument & Readonly<Record<string, unknown>>;

const id = fc.constantFrom('1', '2', '3', 'ü', '山');
// What JSON can say: it has no -0, and `toEqual` tells -0 from 0.
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const value = fc.oneof(fc.constantFrom('CT', 'MR', 'Hospital São Lucas'), json);
const field = fc.constantFrom('value', '__proto__', 'constructor', 'a', 'b', '7', 'é');
const change = fc
  .record({
    collection: fc.constantFrom('items', 'jobs'),
    id,
    fields: fc.option(fc.dictionary(field, value, { maxKeys: 4 })),
  })
  .map(({ collection, id, fields }) => ({ collection, id, document: fields ? { id, ...fields } : undefined }));
const commits = fc.array(
  fc.uniqueArray(change, { maxLength: 8, selector: ({ collection, id }) => `${collection} ${id}` }),
);

/** Documents as files are read into them: without indexes, for what is in these documents is not what indexes need. */
const kept = () => keepDocuments({ areNewest: false });
const documentsOf = ({ tables }: KeptDocuments): Map<string, unknown> =>
  new Map(
    [...tables].flatMap(([name, table]) =>
      Array.from(table.view().documents(), (document) => [`${name} ${document.id}`, document] as const),
    ),
  );

function modelOf(all: readonly (readonly { collection: string; id: string; document: Document | undefined }[])[]) {
  const model = new Map<string, Document>();
  for (const { collection, id, document } of all.flat()) {
    if (document) model.set(`${collection} ${id}`, document);
    else model.delete(`${collection} ${id}`);
  }
  return model;
}

/** Packs the changes by tables of its own, as a process does. */
function createPacker(): (collection: string, document: Document | undefined) => Pick<Change, 'packed'> {
  const tables = new Map<string, Table>();
  return (collection, document) => {
    if (!document) return {};
    const table = tables.get(collection) ?? new Table(collection as 'items', {});
    tables.set(collection, table);
    table.set(document.id, document as unknown as AnyDocument);
    return { packed: table.lastPacked };
  };
}

test('written data is read back, by one process after another, whatever is missing between', () => {
  fc.assert(
    fc.property(commits, commits, fc.infiniteStream(fc.boolean()), (first, second, isLost) => {
      const writer = createContentWriter();
      const documents = kept();
      const applied: (typeof first)[number][] = [];
      for (const all of [first, second]) {
        // Its words have numbers of their own: the other process has numbered them otherwise.
        const pack = createPacker();
        for (const changes of all) {
          const written = changes.map((each) => ({ ...each, ...pack(each.collection, each.document) }));
          const content = readContent(Buffer.from(writer.changes(written)));
          expect(content).toMatchObject({ changes: changes.length });
          expect(content.total).toBeUndefined();
          if (isLost.next().value) continue;
          content.apply(documents);
          applied.push(changes);
        }
      }
      const model = modelOf(applied);
      const found = documentsOf(documents);
      expect(found).toEqual(model);
      for (const [name, document] of found) expect(JSON.stringify(document)).toBe(JSON.stringify(model.get(name)));
    }),
  );
});

test('the last frame of a snapshot says how many documents there are', () => {
  const writer = createContentWriter();
  for (const total of [0, 1, 127, 128, 6_500_000_000]) {
    expect(readContent(writer.total(total))).toMatchObject({ changes: 0, total });
  }
});

test('bytes that are no content are refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (bytes) => {
      try {
        readContent(Buffer.from(bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }),
  );
  expect(() => readContent(Buffer.from([1]))).toThrow();
  expect(() => readContent(Buffer.from([0x80]))).toThrow(RangeError);
  expect(() => readContent(Buffer.alloc(20, 0xff))).toThrow(RangeError);
});

test.each([
  [
    'a journal of format 1',
    ['journal', 1],
    [
      ['items', { id: 'a', v: 1 }],
      ['items', { id: 'b', v: 2 }],
      ['items', 'a'],
      ['jobs', 'c'],
    ],
    { 'items b': { id: 'b', v: 2 } },
  ],
  [
    'a snapshot of format 1',
    ['snapshot', 1],
    ['items', { id: 'a' }, { id: 'b' }],
    { 'items a': { id: 'a' }, 'items b': { id: 'b' } },
  ],
  [
    'format 2',
    ['journal', 2],
    [
      ['items', { id: null, space: 'local', version: null }, ['id', 'version'], ['a', 1], ['b', 2]],
      ['items', { id: 'c', version: 1 }],
      ['items', null, 'a', 'c'],
      ['jobs', null, 'd'],
    ],
    { 'items b': { id: 'b', space: 'local', version: 2 } },
  ],
] as const)('%s is still read', (_what, [kind, format], json, expected) => {
  const documents = kept();
  readFormerContent(JSON.stringify(json), kind, format).apply(documents);
  expect(Object.fromEntries(documentsOf(documents))).toEqual(expected);
});

test.each([1, 2] as const)('the end of a snapshot of format %s is still read', (format) => {
  expect(readFormerContent('{"documents":7}', 'snapshot', format)).toMatchObject({ changes: 0, total: 7 });
});

/** Documents that a thread packs, against the same ones put by themselves: nothing that reads a table tells the two apart. */
import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import type { Documents } from '../../../../server/storage/collections.ts';
import type { Query } from '../../../../server/storage/store.ts';
import { Bundle } from '../../../../server/storage/tables/bundle.ts';
import { createBundler, noStamp, UnknownShape } from '../../../../server/storage/tables/bundler.ts';
import type { Bundler } from '../../../../server/storage/tables/bundler.ts';
import { findIn } from '../../../../server/storage/tables/find.ts';
import { Table } from '../../../../server/storage/tables/table.ts';
import { idsOf, numbered, storedItem } from '../../../support/stored-item.ts';

type Item = Documents['items'];

const text = fc.oneof(fc.constantFrom('CT', 'TC de tórax', 'SÃO LUCAS', '山田^太郎', 'x'.repeat(300)), fc.string());
const orNone = <T>(values: fc.Arbitrary<T>) => fc.option(values);

/** Of one shape, as a server makes them, and different in all that indexes look at. */
const fields = fc.record({
  space: fc.constantFrom('local', 'other'),
  accession_number: orNone(text),
  study_uid: orNone(text),
  patient_id: text,
  patient_name: text,
  modality: fc.constantFrom('CT', 'MR'),
  exam_datetime: fc.constantFrom('2026-03-02T08:30:00-03:00', '2026-03-03T08:30:00.000Z'),
  exam_description: text,
  patient_birth_date: orNone(fc.constantFrom('1950-01-01', '1971-12-14')),
  hospital_name: orNone(text),
  series_count: orNone(fc.nat()),
  source_system: orNone(text),
  metadata: orNone(fc.constantFrom({ ward: 3 }, { ward: '山' })),
});

const stamps = fc.record({
  at: fc.constantFrom('2026-03-02T11:30:00.000Z', '2026-03-02T11:30:00.001Z', '+010000-01-01T00:00:00.000Z'),
  commit: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
});

const itemOf = (id: string, given: Partial<Item>, { at, commit }: { at: string; commit: number }): Item => ({
  ...storedItem(id, given),
  created_at: at,
  updated_at: at,
  version: 1,
  commit,
});

/** The thread has learnt what the table has defined so far. */
function taught(table: Table, bundler: Bundler, known: { size: Table['stringTable']['size'] }): Bundler {
  bundler.learn(table.stringTable.definitionsAfter(known.size));
  known.size = table.stringTable.size;
  return bundler;
}

function putBundle(
  table: Table,
  bundler: Bundler,
  ids: readonly string[],
  all: readonly Partial<Item>[],
  stamp: { at: string; commit: number },
): void {
  const unstamped = { at: noStamp.created_at, commit: noStamp.commit };
  const loose = bundler.bundle(all.map((given) => itemOf(numbered(0), given, unstamped)))!;
  for (const word of loose.wanted) table.stringTable.addWord(word);
  // As between threads.
  const bundle = new Bundle(structuredClone(loose), table.stringTable);
  const { at, commit } = stamp;
  const documents = table.stamp(bundle, ids, { created_at: at, updated_at: at, version: 1, commit });
  for (const [nth, document] of documents.entries()) table.set(ids[nth]!, document);
}

const queries: readonly Query<'items'>[] = [
  {},
  { is: { space: 'local', accession: 'CT' } },
  { is: { space: 'other', study: 'CT' } },
  { is: { space: 'local', patient: 'TC de tórax' } },
  { is: { space: 'local', modality: 'CT' } },
  { is: { hospital: 'SÃO LUCAS' } },
  { is: { source_system: '山田^太郎' } },
  { during: { exam: { from: Date.parse('2026-03-03'), to: Infinity } } },
  { during: { changed: { from: 0, to: Date.parse('2026-03-02T11:30:00.000Z') } } },
  { during: { commit: { from: 1e6, to: Infinity } } },
  { text: 'torax' },
];

const found = (table: Table, query: Query<'items'>) =>
  Array.from(findIn(table, query), ({ documents }) => documents).flat();

test('bundles hold what their documents hold, whatever is put, changed and removed between them', () => {
  const step = fc.record({
    bundled: fc.array(fields, { minLength: 1, maxLength: 40 }),
    stamp: stamps,
    changed: fc.array(fc.tuple(fc.nat(), fields), { maxLength: 5 }),
    removed: fc.array(fc.nat(), { maxLength: 5 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), fc.boolean(), (steps, isLate) => {
      const plain = new Table('items');
      const table = new Table('items');
      const bundler = createBundler('items');
      const known = { size: { shapes: 0, words: 0 } };
      let next = 500;
      const put = (id: string, item: Item | undefined): void => {
        for (const each of [plain, table]) each.set(id, item);
      };
      // The shape of all, and a document that is newer than those to come.
      put(numbered(isLate ? 0 : 900), itemOf(numbered(isLate ? 0 : 900), {}, { at: noStamp.created_at, commit: 0 }));
      for (const { bundled, stamp, changed, removed } of steps) {
        const ids = bundled.map(() => numbered(next++));
        for (const [nth, given] of bundled.entries()) plain.set(ids[nth]!, itemOf(ids[nth]!, given, stamp));
        putBundle(table, taught(table, bundler, known), ids, bundled, stamp);
        for (const [n, given] of changed) {
          const id = numbered(500 + (n % (next - 500)));
          put(id, itemOf(id, given, stamp));
        }
        for (const n of removed) put(numbered(500 + (n % (next - 500))), undefined);
        expect([...table.view().documents()]).toEqual([...plain.view().documents()]);
        for (const query of queries) expect(idsOf(found(table, query))).toEqual(idsOf(found(plain, query)));
      }
    }),
    { numRuns: 40 },
  );
});

test('a bundle whose work runs again gets other ids and another stamp', () => {
  const table = new Table('items');
  const bundler = createBundler('items');
  const first = itemOf(numbered(1), {}, { at: '2026-03-02T11:30:00.000Z', commit: 1 });
  table.set(first.id, first);
  const exams = [{ accession_number: 'A' }, { accession_number: 'B' }];
  const unstamped = { at: noStamp.created_at, commit: noStamp.commit };
  const loose = taught(table, bundler, { size: { shapes: 0, words: 0 } }).bundle(
    exams.map((given) => itemOf(numbered(0), given, unstamped)),
  )!;
  const bundle = new Bundle(loose, table.stringTable);
  const stampOf = (at: string, commit: number) => ({ created_at: at, updated_at: at, version: 1, commit });
  table.stamp(bundle, [numbered(2), numbered(3)], stampOf('2026-03-02T11:30:00.000Z', 2 ** 50));
  const again = stampOf('2026-03-02T11:31:00.000Z', 7);
  for (const [nth, document] of table.stamp(bundle, [numbered(4), numbered(5)], again).entries())
    table.set(numbered(4 + nth), document);
  expect(idsOf(found(table, {}))).toEqual([numbered(5), numbered(4), numbered(1)]);
  expect(table.get(numbered(5))).toEqual({ ...storedItem(numbered(5), { accession_number: 'B' }), ...again });
});

test.each([
  ['too few ids', [numbered(2)]],
  ['an id of another length', [numbered(2), `${numbered(3)}0`]],
])('%s are refused, and nothing is put', (_what, ids) => {
  const table = new Table('items');
  const first = itemOf(numbered(1), {}, { at: '2026-03-02T11:30:00.000Z', commit: 1 });
  table.set(first.id, first);
  expect(() =>
    putBundle(table, taught(table, createBundler('items'), { size: { shapes: 0, words: 0 } }), ids, [{}, {}], {
      at: '2026-03-02T11:30:00.000Z',
      commit: 2,
    }),
  ).toThrow(TypeError);
  expect(table.size).toBe(1);
});

test('documents that are not new are refused', () => {
  const table = new Table('items');
  const first = itemOf(numbered(1), {}, { at: '2026-03-02T11:30:00.000Z', commit: 1 });
  table.set(first.id, first);
  const bundler = taught(table, createBundler('items'), { size: { shapes: 0, words: 0 } });
  const stamp = { at: '2026-03-02T11:30:00.000Z', commit: 2 };
  expect(() => putBundle(table, bundler, [numbered(1)], [{ accession_number: 'B' }], stamp)).toThrow(TypeError);
  expect(table.get(numbered(1))).toEqual(first);
});

test('documents that a bundle cannot hold are packed by the table', () => {
  const table = new Table('items');
  const bundler = createBundler('items');
  const unstamped = { at: noStamp.created_at, commit: noStamp.commit };
  expect(() => bundler.bundle([itemOf(numbered(0), {}, unstamped)])).toThrow(UnknownShape);
  table.set(numbered(1), itemOf(numbered(1), {}, unstamped));
  table.set(numbered(2), storedItem(numbered(2)));
  taught(table, bundler, { size: { shapes: 0, words: 0 } });
  const several = { orders: [{ placer_order_number: 'P', accession_number: 'B' }] };
  const ofSeveral = itemOf(numbered(0), { accession_number: 'A', metadata: several }, unstamped);
  expect(bundler.bundle([ofSeveral])).toBeUndefined();
  // Without the number of its commit at its end.
  expect(bundler.bundle([storedItem(numbered(0))])).toBeUndefined();
  expect(bundler.bundle([itemOf(numbered(0), {}, unstamped)])).toBeDefined();
});

/** A table against a plain map: every query gives what filtering and sorting all documents gives. */
import * as fc from '../../../support/properties.ts';
import { describe, expect, test, vi } from 'vitest';
import { createMatcher } from '../../../../server/storage/transactions/conditions.ts';
import type { Documents } from '../../../../server/storage/collections.ts';
import type { Query } from '../../../../server/storage/store.ts';
import { countIn, findIn, newestUnder } from '../../../../server/storage/tables/find.ts';
import { soughtIn } from '../../../../server/storage/tables/chunk-words.ts';
import { Table } from '../../../../server/storage/tables/table.ts';
import { idsOf, numbered, storedItem } from '../../../support/stored-item.ts';

type Item = Documents['items'];

const day = (n: number): string => `2026-03-${String((n % 28) + 1).padStart(2, '0')}`;
const names = ['SILVA^JOÃO', 'Souza^Ana-Maria', 'D’Ávila', '山田^太郎', 'José'];
const long = 'LABORATORIO-CENTRAL-DE-RADIOLOGIA-E-DIAGNOSTICO-0';

/** Different in all that indexes look at. Some are so large that few of them fill a chunk. */
const itemOf = (n: number, variant: number): Item =>
  storedItem(numbered(n), {
    space: variant % 7 === 0 ? 'other' : 'local',
    status: (['new', 'in_progress', 'completed'] as const)[variant % 3]!,
    modality: ['CT', 'MR', 'US'][variant % 3]!,
    assigned_to: variant % 4 === 0 ? `Dra. ${variant % 5}` : null,
    source_system: variant % 5 === 0 ? null : `RIS ${variant}`,
    accession_number: variant % 6 === 0 ? null : variant % 11 === 0 ? `${long}${variant}` : `SL-00${variant % 40}`,
    study_uid: variant % 3 === 0 ? `1.2.${variant % 9}` : null,
    patient_name: names[variant % names.length]!,
    exam_datetime: `${day(variant)}T${String(variant % 24).padStart(2, '0')}:30:00-03:00`,
    exam_description: `TC de tórax c/contraste ${variant % 13}`,
    updated_at: `${day(n + variant)}T00:00:00.000Z`,
    metadata:
      variant % 10 === 0 ? { note: 'x'.repeat(70_000) } : variant % 4 === 1 ? { orders: ordersOf(variant) } : null,
  });

/** Under numbers of their own, which other documents have as well. */
const ordersOf = (variant: number) =>
  [7, 12, variant % 40].map((number) => ({ placer_order_number: 'P', accession_number: `SL-00${number}` }));

const variant = fc.nat(200);
const write = fc.record({ n: fc.nat(60), variant, remove: fc.boolean() });

const optional = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const word = fc.constantFrom(
  'jo',
  'SILVA',
  'avila',
  'maria',
  'tc',
  'contra',
  'sl-00',
  '7',
  '007',
  '12',
  '山',
  'x',
  long,
  `${long}22`,
  '-',
);
const query: fc.Arbitrary<Query<'items'>> = fc
  .record({
    space: optional(['local', 'other', 'nowhere']),
    status: optional(['new', 'completed', 'cancelled']),
    modality: optional(['CT', 'MR']),
    assigned_to: optional(['Dra. 1', 'Dra. 4', 'nobody']),
    source_system: optional(['RIS 7', 'RIS 14']),
    accession: optional(['SL-007', 'SL-0012', `${long}22`]),
    from: fc.option(fc.nat(28), { nil: undefined }),
    length: fc.nat(20),
    text: fc.option(
      fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
      { nil: undefined },
    ),
    before: fc.option(fc.nat(60), { nil: undefined }),
    limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  })
  .map(({ from, length, text, before, limit, accession, ...is }) => ({
    is: { ...is, ...(is.space !== undefined && { accession }) },
    during: {
      exam: from === undefined ? undefined : { from: Date.parse(day(from)), to: Date.parse(day(from + length)) },
    },
    text,
    ...(before !== undefined && { before: numbered(before) }),
    ...(limit !== undefined && { limit }),
  }));

function answerOf(table: Table, query: Query<'items'>): Item[] {
  const documents = Array.from(findIn(table, query), (step) => step.documents).flat() as Item[];
  return documents.slice(0, query.limit);
}

function expectedOf(model: ReadonlyMap<string, Item>, { before, limit, ...conditions }: Query<'items'>): Item[] {
  return [...model.values()]
    .filter(createMatcher('items', conditions))
    .filter(({ id }) => before === undefined || id < before)
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit);
}

test('answers every query as a list would that is filtered and sorted, whatever is written in whatever order', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(write, { maxLength: 30 }), query), { maxLength: 12 }), (rounds) => {
      const table = new Table('items');
      const model = new Map<string, Item>();
      for (const [writes, query] of rounds) {
        for (const { n, variant, remove } of writes) {
          const id = numbered(n);
          const item = remove ? undefined : itemOf(n, variant);
          const former = table.set(id, item);
          expect(former && table.unpacked(former)).toEqual(model.get(id));
          if (item) model.set(id, item);
          else model.delete(id);
        }
        expect(table.size).toBe(model.size);
        expect(answerOf(table, query)).toEqual(expectedOf(model, query));
        expect(answerOf(table, {})).toEqual(expectedOf(model, {}));
        for (const n of [0, 30, 61]) {
          expect(table.get(numbered(n))).toEqual(model.get(numbered(n)));
          expect(table.has(numbered(n))).toBe(model.has(numbered(n)));
        }
        const names = ['SL-007', 'SL-0012', 'none'];
        expect(newestUnder(table, 'accession', 'local', names)).toEqual(
          names.map((accession) => expectedOf(model, { is: { space: 'local', accession } })[0]),
        );
      }
    }),
    { numRuns: 40 },
  );
});

describe('with thousands of documents', () => {
  const count = 3000;
  const small = (n: number): Item => ({ ...itemOf(n, n), metadata: null });
  /** Every number once, in no order. */
  const numbers = Array.from({ length: count }, (_, n) => (n * 1789) % count);

  function filled(order: readonly number[]): Table {
    const table = new Table('items');
    for (const n of order) table.set(numbered(n), small(n));
    return table;
  }

  test.each([
    ['in order', numbers.toSorted((a, b) => a - b)],
    ['the other way round', numbers.toSorted((a, b) => b - a)],
    ['in no order', numbers],
  ])('written %s, changed and removed, finds all that are there, and takes little room', (_how, order) => {
    const table = new Table('items');
    const model = new Map<string, Item>();
    const put = (n: number, variant: number): void => {
      const item = { ...itemOf(n, variant), metadata: null };
      table.set(item.id, item);
      model.set(item.id, item);
    };
    const check = (): void => {
      for (const query of [
        {},
        { text: '12' },
        { text: 'silva contraste', limit: 7 },
        { is: { modality: 'CT' } },
        { is: { status: 'completed', modality: 'CT' } },
        { is: { source_system: 'RIS 2999' } },
        { is: { space: 'local', accession: 'SL-007' } },
        { text: 'jose', before: numbered(1500), limit: 3 },
      ] as const) {
        expect(idsOf(answerOf(table, query))).toEqual(idsOf(expectedOf(model, query)));
      }
    };
    for (const n of order) put(n, n);
    check();
    // More names than one byte can tell apart, and words that are gathered by now.
    for (const n of order) if (n % 3 === 0) put(n, n + 1000);
    check();
    for (const n of order) {
      if (n % 10 === 0) continue;
      table.set(numbered(n), undefined);
      model.delete(numbered(n));
    }
    check();
    expect(table.chunks.length).toBeLessThan(3);
    for (const n of order) table.set(numbered(n), undefined);
    expect(table.size).toBe(0);
    expect(table.chunks).toEqual([]);
    expect(answerOf(table, {})).toEqual([]);
  });

  test('gives each step little to do', () => {
    const table = filled(numbers);
    const texts = vi.spyOn(table.text!, 'of');
    const search = { text: 'nothing at all', is: { space: 'local' } };
    let before = texts.mock.calls.length;
    for (const { from } of findIn(table, search)) {
      expect(texts.mock.calls.length - before).toBeLessThanOrEqual(64);
      before = texts.mock.calls.length;
      expect(typeof from).toBe('string');
    }
    // All are read by now, and nothing is read again.
    expect([...findIn(table, search)].length).toBeLessThanOrEqual(table.chunks.length + 1);
    expect(texts.mock.calls.length).toBe(before);
    for (const { documents } of findIn(table, { limit: 10 })) expect(documents.length).toBeLessThanOrEqual(10);
    for (const { count } of table.chunks) expect(count).toBeLessThanOrEqual(1024);
  });

  test('looks into few chunks for a number that one exam has', () => {
    const exams = numbers.map((n) => ({ ...small(n), accession_number: `ACC2026-${10_000_000 + n}` }));
    const table = new Table('items');
    for (const exam of exams.toSorted((a, b) => (a.id < b.id ? -1 : 1))) table.set(exam.id, exam);
    const search = (n: number) => ({ text: `acc2026-${10_000_000 + n}`, is: { space: exams[0]!.space } });
    Array.from(findIn(table, search(1)));
    for (const n of [1, 40, 700]) {
      const looked = table.chunks.slice(0, -1).filter(({ words }) => words!.mayHave(soughtIn(search(n).text)));
      expect(looked.length).toBeLessThanOrEqual(2);
      expect(answerOf(table, { text: search(n).text }).map(({ id }) => id)).toEqual([numbered(n)]);
    }
  });

  test('finds the same whatever is written while words are gathered', () => {
    const change = fc.record({ n: fc.nat(count + 200), variant: fc.nat(200), remove: fc.boolean() });
    const rounds = fc.array(fc.tuple(fc.nat(20), fc.array(change, { maxLength: 12 }), query), { maxLength: 8 });
    fc.assert(
      fc.property(rounds, (all) => {
        const table = filled(numbers.slice(0, 1500));
        const model = new Map(numbers.slice(0, 1500).map((n) => [numbered(n), small(n)]));
        for (const [slices, changes, search] of all) {
          for (let slice = 0; slice < slices; slice++) table.chunks.find((chunk) => table.prepareWords(chunk));
          for (const { n, variant, remove } of changes) {
            const item = remove ? undefined : { ...itemOf(n, variant), metadata: null };
            table.set(numbered(n), item);
            if (item) model.set(item.id, item);
            else model.delete(numbered(n));
          }
          // As a search does that lets other work run after its first step.
          const [first] = findIn(table, search);
          expect((first?.documents ?? []).every(({ id }) => model.has(id))).toBe(true);
          expect(answerOf(table, search)).toEqual(expectedOf(model, search));
        }
      }),
      { numRuns: 15 },
    );
  });

  test('a long text is read piece by piece, and each of its words is found', () => {
    const table = new Table('records');
    const text = Array.from({ length: 30_000 }, (_, n) => `word${n}`).join(' ');
    const made = (n: number, words: string) =>
      ({ id: numbered(n), space: 'local', title: 'Report', text: words, critical_results: [] }) as never;
    // The chunk is full, and so at rest.
    for (let n = 0; n < 4; n++) table.set(numbered(n), made(n, n === 0 ? text.slice(0, 199_000) : `x${n} ${text}`));
    let slices = 0;
    while (table.chunks.some((chunk) => table.prepareWords(chunk))) slices++;
    expect(slices).toBeGreaterThan(20);
    for (const sought of ['word0', 'word7777', 'word20001', 'report'])
      expect(Array.from(findIn(table, { text: sought }), ({ documents }) => documents).flat().length, sought).toBe(4);
    expect(Array.from(findIn(table, { text: 'x2' }), ({ documents }) => documents).flat()).toHaveLength(1);
  });

  test('a view keeps what there was, whatever happens meanwhile', () => {
    const table = filled(numbers);
    const before = expectedOf(new Map(numbers.map((n) => [numbered(n), small(n)])), {}).toReversed();
    const view = table.view();
    const documents = view.documents();
    const seen = [documents.next().value];
    for (const n of numbers) table.set(numbered(n), n % 2 === 0 ? undefined : { ...small(n + 1), id: numbered(n) });
    for (let n = 0; n < 3000; n++) table.set(`wli_5${n}`, { ...small(n), id: `wli_5${n}` });
    expect(view.size).toBe(count);
    expect([...seen, ...documents]).toEqual(before);
    expect(table.size).toBe(4500);
  });
});

test('a document that cannot be kept changes nothing', () => {
  const table = new Table('users');
  const user = { id: 'usr_1', space: 'local', username: 'Ana' } as Documents['users'];
  table.set(user.id, user);
  expect(() => table.set('usr_2', { id: 'usr_2', space: 'local' } as Documents['users'])).toThrow();
  expect(() => table.set('usr_1', { id: 'usr_1', space: 'local' } as Documents['users'])).toThrow();
  expect(() => table.set('x'.repeat(40_000), { ...user, id: 'x'.repeat(40_000) })).toThrow(TypeError);
  expect(table.size).toBe(1);
  expect(newestUnder(table, 'username', 'local', ['ana'])).toEqual([user]);
});

test('a document that was read stays right when others move to its place', () => {
  const table = new Table('items');
  const items = Array.from({ length: 40 }, (_, n) => ({ ...itemOf(n, 7), accession_number: `SL-${1000 + n}` }));
  for (const item of items) table.set(item.id, item);
  const read = () => items.map(({ id }) => table.get(id));
  expect(read()).toEqual(items);
  for (const { id } of items.slice(0, 30)) table.set(id, undefined);
  expect(read()).toEqual([...Array.from({ length: 30 }, () => undefined), ...items.slice(30)]);
});

test('counting goes in short steps, between which documents come and go: each that stays is counted once', () => {
  const table = new Table('items');
  const put = (n: number): void => void table.set(numbered(n), storedItem(numbered(n), { status: 'new' }));
  for (let n = 0; n < 4000; n++) put(2 * n);
  let [steps, count] = [0, 0];
  for (const counted of countIn(table, { is: { status: 'new' } })) {
    count += counted;
    steps += 1;
    // Newer than all, which are counted by now.
    for (let n = 0; n < 500; n++) put(10_000 + 500 * steps + n);
    table.set(numbered(7998 - steps), undefined);
  }
  expect(steps).toBeGreaterThan(3);
  expect(count).toBe(4000);
});

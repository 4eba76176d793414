/** What is sent of an item that was read, and what follows from what its file says of the order. */
import { expect, test } from 'vitest';
import { AppError } from '../../src/contract/errors.ts';
import type { IngestWarning, WorklistItem } from '../../src/contract/worklist.ts';
import type { Success } from '../../src/sending/outcomes.ts';
import type { FormatName } from '../../src/domain/worklist-formats.ts';
import type { ItemReading } from '../../src/files/worklist/reading.ts';
import { asSent, readContent } from '../../src/sending/entries.ts';
import type { Item } from '../../src/sending/entries.ts';
import { followOrders } from '../../src/sending/follow-orders.ts';
import { readOrderChange, orderReasons, statusAfter } from '../../src/sending/order-changes.ts';

const reading = (more: Partial<ItemReading>): ItemReading => ({
  kind: 'item',
  item: { accession_number: 'A1' },
  position: {},
  ...more,
});

test.each([
  ['csv', {}, false, { accession_number: 'A1' }],
  ['dicom', { item: { metadata: { alerts: 'x' } } }, false, { metadata: { alerts: 'x', keep_absent: true } }],
  ['json', { item: { metadata: { alerts: 'x' } } }, false, { metadata: { alerts: 'x' } }],
  ['ndjson', {}, true, { accession_number: 'A1', metadata: { accept_patient_change: true } }],
  ['json', { item: { metadata: 'no object' } }, true, { metadata: 'no object' }],
  [
    'hl7',
    { item: { metadata: { notes: null } }, orders: [{ status: 'open', placer_order_number: 'P1' }] },
    true,
    {
      metadata: {
        notes: null,
        orders: [{ status: 'open', placer_order_number: 'P1' }],
        keep_absent: true,
        accept_patient_change: true,
      },
    },
  ],
] as const)('%s %j, taking patients over: %s', (format, more, acceptsPatientChange, sent) => {
  const item = reading(more as Partial<ItemReading>);
  expect(asSent(item, { format: format as FormatName, acceptsPatientChange })).toEqual(sent);
});

const byPerson = { status: 'cancelled', reason: 'Twice', metadata: null } as const;
const bySystem = { ...byPerson, reason: orderReasons.cancelled } as const;
const waiting = { status: 'new', reason: null, metadata: null } as const;

test.each([
  [{ status: 'cancelled' }, waiting, 'cancelled'],
  [{ status: 'cancelled' }, bySystem, 'cancelled'],
  [{ status: 'cancelled' }, { ...waiting, metadata: { orders: { P1: 'cancelled', P2: 'cancelled' } } }, 'cancelled'],
  [{ status: 'cancelled' }, { ...waiting, metadata: { orders: { P1: 'cancelled', P2: 'open' } } }, undefined],
  [{ status: 'cancelled' }, { ...waiting, metadata: { orders: 'of somebody’s own' } }, 'cancelled'],
  [{ order: 'placed' }, waiting, undefined],
  [{ order: 'placed' }, bySystem, 'new'],
  [{ order: 'placed' }, byPerson, 'new'],
  [{ order: 'placed' }, { ...waiting, status: 'completed' }, undefined],
  [{ order: 'standing' }, bySystem, 'new'],
  [{ order: 'standing' }, byPerson, undefined],
] as const)('an order that is %j for an exam that is %j makes it %s', (of, stored, status) => {
  expect(statusAfter(readOrderChange(reading(of))!, stored)).toBe(status);
});

const warned: Success = { outcome: 'updated', warnings: [{ code: 'EXAM_CANCELLED', message: '' }] };

type Stored = typeof waiting | typeof bySystem;

/** Follows the orders of exams A, B and C as they are stored; says what was set, and what became of each. */
async function follow(
  orders: readonly (readonly [exam: string, of: Partial<ItemReading>])[],
  stored: Readonly<Record<string, Stored>>,
  setStatus: (exam: string) => 'applied' | 'unchanged' = () => 'applied',
  warnings: readonly (IngestWarning | undefined)[] = [],
) {
  const set: string[] = [];
  const done = orders.map(([exam, of], index) => ({
    entry: readContent(reading({ item: { accession_number: exam }, ...of }), { file: '', index }, { format: 'hl7' })
      .entry as Item,
    outcome: warnings[index] ? { ...warned, warnings: [{ code: warnings[index], message: '' }] } : warned,
  }));
  const exams = {
    find: async ({ accession }: Item) =>
      stored[accession!] && ({ ...stored[accession!], accession_number: accession } as WorklistItem),
    setStatus: async ({ accession_number: exam }: WorklistItem, status: string) => {
      const outcome = setStatus(exam!);
      set.push(`${exam} ${status}`);
      return outcome;
    },
    isRefusal: ({ code }: AppError) => code === 'INVALID_TRANSITION',
  };
  const outcomes = await followOrders(exams, done);
  return { set, outcomes: outcomes.map(({ index, outcome, reinstates }) => [index, outcome, reinstates ?? false]) };
}

const cancels = { status: 'cancelled' } as const;
const places = { order: 'placed' } as const;

test('the last word for an exam counts, in the order of the file', async () => {
  const words = [
    ['A', cancels],
    ['B', places],
    ['A', places],
    ['C', cancels],
    ['B', cancels],
  ] as const;
  expect(await follow(words, { A: bySystem, B: waiting, C: waiting })).toEqual({
    set: ['A new', 'C cancelled', 'B cancelled'],
    outcomes: [
      [2, 'applied', true],
      [3, 'applied', false],
      [4, 'applied', false],
    ],
  });
});

test('a word that came late is none, and a repeated one brings back no exam that a person cancelled', async () => {
  const words = [
    ['A', cancels],
    ['A', places],
    ['B', places],
    ['C', places],
  ] as const;
  const warnings = [undefined, 'OUTDATED', 'ORDER_REPEATED', 'ORDER_REPEATED'] as const;
  const stored = { A: waiting, B: byPerson as never, C: bySystem };
  expect((await follow(words, stored, undefined, warnings)).set).toEqual(['A cancelled', 'C new']);
});

test('an unknown exam, one that another order keeps, and one that may not be cancelled are reported; the others proceed', async () => {
  const kept = { ...waiting, metadata: { orders: { P1: 'open' } } } as never;
  const words = ['A', 'B', 'C', 'D'].map((exam) => [exam, cancels] as const);
  const done = new AppError('INVALID_TRANSITION');
  expect(
    await follow(words, { B: kept, C: waiting, D: waiting }, (exam) => {
      if (exam === 'C') throw done;
      return 'unchanged';
    }),
  ).toEqual({
    set: ['D cancelled'],
    outcomes: [
      [0, 'refused', false],
      [1, 'kept', false],
      [2, 'refused', false],
      [3, 'unchanged', false],
    ],
  });
  expect((await follow([['Z', places]], {})).outcomes).toEqual([[0, 'refused', true]]);
});

test('an error that concerns more than one exam ends it', async () => {
  const gone = new AppError('NETWORK');
  const failing = follow([['A', cancels]], { A: waiting }, () => {
    throw gone;
  });
  await expect(failing).rejects.toBe(gone);
});

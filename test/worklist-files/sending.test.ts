/** What is sent of an item that was read, and what follows from what its file says of the order. */
import { expect, test } from 'vitest';
import type { FormatName } from '../../src/worklist-files/formats.ts';
import type { ItemReading } from '../../src/worklist-files/reading.ts';
import { asSent, lastWishes, orderReasons, wishedStatus, wishOf } from '../../src/worklist-files/sending.ts';

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
    { item: { metadata: { notes: null } }, orders: { P1: 'open' } },
    true,
    { metadata: { notes: null, orders: { P1: 'open' }, keep_absent: true, accept_patient_change: true } },
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
  expect(wishedStatus(wishOf(reading(of))!, stored)).toBe(status);
});

test('the last wish for an exam counts, in the order of the file', () => {
  expect(lastWishes(['a1', 'b1', 'a2', 'c1', 'b2'], ([exam]) => exam!)).toEqual(['a2', 'c1', 'b2']);
});

/** Items of a store as a plain map has them, and what property tests do to both. */
import * as fc from './properties.ts';
import { expect } from 'vitest';
import type { Documents } from '../../server/storage/collections.ts';
import type { Reader, Transaction } from '../../server/storage/store.ts';
import { numbered, storedItem } from './stored-item.ts';

type Item = Documents['items'];

export type ItemModel = Map<string, Item>;

/** An item put, or removed where `item` is `undefined`. */
export interface ItemWrite {
  readonly id: string;
  readonly item: Item | undefined;
}

const accessions = ['A1', 'A2', null] as const;
const statuses = ['new', 'in_progress'] as const;

/** Of few ids, accession numbers and statuses, so that writes meet each other. */
export const itemWrite: fc.Arbitrary<ItemWrite> = fc
  .record({
    n: fc.nat(9),
    accession: fc.constantFrom(...accessions),
    status: fc.constantFrom(...statuses),
    remove: fc.boolean(),
  })
  .map(({ n, accession, status, remove }) => ({
    id: numbered(n),
    item: remove ? undefined : storedItem(numbered(n), { accession_number: accession, status }),
  }));

export function putWrite(tx: Transaction, { id, item }: ItemWrite): void {
  if (item) tx.put('items', item);
  else tx.remove('items', id);
}

export function noteWrite(model: ItemModel, { id, item }: ItemWrite): void {
  if (item) model.set(id, item);
  else model.delete(id);
}

/** Every look-up there is gives what filtering and sorting the whole map gives. */
export async function expectSame(reader: Reader, model: ReadonlyMap<string, Item>): Promise<void> {
  const all = [...model.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  expect(await reader.count('items')).toBe(all.length);
  expect(await reader.find('items', {})).toEqual(all);
  expect(await reader.get('items', numbered(0))).toEqual(model.get(numbered(0)));
  const older = all.filter(({ id }) => id < numbered(5)).slice(0, 2);
  expect(await reader.find('items', { before: numbered(5), limit: 2 })).toEqual(older);
  for (const status of statuses) {
    expect(await reader.find('items', { is: { space: 'local', status } })).toEqual(
      all.filter((item) => item.status === status),
    );
    expect(await reader.count('items', { is: { space: 'local', status } })).toBe(
      all.filter((item) => item.status === status).length,
    );
    expect(await reader.oldest('items', { is: { space: 'local', status } })).toEqual(
      all.findLast((item) => item.status === status),
    );
  }
  expect(await reader.count('items', { is: { status: statuses } })).toBe(all.length);
  expect(await reader.count('items', { is: { status: 'cancelled' } })).toBe(0);
  const named = accessions.filter((value) => value !== null);
  for (const accession of named) {
    expect(await reader.find('items', { is: { space: 'local', accession } })).toEqual(
      all.filter((item) => item.accession_number === accession),
    );
  }
  expect(await reader.findEach('items', 'accession', 'local', named)).toEqual(
    named.map((accession) => all.find((item) => item.accession_number === accession)),
  );
}

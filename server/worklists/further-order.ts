/** Orders of one study that have several accession numbers: they are one exam, under the number that came first. */
import { isOpen, isSameOrder, ordersIn, ordersName } from '../../src/domain/orders.ts';
import { accessionKey } from '../store/collections.ts';
import type { Documents } from '../store/collections.ts';
import type { CheckedItem } from './check-item.ts';
import { ordersOf } from './told-orders.ts';

type StoredItem = Documents['items'];

const note = 'The study has another accession number already; the order was added to its exam.';

/**
 * The item as what it tells of an order beside those of the exam, which its study UID has found: the order has the number, and the exam
 * keeps its own. An order that the exam has already has a new number, and an exam without an order that stands has that of the next.
 */
export function asFurtherOrder(sent: CheckedItem, exam: StoredItem): CheckedItem {
  const { accession_number: number, accession_issuer: issuer, ...fields } = sent.fields;
  if (typeof number !== 'string' || exam.accession_number === null) return sent;
  const name = accessionKey(number, issuer as string | undefined);
  if (name === accessionKey(exam.accession_number, exam.accession_issuer)) return sent;
  const told = ordersOf(sent) ?? [];
  const known = ordersIn(exam.metadata) ?? [];
  if (told.length === 0 || !known.some(isOpen)) return sent;
  const isRenamed = told.some((order) =>
    known.some((other) => other.accession_number === undefined && isSameOrder(order, other)),
  );
  if (isRenamed) return sent;
  const orders = told.map((order) => ({ ...order, accession_number: number }));
  const isNew = !known.some((order) => order.accession_number === number);
  return {
    ...sent,
    fields: { ...fields, metadata: { ...(fields['metadata'] as StoredItem['metadata']), [ordersName]: orders } },
    ...(isNew && { notes: [...(sent.notes ?? []), note] }),
  };
}

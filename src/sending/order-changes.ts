/** The order changes that a file states for its exams: cancelled, placed, or in force. */
import type { IngestOutcome, IngestWarning } from '../contract/worklist.ts';
import type { OrderChange } from '../domain/order-status.ts';
import { ordersName } from '../domain/order-numbers.ts';
import type { ItemReading } from '../files/worklist/reading.ts';

export { orderReasons, statusAfter } from '../domain/order-status.ts';
export type { OrderChange, OrderStatus } from '../domain/order-status.ts';

/** An item, and what its sender says of its orders. */
export type OrderedItem = Pick<ItemReading, 'item' | 'status' | 'orders' | 'isDescribedByModality'>;

/**
 * The item, with its orders in the metadata. A cancellation without order numbers applies to the order of the accession
 * number.
 */
export function withOrders({ item, status, orders = status && [{ status }] }: OrderedItem): ItemReading['item'] {
  if (!orders) return item;
  const metadata = item['metadata'] as object | undefined;
  return { ...item, metadata: { ...metadata, [ordersName]: orders } };
}

/** Returns `undefined` if the reading cannot change a status. */
export const readOrderChange = ({ status, order }: Pick<ItemReading, 'status' | 'order'>): OrderChange | undefined =>
  status === undefined && order === undefined ? undefined : { status, order };

type OutcomeWarnings = Pick<IngestOutcome, 'warnings'>;
const hasWarning = ({ warnings = [] }: OutcomeWarnings, wanted: IngestWarning): boolean =>
  warnings.some(({ code }) => code === wanted);

/** Whether later messages have already decided the exam's status. */
export const isOutdated = (outcome: OutcomeWarnings): boolean => hasWarning(outcome, 'OUTDATED');

/** Whether the message is a repetition. */
export const isRepeated = (outcome: OutcomeWarnings): boolean => hasWarning(outcome, 'ORDER_REPEATED');

/** Whether the stored exam must be looked up: most orders are for exams that were never cancelled. */
export const needsLookup = ({ status }: OrderChange, outcome: OutcomeWarnings): boolean =>
  !isOutdated(outcome) && (status === 'cancelled' || hasWarning(outcome, 'EXAM_CANCELLED') || isRepeated(outcome));

/** The requested change; a repeated message must not reinstate an exam that a person cancelled. */
export const effectiveChange = (change: OrderChange, outcome: OutcomeWarnings): OrderChange =>
  change.order === 'placed' && isRepeated(outcome) ? { ...change, order: 'standing' } : change;

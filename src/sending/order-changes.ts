/** The order changes that a file states for its exams: cancelled, placed, or in force. */
import type { IngestOutcome, WorklistItem, WorklistStatus } from '../contract/worklist.ts';
import { isPlainObject } from '../domain/normalise.ts';
import type { ItemReading } from '../worklist-files/reading.ts';

/** Reasons in the history of an exam for a change of status by a file. */
export const orderReasons = {
  cancelled: 'Cancelled by the ordering system',
  new: 'Ordered again by the ordering system',
} as const;

/** Name in an exam's metadata for the states of its numbered orders. */
const ordersName = 'orders';

export const withOrders = (item: ItemReading['item'], orders: ItemReading['orders']): ItemReading['item'] =>
  orders ? { ...item, metadata: { ...(item['metadata'] as object | undefined), [ordersName]: orders } } : item;

/** The state of an exam's order, as the sender states it. */
export interface OrderChange {
  readonly status: ItemReading['status'] | undefined;
  readonly order: ItemReading['order'] | undefined;
}

/** Returns `undefined` where the reading cannot change a status. */
export const orderChangeOf = ({ status, order }: ItemReading): OrderChange | undefined =>
  status === undefined && order === undefined ? undefined : { status, order };

export type OrderStatus = Extract<WorklistStatus, 'cancelled' | 'new'>;
type StoredExam = Pick<WorklistItem, 'status' | 'reason' | 'metadata'>;

/**
 * The status that the exam should have, or `undefined` where the exam keeps its status. The exam is cancelled once all
 * of its orders are. A placed order reinstates it; an order merely in force does so where no person cancelled the exam.
 */
export function statusAfter(change: OrderChange, stored: StoredExam): OrderStatus | undefined {
  if (change.status === 'cancelled') return hasOpenOrder(stored) ? undefined : 'cancelled';
  const mayReturn = change.order === 'placed' || stored.reason === orderReasons.cancelled;
  return stored.status === 'cancelled' && mayReturn ? 'new' : undefined;
}

function hasOpenOrder({ metadata }: StoredExam): boolean {
  const orders = metadata?.[ordersName];
  return isPlainObject(orders) && Object.values(orders).includes('open');
}

/** Whether the stored exam must be looked up: most orders are for exams that were never cancelled. */
export const needsALook = ({ status }: OrderChange, { warnings = [] }: Pick<IngestOutcome, 'warnings'>): boolean =>
  status === 'cancelled' || warnings.some(({ code }) => code === 'EXAM_CANCELLED');

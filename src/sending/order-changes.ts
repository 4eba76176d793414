/** What a file says of the orders of its exams: which are cancelled, and which are placed or in force. */
import type { IngestOutcome, WorklistItem, WorklistStatus } from '../contract/worklist.ts';
import { isPlainObject } from '../domain/normalise.ts';
import type { ItemReading } from '../worklist-files/reading.ts';

/** What the history of an exam says about a change of status that came with a file. */
export const orderReasons = {
  cancelled: 'Cancelled by the ordering system',
  new: 'Ordered again by the ordering system',
} as const;

/** Under this name the metadata of an exam holds the states of its orders, where they have numbers. */
const ordersName = 'orders';

export const withOrders = (item: ItemReading['item'], orders: ItemReading['orders']): ItemReading['item'] =>
  orders ? { ...item, metadata: { ...(item['metadata'] as object | undefined), [ordersName]: orders } } : item;

/** What the sender says of the order of an exam. */
export interface OrderChange {
  readonly status: ItemReading['status'] | undefined;
  readonly order: ItemReading['order'] | undefined;
}

/** `undefined` where nothing can follow from what was read. */
export const orderChangeOf = ({ status, order }: ItemReading): OrderChange | undefined =>
  status === undefined && order === undefined ? undefined : { status, order };

export type OrderStatus = Extract<WorklistStatus, 'cancelled' | 'new'>;
type StoredExam = Pick<WorklistItem, 'status' | 'reason' | 'metadata'>;

/**
 * The status that the exam should have, or `undefined` where it has to stay what it is. It is cancelled once all of its
 * orders are. An order that is placed brings it back; one that is merely in force does so where no person cancelled it.
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

/** Whether the stored exam has to be looked at: most orders are placed for exams that were never cancelled. */
export const needsALook = ({ status }: OrderChange, { warnings = [] }: Pick<IngestOutcome, 'warnings'>): boolean =>
  status === 'cancelled' || warnings.some(({ code }) => code === 'EXAM_CANCELLED');

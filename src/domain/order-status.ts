/** The status that follows for an exam from those of its orders. */
import type { WorklistItem, WorklistStatus } from '../contract/worklist.ts';
import { isOpen, ordersIn } from './orders.ts';

/** Reasons in the history of an exam for a change of status by a file. */
export const orderReasons = {
  cancelled: 'Cancelled by the ordering system',
  new: 'Ordered again by the ordering system',
} as const;

/** The state of an exam's order, as the sender states it. */
export interface OrderChange {
  readonly status: 'cancelled' | undefined;
  /** Whether the order was placed now, or is in force as far as the sender knows. */
  readonly order: 'placed' | 'standing' | undefined;
}

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

const hasOpenOrder = ({ metadata }: StoredExam): boolean => ordersIn(metadata)?.some(isOpen) ?? false;

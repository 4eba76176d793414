/** What is sent of an item that was read, and what follows from what its file says of the order. For whoever sends files. */
import type { IngestOutcome, WorklistItem, WorklistStatus } from '../contract/worklist.ts';
import { withInstructions } from '../domain/item-instructions.ts';
import { isPlainObject } from '../domain/normalise.ts';
import { formats } from './formats.ts';
import type { FormatName } from './formats.ts';
import type { ItemReading } from './reading.ts';

/** What the history of an exam says about a change of status that came with a file. */
export const orderReasons = {
  cancelled: 'Cancelled by the ordering system',
  new: 'Ordered again by the ordering system',
} as const;

/** Under this name the metadata of an exam holds the states of its orders, where they have numbers. */
const ordersName = 'orders';

export interface SendingOptions {
  readonly format: FormatName;
  /** Exams of other patients are taken over. */
  readonly acceptsPatientChange?: boolean;
}

/** The item as the service is to take it. What a foreign format has no value for stays, also in the metadata. */
export function asSent(
  reading: ItemReading,
  { format, acceptsPatientChange = false }: SendingOptions,
): ItemReading['item'] {
  const { item, orders } = reading;
  const told = orders
    ? { ...item, metadata: { ...(item['metadata'] as object | undefined), [ordersName]: orders } }
    : item;
  const keepsAbsent = formats[format].isForeign && 'metadata' in told;
  if (!keepsAbsent && !acceptsPatientChange) return told;
  return withInstructions(told, {
    ...(keepsAbsent && { keep_absent: true }),
    ...(acceptsPatientChange && { accept_patient_change: true }),
  });
}

/** What the sender says of the order of an exam. */
export interface OrderWish {
  readonly status: ItemReading['status'] | undefined;
  readonly order: ItemReading['order'] | undefined;
}

/** `undefined` where nothing can follow from what was read. */
export const wishOf = ({ status, order }: ItemReading): OrderWish | undefined =>
  status === undefined && order === undefined ? undefined : { status, order };

/** Whether the stored exam has to be looked at: most orders are placed for exams that were never cancelled. */
export const isWorthALook = ({ status }: OrderWish, { warnings = [] }: Pick<IngestOutcome, 'warnings'>): boolean =>
  status === 'cancelled' || warnings.some(({ code }) => code === 'EXAM_CANCELLED');

/**
 * The status that the exam should have, or `undefined` where it has to stay what it is. It is cancelled once all of its
 * orders are. An order that is placed brings it back; one that is merely in force does so where no person cancelled it.
 */
export function wishedStatus(
  wish: OrderWish,
  stored: Pick<WorklistItem, 'status' | 'reason' | 'metadata'>,
): Extract<WorklistStatus, 'cancelled' | 'new'> | undefined {
  if (wish.status === 'cancelled') return hasOpenOrder(stored) ? undefined : 'cancelled';
  const mayReturn = wish.order === 'placed' || stored.reason === orderReasons.cancelled;
  return stored.status === 'cancelled' && mayReturn ? 'new' : undefined;
}

function hasOpenOrder({ metadata }: Pick<WorklistItem, 'metadata'>): boolean {
  const orders = metadata?.[ordersName];
  return isPlainObject(orders) && Object.values(orders).includes('open');
}

/** Of several wishes for one exam the last one counts, in the order of the file. `examOf` names the exam of each. */
export function lastWishes<T>(wishes: readonly T[], examOf: (wish: T) => string): T[] {
  const last = new Map<string, T>();
  for (const wish of wishes) {
    const exam = examOf(wish);
    last.delete(exam);
    last.set(exam, wish);
  }
  return [...last.values()];
}

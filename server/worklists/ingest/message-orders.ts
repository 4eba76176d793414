/** The orders that an item contains. */
import type { Instructions } from '../../../src/domain/item-instructions.ts';
import { identifierNames, normaliseFields } from '../../../src/domain/normalise.ts';
import type { NormalisedItem } from '../../../src/domain/normalise.ts';
import {
  additionalNumbers,
  identifiesItself,
  isOpen,
  numberIn,
  ordersIn,
  underNumber,
  unnumbered,
} from '../../../src/domain/orders.ts';
import type { AccessionNumber, Order } from '../../../src/domain/orders.ts';
import { dropWrongStamp } from '../../../src/domain/message-stamp.ts';
import type { MessageStamp } from '../../../src/domain/message-stamp.ts';
import type { Documents } from '../../storage/collections.ts';

type StoredItem = Documents['items'];
type ItemWithOrders = Pick<NormalisedItem, 'fields'> & {
  readonly instructions: Instructions;
  readonly orders?: readonly Order[];
};

/** The item's orders, if its sender keeps unnamed ones; `undefined` if the item describes the exam as a whole. */
export const ordersOf = (sent: ItemWithOrders): readonly Order[] | undefined =>
  sent.orders ?? ordersAsSent(sent)?.filter(identifiesItself).map(normalised);

/** Includes orders without an identifier. */
const ordersAsSent = ({ fields, instructions }: ItemWithOrders): readonly Order[] | undefined =>
  instructions.keep_absent ? ordersIn(fields['metadata'] as StoredItem['metadata']) : undefined;

/** Normalises the number as in an item. */
function normalised(order: Order): Order {
  const number = numberIn(order);
  return number ? { ...unnumbered(order), ...numberIn(normaliseFields({ ...number }).fields) } : order;
}

/** The orders of an exam with their accession numbers; an exam without orders counts as one. */
export function numberedOrders(
  { exam_description, status, ...exam }: StoredItem,
  own: AccessionNumber,
): readonly (Order & AccessionNumber)[] {
  const known = ordersIn(exam.metadata) ?? [];
  if (known.length > 0) return underNumber(known, own);
  return [{ ...own, exam_description, ...(status === 'cancelled' && { status }) }];
}

/** The orders that an item changes or cancels; `undefined` if it places one or has none. */
export function findChangedOrders(sent: ItemWithOrders): readonly Order[] | undefined {
  const orders = ordersOf(sent);
  const isPlaced = orders?.some((order) => order.status !== undefined && isOpen(order)) ?? true;
  return orders && orders.length > 0 && !isPlaced ? orders : undefined;
}

/**
 * The placer's number of an item that has no identifier: its exam may be known by its orders, and otherwise has that number until an
 * accession number arrives. `undefined`: it has an identifier, none of its orders is in force, or none has such a number.
 */
export function findPlacerNumber(sent: ItemWithOrders): string | undefined {
  if (identifierNames.some((name) => name in sent.fields)) return undefined;
  return ordersOf(sent)?.find((order) => isOpen(order) && order.placer_order_number !== undefined)?.placer_order_number;
}

/** Whether the exam has no accession number yet, and the placer's number of its orders serves. */
export function isNumberedByPlacer({
  accession_number: number,
  accession_issuer: issuer,
  metadata,
}: StoredItem): boolean {
  if (number === null || issuer || additionalNumbers(metadata).length > 0) return false;
  const orders = ordersIn(metadata) ?? [];
  return (
    orders.some((order) => order.placer_order_number === number) &&
    orders.every((order) => order.filler_order_number === undefined)
  );
}

/** The orders as stored. A stamp with an impossible time only identifies the message that set the status. */
export const credibleOrders = (orders: readonly Order[], now: string): readonly Order[] =>
  orders.map(({ status_told_at: _, status_told_by: _by, status_dated: _dated, ...order }) => {
    const stamped = dropWrongStamp<Order>(order, now);
    if (stamped === order || order.status === undefined || order.told_at === undefined) return stamped;
    return { ...stamped, status_dated: order.told_at };
  });

/** The stamp of the item's message; `undefined` if unknown. */
export function readStamp(sent: ItemWithOrders, now: string): MessageStamp | undefined {
  const [order] = ordersAsSent(sent) ?? [];
  if (order?.told_at === undefined) return undefined;
  const { told_at, told_by }: MessageStamp = dropWrongStamp<MessageStamp>(order, now);
  return told_at === undefined ? undefined : { told_at, ...(told_by !== undefined && { told_by }) };
}

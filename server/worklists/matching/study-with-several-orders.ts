/**
 * Orders of one study with several accession numbers are one exam: it keeps its first number, and every number finds
 * it.
 */
import {
  additionalNumbers,
  isOpen,
  isSameNumber,
  isSameOrder,
  numberIn,
  ordersIn,
  underNumber,
  unnumbered,
} from '../../../src/domain/orders.ts';
import type { AccessionNumber, Order } from '../../../src/domain/orders.ts';
import type { Documents } from '../../storage/collections.ts';
import { withNote } from '../check-item.ts';
import type { CheckedItem } from '../check-item.ts';
import { numberedOrders, ordersOf } from '../ingest/message-orders.ts';

type StoredItem = Documents['items'];

const noteOfNumber = 'The study has another accession number already; the order was added to its exam.';
const noteOfRenaming = 'The request named the study by another accession number before, which this one replaced.';
const noteOfStudy = 'The exam has several accession numbers, and keeps its study UID.';

/**
 * Interprets the item as the order with its accession number if the exam has several numbers or gets another one.
 * `isNamed`: the request has named the exam by its number before.
 */
export function toOrderOfExam(sent: CheckedItem, exam: StoredItem, isNamed: boolean): CheckedItem {
  const number = numberIn(sent.fields);
  const own = numberIn(exam);
  if (!own || sent.errors.length > 0) return sent;
  if (!number) return keepingNumbers(sent, exam);
  const additional = additionalNumbers(exam.metadata);
  const known = findNumber(number, [own, ...additional]);
  if (known === own && additional.length === 0) return sent;
  const orders = ordersOf(sent) ?? [];
  if (known) return restrictToOrder(sent, exam, own, { number: numberIn(known), orders });
  const ofNumber: NumberedOrders = { number, orders };
  const from = withoutIssuer(number, [own, ...additional]) ?? findReplacedNumber(orders, numberedOrders(exam, own));
  if (from && !isSameNumber(from, own))
    return { ...restrictToOrder(sent, exam, own, ofNumber), moved: { from, to: number } };
  if (!from && isAnother(orders, exam)) return withNote(restrictToOrder(sent, exam, own, ofNumber), noteOfNumber);
  const renaming = orders.length === 0 && isNamed ? withNote(sent, noteOfRenaming) : sent;
  if ((orders.length === 0 && additional.length === 0) || replacesOrders(sent)) return renaming;
  // Cancelled orders keep their number.
  const isAnew = orders.length > 0 && !from && ordersIn(exam.metadata) !== undefined;
  return { ...renaming, orders: underNumber(orders, number), ...(!isAnew && { moved: { from: own, to: number } }) };
}

/** Metadata under the study UID alone replaces the stored metadata, but must not remove the additional numbers. */
function keepingNumbers(sent: CheckedItem, exam: StoredItem): CheckedItem {
  const isKept =
    sent.fields['metadata'] === undefined || replacesOrders(sent) || additionalNumbers(exam.metadata).length === 0;
  return isKept ? sent : { ...sent, orders: ordersOf(sent) ?? [] };
}

/**
 * Moves an item that was found by an order to the exam's identifiers. Its number may be that of some orders, lack the
 * issuer, or be no accession number at all.
 */
export function toKnownOrder(sent: CheckedItem, exam: StoredItem): CheckedItem {
  const number = numberIn(sent.fields);
  const additional = additionalNumbers(exam.metadata);
  const numbered = number && additional.find((order) => order.accession_number === number.accession_number);
  const own = numberIn(exam);
  const isOwn = additional.length === 0 || (own !== undefined && own.accession_number === number?.accession_number);
  const orders = numbered && underNumber(ordersOf(sent) ?? [], numberIn(numbered));
  return { ...withExamIdentifiers(sent, exam, isOwn), ...(orders && { orders }) };
}

/** Takes the accession number of the item for an exam that had its placer's number until now. */
export function withAccessionNumber(sent: CheckedItem, exam: StoredItem): CheckedItem {
  const [from, to] = [numberIn(exam), numberIn(sent.fields)];
  if (!from || !to || isSameNumber(from, to)) return sent;
  return { ...sent, orders: underNumber(ordersOf(sent) ?? [], to), moved: { from, to } };
}

/** Finds the number among those of an exam; a missing issuer matches any. */
const findNumber = (number: AccessionNumber, all: readonly AccessionNumber[]): AccessionNumber | undefined =>
  all.find((each) => isSameNumber(each, number)) ??
  (number.accession_issuer === undefined
    ? all.find((each) => each.accession_number === number.accession_number)
    : undefined);

/** Finds the same number without an issuer. */
const withoutIssuer = (number: AccessionNumber, all: readonly AccessionNumber[]): AccessionNumber | undefined =>
  all.find((each) => each.accession_issuer === undefined && each.accession_number === number.accession_number);

/** An exam without an open order takes over the number of the next one. */
function isAnother(orders: readonly Order[], exam: StoredItem): boolean {
  const known = ordersIn(exam.metadata) ?? [];
  return orders.length > 0 && (known.some(isOpen) || orders.some(isOfSeveralNumbers));
}

/** Orders have numbers only in messages with several numbers. */
const isOfSeveralNumbers = ({ accession_number: number }: Order): boolean => number !== undefined;

/**
 * The number whose open orders are all changed or cancelled under another number, which replaces it. An order placed
 * under another number may be in force under both; a FHIR resource has one number at a time.
 */
function findReplacedNumber(
  orders: readonly Order[],
  known: readonly (Order & AccessionNumber)[],
): AccessionNumber | undefined {
  if (orders.some(isOfSeveralNumbers)) return undefined;
  const isTold = (order: Order): boolean =>
    orders.some(
      (other) =>
        isSameOrder(other, unnumbered(order)) &&
        (other.status !== 'open' || (other.order_id !== undefined && other.order_id === order.order_id)),
    );
  const open = known.filter(isOpen);
  const number = open.filter(isTold).find((one) => open.every((order) => !isSameNumber(order, one) || isTold(order)));
  return number && numberIn(number);
}

interface NumberedOrders {
  readonly number: AccessionNumber;
  readonly orders: readonly Order[];
}

/** Restricts the item to the orders of its number. `own`: the exam's number. */
function restrictToOrder(
  sent: CheckedItem,
  exam: StoredItem,
  own: AccessionNumber,
  { number, orders }: NumberedOrders,
): CheckedItem {
  const about = withExamIdentifiers(sent, exam, isSameNumber(number, own));
  if (replacesOrders(sent)) return about;
  return { ...about, orders: orders.length > 0 ? underNumber(orders, number) : [orderByNumber(sent, number)] };
}

/** Metadata that replaces the stored one lists all orders. */
const replacesOrders = ({ fields, instructions }: CheckedItem): boolean =>
  !instructions.keep_absent && ordersIn(fields['metadata'] as StoredItem['metadata']) !== undefined;

/** Moves the item to the exam's identifiers. */
function withExamIdentifiers({ fields, ...sent }: CheckedItem, exam: StoredItem, isOwn: boolean): CheckedItem {
  const { accession_number: _, accession_issuer: _issuer, study_uid: study, ...others } = fields;
  const isOther = !isOwn && study !== undefined && exam.study_uid !== null && study !== exam.study_uid;
  if (isOther) return withNote({ ...sent, fields: others }, noteOfStudy);
  return { ...sent, fields: study === undefined ? others : { ...others, study_uid: study } };
}

/** Converts an item without orders to the order with its number. */
function orderByNumber({ fields, status, order }: CheckedItem, number: AccessionNumber): Order {
  const { exam_description: description, metadata } = fields;
  const isPlaced = status === 'new' && order !== 'standing';
  const isCancelled =
    status === 'cancelled' || ordersIn(metadata as StoredItem['metadata'])?.some((orders) => !isOpen(orders)) === true;
  return {
    ...number,
    ...(typeof description === 'string' && { exam_description: description }),
    ...(isCancelled && { status: 'cancelled' }),
    ...(isPlaced && { status: 'open' }),
  };
}

/**
 * Orders of one study that have several accession numbers: they are one exam, under the number that came first, and each number finds
 * the exam.
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
import { numberedOrders, ordersOf } from '../ingest/told-orders.ts';

type StoredItem = Documents['items'];

const noteOfNumber = 'The study has another accession number already; the order was added to its exam.';
const noteOfRenaming = 'The request named the study by another accession number before, which this one replaced.';
const noteOfStudy = 'The exam has several accession numbers, and keeps its study UID.';

/**
 * The item as what it tells of the order that has its accession number, where the exam has several numbers, or gets another one by the
 * item. `isNamed`: the request has named the exam by its number before.
 */
export function asOrderOf(sent: CheckedItem, exam: StoredItem, isNamed: boolean): CheckedItem {
  const number = numberIn(sent.fields);
  const own = numberIn(exam);
  if (!own || sent.errors.length > 0) return sent;
  if (!number) return keepingNumbers(sent, exam);
  const further = additionalNumbers(exam.metadata);
  const known = knownAs(number, [own, ...further]);
  if (known === own && further.length === 0) return sent;
  const told = ordersOf(sent) ?? [];
  if (known) return aboutOrder(sent, exam, { number: numberIn(known)!, told });
  const ofNumber: OfNumber = { number, told };
  const from = withoutIssuer(number, [own, ...further]) ?? formerNumber(told, numberedOrders(exam, own));
  if (from && !isSameNumber(from, own)) return { ...aboutOrder(sent, exam, ofNumber), moved: { from, to: number } };
  if (!from && isAnother(told, exam)) return withNote(aboutOrder(sent, exam, ofNumber), noteOfNumber);
  const renaming = told.length === 0 && isNamed ? withNote(sent, noteOfRenaming) : sent;
  if ((told.length === 0 && further.length === 0) || tellsAll(sent)) return renaming;
  // Orders that were cancelled keep the number that they had.
  const isAnew = told.length > 0 && !from && ordersIn(exam.metadata) !== undefined;
  return { ...renaming, told: underNumber(told, number), ...(!isAnew && { moved: { from: own, to: number } }) };
}

/** Metadata that comes under the study UID alone, and replaces the stored one, tells nothing of the numbers that find the exam. */
function keepingNumbers(sent: CheckedItem, exam: StoredItem): CheckedItem {
  const isKept =
    sent.fields['metadata'] === undefined || tellsAll(sent) || additionalNumbers(exam.metadata).length === 0;
  return isKept ? sent : { ...sent, told: ordersOf(sent) ?? [] };
}

/**
 * The item that was found by an order of the exam, under the identifiers of the exam. Its number may be that of some of the orders,
 * without the issuer, or no accession number at all.
 */
export function asKnownOrder(sent: CheckedItem, exam: StoredItem): CheckedItem {
  const number = numberIn(sent.fields);
  const further = additionalNumbers(exam.metadata);
  const numbered = number && further.find((order) => order.accession_number === number.accession_number);
  const own = numberIn(exam);
  const isOwn = further.length === 0 || (own !== undefined && own.accession_number === number?.accession_number);
  const told = numbered && underNumber(ordersOf(sent) ?? [], numberIn(numbered)!);
  return { ...underExam(sent, exam, isOwn), ...(told && { told }) };
}

/** The number among those of an exam; systems may leave out who gives it. */
const knownAs = (number: AccessionNumber, all: readonly AccessionNumber[]): AccessionNumber | undefined =>
  all.find((each) => isSameNumber(each, number)) ??
  (number.accession_issuer === undefined
    ? all.find((each) => each.accession_number === number.accession_number)
    : undefined);

/** The number before anybody said who gives it. */
const withoutIssuer = (number: AccessionNumber, all: readonly AccessionNumber[]): AccessionNumber | undefined =>
  all.find((each) => each.accession_issuer === undefined && each.accession_number === number.accession_number);

/** An exam without an order that stands has the number of the next. */
function isAnother(told: readonly Order[], exam: StoredItem): boolean {
  const known = ordersIn(exam.metadata) ?? [];
  return told.length > 0 && (known.some(isOpen) || told.some(isOfSeveralNumbers));
}

/** A message says so of an order that it tells of under several numbers. */
const isOfSeveralNumbers = ({ accession_number: number }: Order): boolean => number !== undefined;

/**
 * The number of which all orders that stand are changed or cancelled under another one: that takes its place. An order that is placed
 * under another number may stand under both; a resource has one number at a time.
 */
function formerNumber(
  told: readonly Order[],
  known: readonly (Order & AccessionNumber)[],
): AccessionNumber | undefined {
  if (told.some(isOfSeveralNumbers)) return undefined;
  const isTold = (order: Order): boolean =>
    told.some(
      (other) =>
        isSameOrder(other, unnumbered(order)) &&
        (other.status !== 'open' || (other.order_id !== undefined && other.order_id === order.order_id)),
    );
  const open = known.filter(isOpen);
  const number = open.filter(isTold).find((one) => open.every((order) => !isSameNumber(order, one) || isTold(order)));
  return number && numberIn(number);
}

interface OfNumber {
  readonly number: AccessionNumber;
  readonly told: readonly Order[];
}

/** What an item of one number of several says is about the orders of that number. */
function aboutOrder(sent: CheckedItem, exam: StoredItem, { number, told }: OfNumber): CheckedItem {
  const about = underExam(sent, exam, isSameNumber(number, numberIn(exam)!));
  if (tellsAll(sent)) return about;
  return { ...about, told: told.length > 0 ? underNumber(told, number) : [orderByNumber(sent, number)] };
}

/** Who replaces the metadata by some that has orders says all of them. */
const tellsAll = ({ fields, instructions }: CheckedItem): boolean =>
  !instructions.keep_absent && ordersIn(fields['metadata'] as StoredItem['metadata']) !== undefined;

/** The item under the identifiers of the exam. */
function underExam({ fields, ...sent }: CheckedItem, exam: StoredItem, isOwn: boolean): CheckedItem {
  const { accession_number: _, accession_issuer: _issuer, study_uid: study, ...others } = fields;
  const isOther = !isOwn && study !== undefined && exam.study_uid !== null && study !== exam.study_uid;
  if (isOther) return withNote({ ...sent, fields: others }, noteOfStudy);
  return { ...sent, fields: study === undefined ? others : { ...others, study_uid: study } };
}

/** What an item without orders says of those that have its number. */
function orderByNumber({ fields, status, order }: CheckedItem, number: AccessionNumber): Order {
  const { exam_description: description, metadata } = fields;
  const isPlaced = status === 'new' && order !== 'standing';
  const isCancelled =
    status === 'cancelled' || ordersIn(metadata as StoredItem['metadata'])?.some((told) => !isOpen(told)) === true;
  return {
    ...number,
    ...(typeof description === 'string' && { exam_description: description }),
    ...(isCancelled && { status: 'cancelled' }),
    ...(isPlaced && { status: 'open' }),
  };
}

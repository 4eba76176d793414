/** The orders of an exam: what distinguishes them, and how a message changes the stored ones. */
import { maxDescription } from '../contract/exam.ts';
import { isPlainObject } from './normalise.ts';
import { numbersOfOrders, ordersName } from './order-numbers.ts';
import { isLater } from './message-stamp.ts';
import type { MessageStamp } from './message-stamp.ts';

/** Metadata that describes one order, not the whole exam. */
export const orderFacts = [
  'placer_order_number',
  'placer_order_issuer',
  'placer_order_system',
  'filler_order_number',
  'filler_order_issuer',
  'filler_order_system',
  'order_id',
  'procedure_code',
  'procedure_text',
  'procedure_code_system',
  'procedure_alternate_code',
  'procedure_alternate_text',
  'procedure_alternate_system',
  'appointment_number',
] as const;

/** Fields of the exam that an order asks for. */
export const askedFields = ['exam_description', 'modality', 'exam_datetime'] as const;

type OrderFacts = { readonly [Name in (typeof orderFacts)[number] | (typeof askedFields)[number]]?: string };

/** An order under the accession number of an exam, as the sender's latest message states it. */
export interface Order extends OrderFacts, MessageStamp {
  /** Absent: unchanged; `open` if the order is new. */
  readonly status?: 'open' | 'cancelled';
  /** When the message that states the status was made. Absent: the status comes with the rest. */
  readonly status_told_at?: string;
  readonly status_told_by?: string;
  /**
   * The time in the message that states the status, if its sender's clock was wrong. It only shows whether that message
   * is a repetition.
   */
  readonly status_dated?: string;
  /** Absent: the exam's own number. If an exam has several, each order has one. */
  readonly accession_number?: string;
  /** The issuer of that number; absent: the issuer that needs no name. */
  readonly accession_issuer?: string;
}

/** An accession number as its issuer gives it. */
export type AccessionNumber = Required<Pick<Order, 'accession_number'>> & Pick<Order, 'accession_issuer'>;

const isNumbered = (order: Order): order is Order & AccessionNumber => order.accession_number !== undefined;

export const isSameNumber = (one: AccessionNumber, other: AccessionNumber): boolean =>
  one.accession_number === other.accession_number && (one.accession_issuer ?? '') === (other.accession_issuer ?? '');

/**
 * The accession numbers that single orders of an exam have. Most exams have no such orders, and every exam is asked.
 */
export function additionalNumbers(
  metadata: Readonly<Record<string, unknown>> | null | undefined,
): readonly (Order & AccessionNumber)[] {
  if (numbersOfOrders(metadata).length === 0) return none;
  return ordersIn(metadata)?.filter(isNumbered) ?? none;
}
const none: readonly never[] = [];

/** The orders; those without an accession number get this one. */
export const underNumber = (orders: readonly Order[], number: AccessionNumber): readonly (Order & AccessionNumber)[] =>
  orders.map((order) => (isNumbered(order) ? order : { ...order, ...number }));

/**
 * The orders of an exam with that number, if an order has another one; otherwise without numbers, since they share the
 * exam's.
 */
export function numberedApart(orders: readonly Order[], number: AccessionNumber): readonly Order[] {
  if (orders.some((order) => isNumbered(order) && !isSameNumber(order, number))) return underNumber(orders, number);
  // An order that only its accession number distinguishes is the exam itself.
  return orders.map(unnumbered).filter((order) => !isByNumberAlone(order));
}

/**
 * The accession numbers of an exam that has several, as orders with a status and nothing else: they identify the exam,
 * whoever the patient is. Empty if it has at most one number.
 */
export function numbersAlone(exam: {
  readonly accession_number: string | null;
  readonly accession_issuer?: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}): readonly Order[] {
  const own = numberIn(exam);
  const additional = additionalNumbers(exam.metadata);
  const orders = additional.length > 0 ? ordersIn(exam.metadata) : undefined;
  const all = own && orders ? underNumber(orders, own) : additional;
  const isFirst = (one: AccessionNumber, at: number): boolean =>
    all.findIndex((other) => isSameNumber(one, other)) === at;
  return all.filter(isFirst).map((one): Order => {
    const stands = all.some((other) => isSameNumber(one, other) && isOpen(other));
    return { ...numberIn(one), ...(!stands && { status: 'cancelled' }) };
  });
}

export const unnumbered = ({ accession_number: _, accession_issuer: _issuer, ...order }: Order): Order => order;

/** The orders after one number replaced another. */
export const renumberOrders = (
  orders: readonly Order[],
  from: AccessionNumber,
  to: AccessionNumber,
): readonly Order[] =>
  orders.map((order) => (isNumbered(order) && isSameNumber(order, from) ? { ...unnumbered(order), ...to } : order));

/** The number of an exam, an item or an order; `undefined`: it has none. */
export function numberIn(named: AccessionNumber): AccessionNumber;
export function numberIn(named: {
  readonly accession_number?: unknown;
  readonly accession_issuer?: unknown;
}): AccessionNumber | undefined;
export function numberIn({
  accession_number: number,
  accession_issuer: issuer,
}: {
  readonly accession_number?: unknown;
  readonly accession_issuer?: unknown;
}): AccessionNumber | undefined {
  if (!isText(number)) return undefined;
  return isText(issuer) ? { accession_number: number, accession_issuer: issuer } : { accession_number: number };
}

export const isOpen = ({ status }: Order): boolean => status !== 'cancelled';

/** An exam keeps the latest this many orders, so that nobody fills an exam with them. */
export const maxOrders = 100;
const latest = <T>(orders: readonly T[]): readonly T[] =>
  orders.length > maxOrders ? orders.slice(-maxOrders) : orders;

/**
 * The facts of an order, from the metadata and fields that a reader made. `undefined`: nothing distinguishes the order.
 */
export function readOrder(
  metadata: Readonly<Record<string, unknown>>,
  status?: Order['status'],
  fields = metadata,
): Order | undefined {
  const isKnown = ['placer_order_number', 'filler_order_number', 'order_id'].some((name) => isText(metadata[name]));
  if (!isKnown) return undefined;
  const order: Record<string, string> = status ? { status } : {};
  for (const name of orderFacts) {
    const value = metadata[name];
    if (isText(value)) order[name] = value;
  }
  for (const name of askedFields) {
    const value = fields[name];
    if (isText(value)) order[name] = value;
  }
  return order;
}

/** The orders in the metadata of an exam; `undefined` if `orders` is absent, or is a sender's field of that name. */
export function ordersIn(metadata: Readonly<Record<string, unknown>> | null | undefined): readonly Order[] | undefined {
  if (!metadata) return undefined;
  const value = metadata[ordersName];
  if (Array.isArray(value)) {
    const orders = latest<unknown>(value);
    return orders.every(isOrder) ? orders : undefined;
  }
  // Items written by hand may give a status for each order number; the metadata then describes one of them.
  if (!isPlainObject(value) || !Object.values(value).every(isStatus)) return undefined;
  const { placer_order_number, filler_order_number } = metadata;
  return latest(Object.entries(value as Record<string, 'open' | 'cancelled'>)).map(([number, status]) => {
    const described = (placer_order_number ?? filler_order_number) === number && readOrder(metadata, status);
    return described || { placer_order_number: number, status };
  });
}

/** The description of an exam by its orders that are not cancelled; `undefined` if one of them has none. */
export function describeOrders(orders: readonly Order[]): string | undefined {
  const open = orders.filter(isOpen);
  const sources = open.length > 0 ? open : orders;
  const texts = sources.map(({ exam_description, procedure_text }) => exam_description ?? procedure_text);
  return texts.every((text) => text !== undefined) && texts.length > 0 ? describedBy(texts) : undefined;
}

/** Several procedures as the description of one exam, as many as fit. */
export function describedBy(texts: readonly string[]): string {
  let description = '';
  for (const text of new Set(texts)) {
    const longer = description === '' ? text : `${description} + ${text}`;
    if (longer.length > maxDescription) break;
    description = longer;
  }
  return description;
}

/**
 * The stored orders after a message about some of them; the latest statement of each counts. A message may give only
 * some of an order's numbers: at first the filler's alone, later both. If it fits several stored orders, such as those
 * that a filler keeps under one placer number, a cancellation applies to all of them, and `open` to all if none of them
 * is open.
 */
export function mergeOrders(stored: readonly Order[], incoming: readonly Order[]): readonly Order[] {
  let orders = latest(stored);
  for (const order of latest(incoming)) orders = withOrder(orders, order);
  return latest(orders);
}

function withOrder(orders: readonly Order[], incoming: Order): Order[] {
  const same = orders.filter((order) => isSameOrder(order, incoming));
  if (same.length === 0) return [...orders, incoming];
  const isOne = same.every((order, at) => same.slice(at + 1).every((other) => !differ(order, other)));
  if (isOne) {
    const known: Order = Object.assign({}, ...same.map(withStatusStamp));
    // The appointment was cancelled after the order had been rebooked.
    if (incoming.status === 'cancelled' && isOther(incoming.appointment_number, known.appointment_number))
      return [...orders];
    const joined = joinOrder(known, incoming);
    return orders.flatMap((order) => (order === same[0] ? [joined] : same.includes(order) ? [] : [order]));
  }
  const { status } = incoming;
  if (status !== 'cancelled' && (status === undefined || same.some(isOpen))) return [...orders];
  return orders.map((order) => (same.includes(order) ? withStatus(order, incoming) : order));
}

/** A message that does not describe the procedure, as many cancellations, never has outdated words. */
function joinOrder(known: Order, incoming: Order): Order {
  const { status: _, status_dated: _dated, ...words } = incoming;
  const { told_at: _at, told_by: _by, ...numbers } = words;
  const isDescribed = describing.some((name) => words[name] !== undefined);
  const joined = isLater(known, incoming) ? known : { ...known, ...(isDescribed ? words : numbers) };
  return withStatus(joined, incoming, known);
}
const describing = ['procedure_code', 'procedure_text', ...askedFields] as const;

/** The order with the message's status, unless a later message gave another. `known`: the order before the message. */
function withStatus(order: Order, incoming: Order, known = order): Order {
  const before = statusStamp(known);
  const isNews = incoming.status !== undefined && !isStatusOutdated(known, incoming);
  const { status_told_at: _, status_told_by: _by, status_dated: _dated, ...others } = order;
  const { status, status_dated: dated } = isNews ? incoming : known;
  if (status === undefined) return others;
  const stamp = isNews && incoming.told_at !== undefined ? incoming : before;
  const isAsTheRest = stamp.told_at === undefined || isSameStamp(stamp, order);
  return {
    ...others,
    status,
    ...(!isAsTheRest && { status_told_at: stamp.told_at }),
    ...(!isAsTheRest && stamp.told_by !== undefined && { status_told_by: stamp.told_by }),
    ...(dated !== undefined && { status_dated: dated }),
  };
}

/**
 * A cancelled order does not change: if a change is newer than a cancellation, the cancellation was withdrawn first.
 */
const isStatusOutdated = (known: Order, incoming: Order): boolean =>
  isLater(statusStamp(known), incoming) || (incoming.status === 'cancelled' && isLater(known, incoming));

/** When and by whom the status of an order was stated; empty if it has none. */
const statusStamp = ({ status, status_told_at: at, status_told_by: by, ...order }: Order): MessageStamp =>
  status === undefined ? {} : at === undefined ? order : { told_at: at, ...(by !== undefined && { told_by: by }) };

const isSameStamp = (one: MessageStamp, other: MessageStamp): boolean =>
  one.told_at === other.told_at && one.told_by === other.told_by;

function withStatusStamp(order: Order): Order {
  const { told_at, told_by } = statusStamp(order);
  const { status_told_by: _, ...others } = order;
  if (told_at === undefined) return order;
  return { ...others, status_told_at: told_at, ...(told_by !== undefined && { status_told_by: told_by }) };
}

/** Whether later messages have already described every one of these orders: this message was delayed. */
export const areOutdated = (incoming: readonly Order[], stored: readonly Order[]): boolean =>
  incoming.length > 0 &&
  incoming.every((order) => {
    const same = order.told_at === undefined ? [] : stored.filter((known) => isSameOrder(known, order));
    return same.length > 0 && same.every((known) => isLater(known, order));
  });

/**
 * How the statuses of a message compare with the stored ones: `outdated` if later messages stated each, `repeated` if
 * the same message did; `undefined` if it states none.
 */
export function compareStatuses(
  incoming: readonly Order[],
  stored: readonly Order[],
): 'news' | 'outdated' | 'repeated' | undefined {
  const verdicts = incoming
    .filter(({ status }) => status !== undefined)
    .map((order): 'news' | 'outdated' | 'repeated' => {
      const same = stored.filter((known) => isSameOrder(known, order));
      if (same.length === 0) return 'news';
      if (same.every((known) => isRepeated(known, order))) return 'repeated';
      return same.every((known) => isStatusOutdated(known, order)) ? 'outdated' : 'news';
    });
  return (['news', 'outdated', 'repeated'] as const).find((verdict) => verdicts.includes(verdict));
}

/** Whether the same message has already stated this status. */
const isRepeated = (known: Order, incoming: Order): boolean =>
  known.status === incoming.status &&
  statusDate(incoming) !== undefined &&
  statusDate(known) === statusDate(incoming) &&
  !isOther(statusStamp(known).told_by, statusStamp(incoming).told_by);

const statusDate = (order: Order): string | undefined => order.status_dated ?? statusStamp(order).told_at;

/** The same orders without the times of their messages. */
export const withoutStamps = (orders: readonly Order[]): readonly Order[] =>
  orders.map(
    ({ told_at: _, told_by: _by, status_told_at: _at, status_told_by: _teller, status_dated: _dated, ...order }) =>
      order,
  );

/**
 * Whether two descriptions are of one order: they share a number, and no number that both have differs. An accession
 * number alone means all orders that have it.
 */
export const isSameOrder = (one: Order, other: Order): boolean =>
  !differ(one, other) &&
  ((isNumbered(one) && isNumbered(other) && (isByNumberAlone(one) || isByNumberAlone(other))) ||
    numbers.some(([number]) => isEqual(one[number], other[number])) ||
    isEqual(one.order_id, other.order_id));

/**
 * Orders may share a number, for instance the accession number as the filler's; then another number distinguishes them.
 */
const differ = (one: Order, other: Order): boolean =>
  (isNumbered(one) && isNumbered(other) && !isSameNumber(one, other)) ||
  numbers.some(
    ([number, issuer]) =>
      isOther(one[number], other[number]) ||
      (isEqual(one[number], other[number]) && isOther(one[issuer], other[issuer])),
  ) ||
  // Systems that forward messages may give each message new ids; the placer's number stays.
  (!isEqual(one.placer_order_number, other.placer_order_number) && isOther(one.order_id, other.order_id));

const numbers = [
  ['placer_order_number', 'placer_order_issuer'],
  ['filler_order_number', 'filler_order_issuer'],
] as const;

const isByNumberAlone = ({ placer_order_number, filler_order_number, order_id }: Order): boolean =>
  placer_order_number === undefined && filler_order_number === undefined && order_id === undefined;

/** Whether an order identifies itself; otherwise it is the order of the accession number that it comes with. */
export const identifiesItself = (order: Order): boolean => isNumbered(order) || !isByNumberAlone(order);

const isEqual = (one: string | undefined, other: string | undefined): boolean => one !== undefined && one === other;

const isOther = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isStatus = (value: unknown): value is 'open' | 'cancelled' => value === 'open' || value === 'cancelled';
const isOrder = (value: unknown): value is Order =>
  isPlainObject(value) &&
  (value['status'] === undefined || isStatus(value['status'])) &&
  texts.every((name) => value[name] === undefined || isText(value[name]));
const texts = [
  ...orderFacts,
  ...askedFields,
  'accession_number',
  'accession_issuer',
  'told_at',
  'told_by',
  'status_told_at',
  'status_told_by',
  'status_dated',
] as const;

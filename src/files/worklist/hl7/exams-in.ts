/** Groups the orders of a message by exam, and finds the place of its accession number. */
import { isSameOrder } from '../../../domain/orders.ts';
import type { Order as NumberedOrder } from '../../../domain/orders.ts';
import type { Message } from './message.ts';
import type { Order } from './orders-in.ts';
import { lookupIn } from './places.ts';

export interface ExamOrders {
  /** The place of the accession number; `undefined`: the orders have none. */
  readonly source: string | undefined;
  readonly orders: readonly Order[];
}

interface Numbers {
  /** The places of accession numbers, the best first. */
  readonly names: readonly string[];
  /** The numbers of an order; `undefined` if nothing distinguishes it from others. */
  readonly factsOf: (order: Order) => NumberedOrder | undefined;
}

type Group = ExamOrders & { readonly orders: Order[] };

/**
 * Groups the orders by exam. The first place with an accession number for any of them is the place for all. An order without
 * one there belongs to the exam that already has the same order. Any other order has its own number at another place, or, if
 * it has none of any kind, belongs to the exam of the previous order.
 */
export function examsIn(
  message: Message,
  orders: readonly Order[],
  { names, factsOf }: Numbers,
): readonly ExamOrders[] {
  const lookups = orders.map(({ segments }) => lookupIn({ ...message, segments }));
  const numberAt = (at: number, source: string): string =>
    mayStandIn(orders[at]!, source, names) ? (lookups[at]!(source, 'accession_number') ?? '') : '';
  const common = names.find((source) => orders.some((_, at) => numberAt(at, source) !== ''));
  const numbers = orders.map((_, at) => (common === undefined ? '' : numberAt(at, common)));
  const exams: Group[] = [];
  const groups = new Map<string, Group>();
  const takeGroup = (source: string | undefined, number: string): Group => {
    const key = `${source ?? ''} ${number}`;
    const group = groups.get(key) ?? { source, orders: [] };
    groups.set(key, group);
    return group;
  };
  const put = (group: Group, order: Order): void => {
    if (group.orders.length === 0) exams.push(group);
    group.orders.push(order);
  };
  if (!numbers.includes('')) {
    for (const [at, order] of orders.entries()) put(takeGroup(common, numbers[at]!), order);
    return exams;
  }
  const register = createRegister();
  const facts = orders.map(factsOf);
  for (const [at, order] of facts.entries()) {
    if (order && numbers[at] !== '') register.add(order, takeGroup(common, numbers[at]!));
  }
  let latest: Group | undefined;
  for (const [at, order] of orders.entries()) {
    latest = examAt(at) ?? latest ?? takeGroup(undefined, '');
    put(latest, order);
    if (facts[at]) register.add(facts[at], latest);
  }
  return exams;

  /** `undefined`: it goes with the order before. */
  function examAt(at: number): Group | undefined {
    if (numbers[at] !== '') return takeGroup(common, numbers[at]!);
    const own = facts[at];
    const known = own && register.find(own);
    if (known) return known;
    const source = names.find((name) => numberAt(at, name) !== '');
    if (source !== undefined) return takeGroup(source, numberAt(at, source));
    // The study UID decides whether orders that are placed without an accession number belong to one exam.
    return own && (common !== undefined || orders[at]!.meaning !== 'placed')
      ? takeGroup(undefined, `order ${at}`)
      : undefined;
  }
}

/**
 * A number of the control segment replaces one of the request. The request must be there: without it the message may be cut
 * off before that number.
 */
const mayStandIn = (order: Order, source: string, names: readonly string[]): boolean =>
  !source.startsWith('ORC') || source === names[0] || hasRequest(order);

/** Whether the order says what is asked for, or is its control alone. */
export const hasRequest = ({ segments }: Order): boolean =>
  segments.some(({ name }) => name !== 'ORC' && name !== 'NTE');

/** Finds the exam of a known order by any of its numbers. */
function createRegister() {
  const byNumber = new Map<string, { readonly order: NumberedOrder; readonly group: Group }>();
  const keysOf = ({ placer_order_number: placer, filler_order_number: filler }: NumberedOrder): string[] => [
    ...(filler === undefined ? [] : [`filler ${filler}`]),
    ...(placer === undefined ? [] : [`placer ${placer}`]),
  ];
  return {
    add(order: NumberedOrder, group: Group): void {
      for (const key of keysOf(order)) if (!byNumber.has(key)) byNumber.set(key, { order, group });
    },
    find(order: NumberedOrder): Group | undefined {
      const known = keysOf(order).map((key) => byNumber.get(key));
      return known.find((each) => each && isSameOrder(each.order, order))?.group;
    },
  };
}

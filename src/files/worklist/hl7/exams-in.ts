/** Groups the orders of a message by exam, and finds the place of its accession number. */
import { isSameOrder } from '../../../domain/orders.ts';
import type { Order as NumberedOrder } from '../../../domain/orders.ts';
import type { Rewrite } from '../rewrites.ts';
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
  /** Whether the message names a study: it decides whether orders that are placed without an accession number belong to one exam. */
  readonly hasStudy: boolean;
  /** How a mapping changes a number. */
  readonly rewrite?: Rewrite;
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
  { names, factsOf, hasStudy, rewrite }: Numbers,
): readonly ExamOrders[] {
  const readable = orders.map((order) => ({ order, lookup: lookupIn({ ...message, segments: order.segments }) }));
  const numberAt = ({ order, lookup }: (typeof readable)[number], source: string): string => {
    const written = mayStandIn(order, source, names) ? (lookup(source, 'accession_number') ?? '') : '';
    const rewritten = written === '' ? undefined : rewrite?.(written);
    return rewritten && 'text' in rewritten ? rewritten.text : written;
  };
  const common = names.find((source) => readable.some((each) => numberAt(each, source) !== ''));
  const numbered = readable.map((each) => ({ ...each, number: common === undefined ? '' : numberAt(each, common) }));
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
  if (numbered.every(({ number }) => number !== '')) {
    for (const { order, number } of numbered) put(takeGroup(common, number), order);
    return exams;
  }
  const register = createRegister();
  const stated = numbered.map((each) => ({ ...each, facts: factsOf(each.order) }));
  for (const { number, facts } of stated) {
    if (facts && number !== '') register.add(facts, takeGroup(common, number));
  }
  /** `undefined`: it goes with the order before. */
  const findExam = (each: (typeof stated)[number], at: number): Group | undefined => {
    const { order, number, facts } = each;
    if (number !== '') return takeGroup(common, number);
    const known = facts && register.find(facts);
    if (known) return known;
    const source = names.find((name) => numberAt(each, name) !== '');
    if (source !== undefined) return takeGroup(source, numberAt(each, source));
    return facts && (common !== undefined || order.meaning !== 'placed' || !hasStudy)
      ? takeGroup(undefined, `order ${at}`)
      : undefined;
  };
  let latest: Group | undefined;
  for (const [at, each] of stated.entries()) {
    latest = findExam(each, at) ?? latest ?? takeGroup(undefined, '');
    put(latest, each.order);
    if (each.facts) register.add(each.facts, latest);
  }
  return exams;
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

/** Orders that a message lists under several accession numbers, such as the steps of a procedure with one each. */
import { numberIn } from '../../../domain/orders.ts';
import type { Order } from '../../../domain/orders.ts';
import type { Reading } from '../reading.ts';

/** Marks the exams of an order with several accession numbers, so that none replaces another. */
export function withNumbersOfOrders(readings: readonly Reading[]): readonly Reading[] {
  if (readings.length < 2) return readings;
  const exams = new Map<string, Set<Reading>>();
  for (const reading of readings) {
    for (const order of ordersOf(reading)) {
      const name = nameOf(order);
      exams.set(name, (exams.get(name) ?? new Set()).add(reading));
    }
  }
  const isOfSeveral = (order: Order): boolean => (exams.get(nameOf(order))?.size ?? 0) > 1;
  return readings.map((reading) => {
    const number = reading.kind === 'item' ? numberIn(reading.item) : undefined;
    if (reading.kind !== 'item' || !number || !ordersOf(reading).some(isOfSeveral)) return reading;
    const orders = ordersOf(reading).map((order) => (isOfSeveral(order) ? { ...order, ...number } : order));
    return { ...reading, orders };
  });
}

const ordersOf = (reading: Reading): readonly Order[] => (reading.kind === 'item' && reading.orders) || [];

const nameOf = (order: Order): string =>
  JSON.stringify([
    order.placer_order_number,
    order.placer_order_issuer,
    order.filler_order_number,
    order.filler_order_issuer,
  ]);

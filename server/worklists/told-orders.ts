/** What an item tells of orders. */
import type { Instructions } from '../../src/domain/item-instructions.ts';
import type { NormalisedItem } from '../../src/domain/normalise.ts';
import { areOutdated, credible, isOpen, ordersIn } from '../../src/domain/orders.ts';
import type { Order } from '../../src/domain/orders.ts';
import type { Documents } from '../store/collections.ts';

type StoredItem = Documents['items'];
type Telling = Pick<NormalisedItem, 'fields'> & { readonly instructions: Instructions };

/** The orders that an item tells of, whose sender keeps what it does not name; `undefined`: the item is about the exam as a whole. */
export const ordersOf = ({ fields, instructions }: Telling): readonly Order[] | undefined =>
  instructions.keep_absent ? ordersIn(fields['metadata'] as StoredItem['metadata']) : undefined;

/** The orders that an item changes or cancels; `undefined` where it places one, or tells of none. */
export function ordersToldIn(sent: Telling): readonly Order[] | undefined {
  const told = ordersOf(sent);
  const isPlaced = told?.some((order) => order.status !== undefined && isOpen(order)) ?? true;
  return told && told.length > 0 && !isPlaced ? told : undefined;
}

/** Whether all that an item tells of orders is known from later messages already. `now`: ISO 8601. */
export function isOutdated(sent: Telling, { metadata }: StoredItem, now: string): boolean {
  const told = ordersOf(sent);
  return told !== undefined && areOutdated(credible(told, now), ordersIn(metadata) ?? []);
}

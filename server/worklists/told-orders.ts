/** What an item tells of orders that were placed before. */
import type { Instructions } from '../../src/domain/item-instructions.ts';
import type { NormalisedItem } from '../../src/domain/normalise.ts';
import { areOutdated, credible, isOpen, ordersIn } from '../../src/domain/orders.ts';
import type { Order } from '../../src/domain/orders.ts';
import type { Documents } from '../store/collections.ts';

type StoredItem = Documents['items'];
type Telling = Pick<NormalisedItem, 'fields'> & { readonly instructions: Instructions };

/** The orders that an item changes or cancels; `undefined` where it places one, or tells of none. */
export function ordersToldIn({ fields, instructions }: Telling): readonly Order[] | undefined {
  const told = instructions.keep_absent ? ordersIn(fields['metadata'] as StoredItem['metadata']) : undefined;
  const isPlaced = told?.some((order) => order.status !== undefined && isOpen(order)) ?? true;
  return told && told.length > 0 && !isPlaced ? told : undefined;
}

/** Whether all that an item tells of orders is known from later messages already. `now`: ISO 8601. */
export function isOutdated({ fields, instructions }: Telling, { metadata }: StoredItem, now: string): boolean {
  const told = instructions.keep_absent ? ordersIn(fields['metadata'] as StoredItem['metadata']) : undefined;
  return told !== undefined && areOutdated(credible(told, now), ordersIn(metadata) ?? []);
}

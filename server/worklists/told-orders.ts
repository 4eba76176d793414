/** What an item tells of orders that were placed before. */
import type { Instructions } from '../../src/domain/item-instructions.ts';
import type { NormalisedItem } from '../../src/domain/normalise.ts';
import { isOpen, ordersIn } from '../../src/domain/orders.ts';
import type { Order } from '../../src/domain/orders.ts';
import type { Documents } from '../store/collections.ts';

type Telling = Pick<NormalisedItem, 'fields'> & { readonly instructions: Instructions };

/** The orders that an item changes or cancels; `undefined` where it places one, or tells of none. */
export function ordersToldIn({ fields, instructions }: Telling): readonly Order[] | undefined {
  const told = instructions.keep_absent ? ordersIn(fields['metadata'] as Documents['items']['metadata']) : undefined;
  const isPlaced = told?.some((order) => order.status !== undefined && isOpen(order)) ?? true;
  return told && told.length > 0 && !isPlaced ? told : undefined;
}

/** Writes an item and announces it. Every change of an item goes this way, so that followers hear of all. */
import type { Documents } from '../store/collections.ts';
import type { ItemChange } from '../store/feeds.ts';
import type { Transaction } from '../store/store.ts';

export function putItem(
  tx: Pick<Transaction, 'put' | 'publish'>,
  item: Documents['items'],
  change: ItemChange['change'],
): void {
  const { space, id, accession_number, status, version } = item;
  tx.put('items', item);
  tx.publish('items', { space, id, accession_number, status, version, change });
}

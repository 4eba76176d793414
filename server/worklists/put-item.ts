/**
 * Writes an item and announces it. Every change of an item goes this way, so that followers hear of all, and who asks for
 * changes by the order of commits finds it.
 */
import type { Documents } from '../storage/collections.ts';
import type { ItemChange } from '../storage/feeds.ts';
import type { Transaction } from '../storage/store.ts';

/** A version that was not written before. */
type NewVersion = Documents['items'];

/** `item` must be a new object. */
export function putItem(
  tx: Pick<Transaction, 'put' | 'publish' | 'commit'>,
  item: NewVersion,
  change: ItemChange['change'],
): void {
  const { space, id, accession_number, status, version } = item;
  // The object is new, and nobody else's yet: a copy of each item would slow an ingest.
  item.commit = tx.commit;
  tx.put('items', item);
  tx.publish('items', { space, id, accession_number, status, version, change });
}

/**
 * Stores an item and publishes the change. All changes use this function, so that followers and `updated_since` see
 * them.
 */
import type { Documents } from '../storage/collections.ts';
import type { ItemChange } from '../storage/feeds.ts';
import { unnumbered } from '../storage/store.ts';
import type { Transaction } from '../storage/store.ts';

/** A version that is not stored yet. */
type NewVersion = Documents['items'];

/** `item` must be a new object. */
export function putItem(
  tx: Pick<Transaction, 'put' | 'publish'>,
  item: NewVersion,
  change: ItemChange['change'],
): void {
  const { space, id, accession_number, status, version } = item;
  item.commit = unnumbered;
  tx.put('items', item);
  tx.publish('items', { space, id, accession_number, status, version, change });
}

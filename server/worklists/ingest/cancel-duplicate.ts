/** Cancels the exam of an order that turned out to have another exam under its accession number. */
import { ordersName } from '../../../src/domain/order-numbers.ts';
import type { Ids } from '../../storage/ids.ts';
import type { Documents } from '../../storage/collections.ts';
import { createMove } from '../item-status.ts';
import type { MoveEntry } from '../item-status.ts';
import type { Arrival } from './merge.ts';

type StoredItem = Documents['items'];

/** The cancelled exam gives its orders up, so that later messages about them find the other exam alone. */
export function cancelDuplicate(
  ids: Ids,
  { metadata, ...exam }: StoredItem,
  { accession_number: number, study_uid: study }: StoredItem,
  arrival: Arrival,
): { moved: StoredItem; entry: MoveEntry } {
  const { [ordersName]: _, ...others } = metadata ?? {};
  const reason = `Its order is that of exam ${number ?? study ?? ''}`;
  const to = { status: 'cancelled', assigned_to: null } as const;
  return createMove(ids, { ...exam, metadata: others }, to, { ...arrival, holder: null, reason });
}

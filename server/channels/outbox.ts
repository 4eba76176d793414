/**
 * The outbox: messages that wait to be sent, written in the transaction that announces their document. A message names a
 * version of the document, which never changes; it is written out when it is sent.
 */
import { isoNow } from '../../src/domain/clock.ts';
import type { StoredRecord } from '../records/stored-record.ts';
import type { Services } from '../services.ts';
import type { Documents } from '../store/collections.ts';
import type { Transaction } from '../store/store.ts';

/** What is about one exam reaches a destination in the order in which it was written. */
export const laneOf = (
  channelId: string,
  { id, worklist_item_id }: Pick<StoredRecord, 'id' | 'worklist_item_id'>,
): string => `${channelId}/${worklist_item_id ?? id}`;

/** Stores what became of a message; where it goes out, those who follow its document hear of it. */
export function putOutcome(tx: Transaction, message: Documents['messages']): void {
  tx.put('messages', message);
  const { space, record_id: id, worklist_item_id = null, record_version: version } = message;
  if (id === undefined || version === undefined) return;
  tx.publish('records', { space, id, worklist_item_id, version, change: 'distributed' });
}

/** Writes a message for each enabled channel of the space that sends documents. */
export async function writeMessages(
  tx: Transaction,
  { clock, ids }: Pick<Services, 'clock' | 'ids'>,
  { id: record_id, version: record_version, worklist_item_id, space }: StoredRecord,
  event: string,
): Promise<void> {
  const channels = (await tx.find('channels', { is: { space } })).filter(({ enabled }) => enabled);
  if (channels.length === 0) return;
  const { channelKinds } = await import('./registry.ts');
  const at = isoNow(clock);
  for (const { id: channel_id, kind } of channels) {
    if (channelKinds[kind]?.direction !== 'out') continue;
    tx.put('messages', {
      id: ids('msg'),
      space,
      channel_id,
      direction: 'out',
      state: 'waiting',
      at,
      updated_at: at,
      key: null,
      error: null,
      warnings: [],
      event,
      record_id,
      record_version,
      worklist_item_id,
      attempts: 0,
      next_attempt_at: at,
      lane: laneOf(channel_id, { id: record_id, worklist_item_id }),
    });
  }
}

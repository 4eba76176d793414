/**
 * The outbox: messages that wait to be sent, written in the transaction that announces their document. A message names a
 * version of the document, which never changes; it is written out when it is sent.
 */
import { isoNow } from '../../src/domain/clock.ts';
import type { StoredRecord } from '../records/stored-record.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/store.ts';

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
      // What is about one exam reaches a destination in the order in which it was written.
      lane: `${channel_id}/${worklist_item_id ?? record_id}`,
    });
  }
}

/**
 * The outbox: messages that wait to be sent, written in the transaction that announces their document. A message names a
 * version of the document, which never changes; it is written out when it is sent.
 */
import { isoNow } from '../../src/domain/clock.ts';
import type { StoredRecord } from './stored-record.ts';
import type { ChannelChoice, RecordDeps } from './deps.ts';
import type { Documents } from '../storage/collections.ts';
import type { Reader, Transaction } from '../storage/store.ts';

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

type Sent = Pick<StoredRecord, 'id' | 'version' | 'worklist_item_id' | 'space' | 'status'>;

/**
 * Writes a message for each channel of the space that takes the document, also while the channel is off: it waits there. A
 * document that none of them takes is announced to the operator.
 */
export async function writeMessages(
  tx: Transaction,
  deps: Pick<RecordDeps, 'clock' | 'ids' | 'chooseChannels'>,
  record: Sent,
  event: string,
): Promise<void> {
  // A draft is announced where it was preliminary, to those who have that.
  const status = record.status === 'final' ? 'final' : 'preliminary';
  const { all, taking } = await channelsFor(tx, deps, record, status);
  for (const channel of taking) writeMessage(tx, deps, { channel, record, event });
  const { id, space, version } = record;
  if (all.length > 0 && taking.length === 0) tx.publish('untaken', { id, space, version });
}

/** The channels of the record's space that send, and which of them take it. */
async function channelsFor(
  reader: Reader,
  { chooseChannels }: Pick<RecordDeps, 'chooseChannels'>,
  { space, worklist_item_id: itemId }: Pick<Sent, 'space' | 'worklist_item_id'>,
  status: 'preliminary' | 'final',
): Promise<ChannelChoice> {
  const channels = await reader.find('channels', { is: { space } });
  if (channels.length === 0) return { all: [], taking: [] };
  const exam = itemId === null ? undefined : await reader.get('items', itemId);
  return chooseChannels(channels, { status, exam });
}

/** A message that is due at once. */
export function writeMessage(
  tx: Transaction,
  { clock, ids }: Pick<RecordDeps, 'clock' | 'ids'>,
  { channel, record, event }: { channel: Documents['channels']; record: Sent; event: string },
): void {
  const { id: record_id, version: record_version, worklist_item_id, space } = record;
  const at = isoNow(clock);
  tx.put('messages', {
    id: ids('msg'),
    space,
    channel_id: channel.id,
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
    lane: laneOf(channel.id, record),
  });
}

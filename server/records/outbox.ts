/**
 * The outbox: messages to send, stored in the transaction that announces their report. A message names an immutable
 * version; it is rendered when it is sent.
 */
import { isoNow } from '../../src/domain/clock.ts';
import type { StoredRecord } from './stored-record.ts';
import type { ChannelChoice, RecordDeps } from './deps.ts';
import type { Documents } from '../storage/collections.ts';
import type { Reader, Transaction } from '../storage/store.ts';

/** Messages about one exam reach a channel in the order in which they were stored. */
export const createLane = (
  channelId: string,
  { id, worklist_item_id }: Pick<StoredRecord, 'id' | 'worklist_item_id'>,
): string => `${channelId}/${worklist_item_id ?? id}`;

/** Stores the outcome of a message and notifies followers of its report. */
export function putOutcome(tx: Transaction, message: Documents['messages']): void {
  tx.put('messages', message);
  const { space, record_id: id, worklist_item_id = null, record_version: version } = message;
  if (id === undefined || version === undefined) return;
  tx.publish('records', { space, id, worklist_item_id, version, change: 'distributed' });
}

/** The exam of a record; `undefined`: it has none. */
type Exam = Documents['items'] | undefined;
type SentRecord = Pick<StoredRecord, 'id' | 'version' | 'worklist_item_id' | 'space' | 'status'>;

/**
 * Queues a message for each channel that takes the report, even if the channel is off. The operator is notified of a
 * report that no channel takes.
 */
export async function writeMessages(
  tx: Transaction,
  deps: Pick<RecordDeps, 'clock' | 'ids' | 'chooseChannels'>,
  record: SentRecord,
  event: string,
): Promise<void> {
  // A draft is announced only after a preliminary version, to the receivers of that.
  const status = record.status === 'final' ? 'final' : 'preliminary';
  const { exam, all, taking } = await channelsFor(tx, deps, record, status);
  for (const channel of taking) writeMessage(tx, deps, { channel, record, exam, event });
  const { id, space, version } = record;
  if (all.length > 0 && taking.length === 0) tx.publish('untaken', { id, space, version });
}

/** The sending channels of the space, and those that take the record. */
async function channelsFor(
  reader: Reader,
  { chooseChannels }: Pick<RecordDeps, 'chooseChannels'>,
  { space, worklist_item_id: itemId }: Pick<SentRecord, 'space' | 'worklist_item_id'>,
  status: 'preliminary' | 'final',
): Promise<ChannelChoice & { readonly exam: Exam }> {
  const channels = await reader.find('channels', { is: { space } });
  if (channels.length === 0) return { exam: undefined, all: [], taking: [] };
  const exam = itemId === null ? undefined : await reader.get('items', itemId);
  return { exam, ...(await chooseChannels(channels, { status, exam })) };
}

/** Queues a message that is due now. */
export function writeMessage(
  tx: Transaction,
  { clock, ids }: Pick<RecordDeps, 'clock' | 'ids'>,
  { channel, record, exam, event }: { channel: Documents['channels']; record: SentRecord; exam: Exam; event: string },
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
    lane: createLane(channel.id, record),
    subject: {
      patient_ids: exam ? [exam.patient_id] : [],
      accession_numbers: exam?.accession_number ? [exam.accession_number] : [],
    },
  });
}

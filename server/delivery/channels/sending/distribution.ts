/** Which destinations have a document, derived on request from the messages about its exam. */
import type { RecordDestination } from '../../../../src/contract/distribution.ts';
import type { StoredRecord } from '../../../records/stored-record.ts';
import type { Reader } from '../../../storage/store.ts';
import type { StoredChannel, StoredMessage } from '../channel.ts';
import { createLane } from '../../../records/outbox.ts';

/** Sorted by channel name. */
export async function readDistribution(reader: Reader, record: StoredRecord): Promise<RecordDestination[]> {
  const channels = await reader.find('channels', { is: { space: record.space } });
  const found = await Promise.all(channels.map((channel) => readDestination(reader, record, channel)));
  return found.filter((each) => each !== undefined).toSorted((a, b) => (a.channel < b.channel ? -1 : 1));
}

/** `undefined`: no message is about the document. */
async function readDestination(
  reader: Reader,
  record: StoredRecord,
  { id, name }: StoredChannel,
): Promise<RecordDestination | undefined> {
  const messages = await reader.find('messages', { is: { lane: createLane(id, record) } });
  const own = messages.filter(({ record_id }) => record_id === record.id);
  const [newest] = own;
  if (newest?.record_version === undefined) return undefined;
  return { channel: name, ...deriveState(newest, own, messages), version: newest.record_version };
}

/** `own` and `all`: messages about the document and about its exam, newest first. A refused one blocks those after it. */
function deriveState(
  newest: StoredMessage,
  own: readonly StoredMessage[],
  all: readonly StoredMessage[],
): Pick<RecordDestination, 'state' | 'since'> {
  const firstWaiting = own.findLast(({ state }) => state === 'waiting');
  const last = own.find(({ state }) => state === 'refused' || state === 'waiting');
  const refused = last && all.slice(all.indexOf(last)).findLast(({ state }) => state === 'refused');
  if (refused) return { state: 'refused', since: refused.updated_at };
  if (firstWaiting) return { state: 'waiting', since: firstWaiting.at };
  return { state: newest.state === 'dropped' ? 'dropped' : 'sent', since: newest.updated_at };
}

/** Queues documents that a channel never got, because it was added later or its settings excluded them. */
import type { DeliveryDeps } from '../../deps.ts';
import { readRecord } from '../../../records/stored-record.ts';
import { findRecord } from '../../../records/stored-record.ts';
import type { StoredRecord } from '../../../records/stored-record.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { createBreaks } from '../../../runtime/breaks.ts';
import { scan } from '../../../storage/scan.ts';
import type { Actor } from '../../../storage/actor.ts';
import type { Reader, Transaction } from '../../../storage/store.ts';
import type { StoredChannel } from '../channel.ts';
import { createLane, writeMessage } from '../../../records/outbox.ts';
import { takesReport } from './routing.ts';

type Deps = Pick<DeliveryDeps, 'store' | 'clock' | 'ids'>;

/** Documents per page, and messages per transaction. */
const pieceSize = 100;

/** Queues the document again, whatever the routing settings are. Throws INVALID_TRANSITION if it can never be sent. */
export async function sendRecord(tx: Transaction, deps: Deps, channel: StoredChannel, id: string): Promise<number> {
  const record = await readRecord(tx, channel.space, id);
  if (!isSent(record)) throw neverSent(record);
  const messages = await messagesAbout(tx, channel, record);
  if (messages.some(({ state }) => state === 'waiting')) return 0;
  const exam = await tx.get('items', record.worklist_item_id);
  writeMessage(tx, deps, { channel, record, exam, event: eventOf(record) });
  return 1;
}

/** Queues all documents changed since `since` (ISO 8601) that the channel accepts and has no message of, oldest first. */
export async function sendSince(
  deps: Deps,
  channel: StoredChannel,
  since: string,
  actor: () => Actor,
): Promise<number> {
  const { store } = deps;
  const breathe = createBreaks();
  const found: string[] = [];
  const conditions = {
    is: { space: channel.space },
    during: { changed: { from: Date.parse(since), to: Infinity } },
  };
  for await (const { id } of scan(store, 'records', conditions)) found.push(id);
  found.reverse();
  let written = 0;
  for (let at = 0; at < found.length; at += pieceSize) {
    written += await store.transact((tx) => sendMissing(tx, deps, channel, found.slice(at, at + pieceSize)), actor);
    await breathe();
  }
  return written;
}

async function sendMissing(
  tx: Transaction,
  deps: Deps,
  channel: StoredChannel,
  ids: readonly string[],
): Promise<number> {
  let written = 0;
  const present = await tx.get('channels', channel.id);
  // The channel was deleted with its messages.
  if (!present) return 0;
  for (const id of ids) {
    const record = await findRecord(tx, id);
    if (!record || !isSent(record)) continue;
    const exam = await tx.get('items', record.worklist_item_id);
    if (!takesReport(present.settings, record.status, exam)) continue;
    const messages = await messagesAbout(tx, present, record);
    if (messages.some(({ record_version }) => record_version === record.version)) continue;
    writeMessage(tx, deps, { channel: present, record, exam, event: eventOf(record) });
    written += 1;
  }
  return written;
}

const messagesAbout = async (reader: Reader, channel: StoredChannel, record: StoredRecord) =>
  (await reader.find('messages', { is: { lane: createLane(channel.id, record) } })).filter(
    ({ record_id }) => record_id === record.id,
  );

type SentRecord = StoredRecord & { readonly status: 'preliminary' | 'final'; readonly worklist_item_id: string };

/** Drafts are never sent, and a document without an exam has no receiver. */
const isSent = (record: StoredRecord): record is SentRecord =>
  record.status !== 'draft' && record.worklist_item_id !== null;

const eventOf = ({ status }: StoredRecord): string =>
  status === 'final' ? 'worklist.document.completed' : 'worklist.document.preliminary';

const neverSent = ({ status }: StoredRecord): AppError =>
  new AppError('INVALID_TRANSITION', {
    message: status === 'draft' ? 'The document is a draft.' : 'The document is about no exam.',
    details: { status },
    hint: status === 'draft' ? 'Sign it first.' : 'Export it instead.',
  });

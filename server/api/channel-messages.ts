/** The operator's calls for the messages of channels. */
import type { FoundMessage, Message, ShownMessage } from '../../src/contract/channel-message.ts';
import type { channels } from '../../src/contract/channel.ts';
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { isoNow } from '../../src/domain/clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { findEntry } from '../../src/domain/find-entry.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';
import type { LoadedChannels } from '../delivery/channels/load.ts';
import type { StoredChannel, StoredMessage } from '../delivery/channels/channel.ts';
import type { RetryOptions } from '../delivery/channels/receiving/intake.ts';
import { checkRetry, getMessage, refuseAction } from '../delivery/channels/message.ts';
import { readStored } from '../delivery/channels/receiving/try-mapping.ts';
import { putOutcome } from '../records/outbox.ts';
import { channelKinds } from '../delivery/channels/registry.ts';
import { sendRecord, sendSince } from '../delivery/channels/sending/send-again.ts';
import type { Call } from '../http/call.ts';
import { periodSince } from '../http/period.ts';
import { readPage } from '../http/paging.ts';
import type { Ids } from '../storage/ids.ts';
import { scan } from '../storage/scan.ts';
import type { Reader, Store } from '../storage/store.ts';

type MessageHandlers = Pick<
  Handlers<typeof channels, Call>,
  'queue' | 'search' | 'send' | 'retryAll' | 'retrySome' | 'message' | 'retry' | 'drop'
>;

export function channelMessageRoutes(
  { store, clock, ids }: { readonly store: Store; readonly clock: Clock; readonly ids: Ids },
  {
    createIntake: intakeOf,
    readers,
    renderContent,
  }: Pick<LoadedChannels, 'createIntake' | 'readers' | 'renderContent'>,
): MessageHandlers {
  /** Retries a message that is not done. */
  async function retry(id: string, options: RetryOptions & Pick<Call, 'actor'>): Promise<StoredMessage> {
    const { direction, channel_id } = await getMessage(store, id);
    if (direction === 'in') {
      await intakeOf(await getChannel(store, channel_id)).retry(id, options);
      return getMessage(store, id);
    }
    return store.transact(async (tx) => {
      const message = await getMessage(tx, id);
      checkRetry(message);
      const now = isoNow(clock);
      const again: StoredMessage = { ...message, state: 'waiting', updated_at: now, next_attempt_at: now };
      putOutcome(tx, again);
      return again;
    }, options.actor);
  }

  /** The bytes that came in with their reading, or those that go out; nothing where they are not kept. */
  async function showContent(
    message: StoredMessage,
  ): Promise<Partial<Pick<ShownMessage, 'content' | 'answer' | 'reading'>>> {
    const { content, answer, direction, channel_id: id, step } = message;
    if (direction === 'out') {
      const bytes = await renderContent(message);
      return bytes ? { content: Buffer.from(bytes).toString('base64') } : {};
    }
    const channel = content === undefined || step ? undefined : await store.get('channels', id);
    return {
      ...(content !== undefined && { content }),
      ...(answer !== undefined && { answer }),
      ...(channel && { reading: await readStored(message, channel, readers) }),
    };
  }

  /** Retries one after the other. */
  async function retryEach(all: readonly string[], { actor }: Call): Promise<{ retried: number; refused: number }> {
    let refused = 0;
    let retried = 0;
    for (const id of all) {
      // Another request may have retried or dropped it meanwhile.
      const after = await retry(id, { actor }).catch(ignoreDone);
      if (!after) continue;
      retried += 1;
      if (after.state === 'refused') refused += 1;
    }
    return { retried, refused };
  }

  return {
    async search({ body }) {
      const {
        channel,
        state,
        patient_id: patient,
        accession_number: accession,
        control_id: control,
        since,
        until,
        ...paging
      } = body;
      const { id } = channel === undefined ? { id: undefined } : await getChannel(store, channel);
      const conditions = {
        is: { channel: id, state, patient, accession, control },
        during: { changed: periodSince({ since, until }) },
      };
      return { status: 200, data: await readPage(store, 'messages', 'search', conditions, paging, toFoundMessage) };
    },

    async queue({ params, query }) {
      const { id } = await getChannel(store, params.channel);
      const { state, ...paging } = query;
      const conditions = { is: { channel: id, state } };
      return { status: 200, data: await readPage(store, 'messages', id, conditions, paging, toMessage) };
    },

    async send({ params, body: { since, record_id: id } }, call) {
      const channel = await getChannel(store, params.channel);
      const isOut = findEntry(channelKinds, channel.kind)?.direction === 'out';
      if (!isOut) throw refuseField('channel', 'channel must be of a kind that sends');
      const deps = { store, clock, ids };
      if (since !== undefined && id === undefined)
        return { status: 200, data: { written: await sendSince(deps, channel, since, call.actor) } };
      if (since !== undefined || id === undefined)
        throw refuseField('since', 'exactly one of since and record_id must be given');
      return call.commit(async (tx) => ({
        status: 200 as const,
        data: { written: await sendRecord(tx, deps, await getChannel(tx, channel.id), id) },
      }));
    },

    async retryAll({ params }, call) {
      const { id } = await getChannel(store, params.channel);
      const all: string[] = [];
      for await (const { id: message, direction, content } of scan(store, 'messages', {
        is: { channel: id, state: 'refused' },
      })) {
        if (direction === 'out' || content !== undefined) all.push(message);
      }
      return { status: 200, data: await retryEach(all.toReversed(), call) };
    },

    async retrySome({ body }, call) {
      return { status: 200, data: await retryEach([...new Set(body.ids)], call) };
    },

    async message({ params, query }) {
      const message = await getMessage(store, params.id);
      const extra = query.content ? await showContent(message) : {};
      return { status: 200, data: { ...toMessage(message), ...extra } };
    },

    async retry({ params, query: { accept_patient_change: acceptsPatientChange = false } }, { actor }) {
      return { status: 200, data: toMessage(await retry(params.id, { acceptsPatientChange, actor })) };
    },

    drop: ({ params }, call) =>
      call.commit(async (tx) => {
        const message = await getMessage(tx, params.id);
        if (message.state !== 'refused' && message.state !== 'waiting') throw refuseAction(message, 'be dropped');
        const dropped: StoredMessage = { ...message, state: 'dropped', updated_at: isoNow(clock) };
        if (message.direction === 'out') dropped.next_attempt_at = null;
        putOutcome(tx, dropped);
        return { status: 200 as const, data: toMessage(dropped) };
      }),
  };
}

/** Finds a channel by name or id; no name looks like an id. */
export async function findChannel(reader: Reader, said: string): Promise<StoredChannel | undefined> {
  const [named] = await reader.find('channels', { is: { name: said }, limit: 1 });
  return named ?? reader.get('channels', said);
}

export async function getChannel(reader: Reader, said: string): Promise<StoredChannel> {
  const channel = await findChannel(reader, said);
  if (channel) return channel;
  const names = (await reader.find('channels', { limit: 200 })).map(({ name }) => name);
  const hint = 'laudio channel list shows all channels.';
  throw unknownWord('There is no such channel.', said, names, hint, 'NOT_FOUND');
}

/** `undefined`: the message cannot be retried, or no longer exists. */
function ignoreDone(error: unknown): undefined {
  if (error instanceof AppError && (error.code === 'INVALID_TRANSITION' || error.code === 'NOT_FOUND'))
    return undefined;
  throw error;
}

const refuseField = (field: string, message: string): AppError =>
  validationFailed([{ field, message, code: 'INVALID_VALUE' }]);

const toFoundMessage = (message: StoredMessage): FoundMessage => ({
  ...toMessage(message),
  patient_ids: message.subject?.patient_ids ?? [],
  accession_numbers: message.subject?.accession_numbers ?? [],
});

/** Omits what contains patient data. */
function toMessage({
  space: _space,
  hash: _hash,
  content: _content,
  answer: _answer,
  lane: _lane,
  step: _step,
  subject: _subject,
  ...message
}: StoredMessage): Message {
  return message;
}

/** The operator's calls for channels and their messages. */
import type { Channel, channels, ChannelKind, Message } from '../../src/contract/channel.ts';
import { defaultSpace } from '../../src/contract/admin.ts';
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { daysLeft, endingSoon, saidOfEnding } from '../../src/domain/certificate-ending.ts';
import { isoNow, machineOf } from '../../src/domain/clock.ts';
import { entryOf } from '../../src/domain/entry-of.ts';
import type { LoadedChannels } from '../delivery/channels/load.ts';
import type { StoredChannel, StoredMessage } from '../delivery/channels/channel.ts';
import { readUntilId } from '../delivery/channels/receiving/intake.ts';
import type { Retrying } from '../delivery/channels/receiving/intake.ts';
import { checkRetry, messageOf, notNow } from '../delivery/channels/message.ts';
import { putOutcome } from '../records/outbox.ts';
import { channelKinds } from '../delivery/channels/registry.ts';
import { reasonOf } from '../delivery/channels/failures.ts';
import { sendRecord, sendSince } from '../delivery/channels/sending/send-again.ts';
import { lastMessageId, standingOf } from '../delivery/channels/standing.ts';
import { kindNamed, mergedSettings, shownSettings } from '../delivery/channels/settings.ts';
import type { Call } from '../http/call.ts';
import { pageOf } from '../http/paging.ts';
import type { Compile } from '../runtime/validation.ts';
import { sameSecret } from '../runtime/secrets.ts';
import type { DeliveryDeps } from '../delivery/deps.ts';
import { createBreaks } from '../runtime/breaks.ts';
import type { Reader, Transaction } from '../storage/store.ts';

/** Messages that a removal takes away in one transaction. */
const step = 500;

export function channelRoutes(
  { store, clock, ids }: Pick<DeliveryDeps, 'store' | 'clock' | 'ids'>,
  { runtime, intakeOf }: LoadedChannels,
  compile: Compile,
): Handlers<typeof channels, Call> {
  const certificatesOf = ({ id }: StoredChannel): Channel['certificates'] =>
    runtime.endingsOf(id).map((ending) => ({
      setting: ending.setting,
      until: new Date(ending.until).toISOString(),
      days_left: daysLeft(ending.until, machineOf(clock).now()),
    }));
  const shown = async (channel: StoredChannel): Promise<Channel> => {
    const { secrets: _secrets, ...rest } = channel;
    const { waiting, refused, oldestOpen, lastMessageAt } = await standingOf(store, channel.id);
    return {
      ...rest,
      direction: entryOf(channelKinds, channel.kind)?.direction ?? 'in',
      settings: shownSettings(channel),
      state: runtime.stateOf(channel),
      certificates: certificatesOf(channel),
      counts: { waiting, refused },
      oldest_open_at: oldestOpen?.at ?? null,
      last_message_at: lastMessageAt,
    };
  };

  /** Tries a message again, which is not done. */
  async function retry(id: string, options: Retrying = {}): Promise<StoredMessage> {
    const { direction, channel_id } = await messageOf(store, id);
    if (direction === 'in') {
      await intakeOf(await channelOf(store, channel_id)).again(id, options);
      return messageOf(store, id);
    }
    return store.transact(async (tx) => {
      const message = await messageOf(tx, id);
      checkRetry(message);
      const now = isoNow(clock);
      const again: StoredMessage = { ...message, state: 'waiting', updated_at: now, next_attempt_at: now };
      putOutcome(tx, again);
      return again;
    });
  }

  return {
    async kinds() {
      const items = Object.entries(channelKinds).map(([kind, { direction, title, settings }]): ChannelKind => ({
        kind,
        direction,
        title,
        settings: settings as Record<string, unknown>,
      }));
      return { status: 200, data: { items } };
    },

    async list({ query }) {
      const found = await pageOf(store, 'channels', '', {}, query, (channel) => channel);
      const items: Channel[] = [];
      // Each counts the messages of all channels.
      const breathe = createBreaks();
      for (const channel of found.items) {
        items.push(await shown(channel));
        await breathe();
      }
      return { status: 200, data: { ...found, items } };
    },

    async add({ body }, call) {
      const kind = kindNamed(body.kind);
      const kept = mergedSettings(kind, undefined, body.settings ?? {}, compile);
      await checkMapping(body.mapping);
      const channel = await call.commit(async (tx) => {
        await checkName(tx, body.name, undefined);
        const now = isoNow(clock);
        const added: StoredChannel = {
          id: ids('chn'),
          name: body.name,
          kind: body.kind,
          enabled: body.enabled ?? true,
          space: body.space ?? defaultSpace,
          ...kept,
          mapping: body.mapping ?? null,
          created_at: now,
          updated_at: now,
          version: 1,
        };
        tx.put('channels', added);
        return { status: 201 as const, data: added };
      });
      await runtime.idle();
      return { status: 201, data: await shown(channel.data) };
    },

    get: async ({ params }) => ({ status: 200, data: await shown(await channelOf(store, params.channel)) }),

    async change({ params, body }, call) {
      await checkMapping(body.mapping);
      const changed = await call.commit(async (tx) => {
        const before = await channelOf(tx, params.channel);
        if (body.name !== undefined) await checkName(tx, body.name, before.id);
        const kept = mergedSettings(kindNamed(before.kind), before, body.settings ?? {}, compile);
        const { name = before.name, enabled = before.enabled, mapping = before.mapping } = body;
        const after = {
          ...before,
          ...kept,
          name,
          enabled,
          mapping,
          updated_at: isoNow(clock),
          version: before.version + 1,
        };
        tx.put('channels', after);
        return { status: 200 as const, data: after };
      });
      await runtime.idle();
      return { status: 200, data: await shown(changed.data) };
    },

    async remove({ params }, call) {
      const removed = await call.commit(async (tx) => {
        const { id } = await channelOf(tx, params.channel);
        tx.remove('channels', id);
        tx.remove('settings', readUntilId(id));
        tx.remove('settings', lastMessageId(id));
        return { status: 200 as const, data: { id, deleted: true as const } };
      });
      const { id } = removed.data;
      // Nothing new comes in once the channel is closed.
      await runtime.idle();
      for (let isDone = false; !isDone;) {
        const messages = await store.find('messages', { is: { channel: id }, limit: step });
        await store.transact(async (tx) => messages.forEach((message) => tx.remove('messages', message.id)));
        isDone = messages.length < step;
      }
      return removed;
    },

    async test({ params }, call) {
      const channel = await channelOf(store, params.channel);
      await runtime.idle();
      const running = runtime.runningOf(channel.id);
      const { status, error, address } = runtime.stateOf(channel);
      if (!running) {
        const message = status === 'off' ? 'The channel is off: enable it first.' : (error ?? 'It is being opened.');
        return { status: 200, data: { works: false, message } };
      }
      try {
        const message = (await running.test?.(call.signal)) ?? `It is open${address === null ? '' : `: ${address}`}.`;
        const endings = certificatesOf(channel).filter(endingSoon).map(saidOfEnding);
        return { status: 200, data: { works: true, message: [message, ...endings].join(' ') } };
      } catch (failure) {
        return { status: 200, data: { works: false, message: reasonOf(failure) } };
      }
    },

    async hook({ params }, call) {
      const channel = await channelNamed(store, params.channel);
      const token = /^Bearer +(\S+)$/i.exec(call.header('authorization') ?? '')?.[1];
      const known = channel?.secrets['hook_token'];
      if (!channel || known === undefined || token === undefined || !sameSecret(token, known)) throw noHook();
      const running = runtime.runningOf(channel.id);
      running?.hurry?.();
      return { status: 200, data: { asks: running?.hurry !== undefined } };
    },

    async queue({ params, query }) {
      const { id } = await channelOf(store, params.channel);
      const { state, ...paging } = query;
      const conditions = { is: { channel: id, state } };
      return { status: 200, data: await pageOf(store, 'messages', id, conditions, paging, shownMessage) };
    },

    async send({ params, body: { since, record_id: id } }, call) {
      const channel = await channelOf(store, params.channel);
      const isOut = entryOf(channelKinds, channel.kind)?.direction === 'out';
      if (!isOut) throw unfit('channel', 'channel must be of a kind that sends');
      if ((since === undefined) === (id === undefined))
        throw unfit('since', 'exactly one of since and record_id must be given');
      const deps = { store, clock, ids };
      if (id === undefined) return { status: 200, data: { written: await sendSince(deps, channel, since!) } };
      return call.commit(async (tx) => ({
        status: 200 as const,
        data: { written: await sendRecord(tx, deps, await channelOf(tx, channel.id), id) },
      }));
    },

    async retryAll({ params }) {
      const { id } = await channelOf(store, params.channel);
      const all = (await store.find('messages', { is: { channel: id, state: 'refused' } })).toReversed();
      let refused = 0;
      let retried = 0;
      for (const message of all) {
        if (message.direction === 'in' && message.content === undefined) continue;
        // Somebody else may have retried or dropped it meanwhile.
        const after = await retry(message.id).catch(unlessDone);
        if (!after) continue;
        retried += 1;
        if (after.state === 'refused') refused += 1;
      }
      return { status: 200, data: { retried, refused } };
    },

    async message({ params, query }) {
      const message = await messageOf(store, params.id);
      const { content, answer } = message;
      const besides = query.content
        ? { ...(content !== undefined && { content }), ...(answer !== undefined && { answer }) }
        : {};
      return { status: 200, data: { ...shownMessage(message), ...besides } };
    },

    async retry({ params, query: { accept_patient_change: acceptsPatientChange = false } }) {
      return { status: 200, data: shownMessage(await retry(params.id, { acceptsPatientChange })) };
    },

    drop: ({ params }, call) =>
      call.commit(async (tx) => {
        const message = await messageOf(tx, params.id);
        if (message.state !== 'refused' && message.state !== 'waiting') throw notNow(message, 'be dropped');
        const dropped: StoredMessage = { ...message, state: 'dropped', updated_at: isoNow(clock) };
        if (message.direction === 'out') dropped.next_attempt_at = null;
        putOutcome(tx, dropped);
        return { status: 200 as const, data: shownMessage(dropped) };
      }),
  };
}

/** By its name or its id; no name looks like an id. */
async function channelNamed(reader: Reader, said: string): Promise<StoredChannel | undefined> {
  const [named] = await reader.find('channels', { is: { name: said }, limit: 1 });
  return named ?? reader.get('channels', said);
}

/** `undefined` where the message is not one to try again, or is gone. */
function unlessDone(error: unknown): undefined {
  if (error instanceof AppError && (error.code === 'INVALID_TRANSITION' || error.code === 'NOT_FOUND'))
    return undefined;
  throw error;
}

async function channelOf(reader: Reader, said: string): Promise<StoredChannel> {
  const channel = await channelNamed(reader, said);
  if (channel) return channel;
  throw new AppError('NOT_FOUND', {
    message: 'There is no such channel.',
    hint: 'laudio channel list shows those that there are.',
  });
}

/** Throws VALIDATION_FAILED with all that is wrong with it. */
async function checkMapping(mapping: StoredChannel['mapping'] | undefined): Promise<void> {
  if (!mapping) return;
  const { faultsOfMapping } = await import('../../src/files/worklist/mapping.ts');
  const faults = faultsOfMapping(mapping);
  if (faults.length === 0) return;
  throw validationFailed(
    faults.map(({ field, message }) => ({
      field: field === '' ? 'mapping' : `mapping.${field}`,
      message: `mapping: ${message}`,
      code: 'INVALID_VALUE',
    })),
  );
}

async function checkName(tx: Transaction, name: string, own: string | undefined): Promise<void> {
  const [other] = await tx.find('channels', { is: { name }, limit: 1 });
  if (!other || other.id === own) return;
  const message = 'name is that of another channel';
  throw validationFailed([{ field: 'name', message, code: 'INVALID_VALUE' }]);
}

const unfit = (field: string, message: string): AppError =>
  validationFailed([{ field, message, code: 'INVALID_VALUE' }]);

/** Whoever has no token learns not even which channels there are. */
const noHook = (): AppError =>
  new AppError('UNAUTHORIZED', {
    message: 'The token is not the hook_token of this channel.',
    hint: 'Send Authorization: Bearer with the token that the operator set.',
  });

/** Without the bytes, which are about a patient. */
function shownMessage({
  space: _space,
  hash: _hash,
  content: _content,
  answer: _answer,
  lane: _lane,
  step: _step,
  ...message
}: StoredMessage): Message {
  return message;
}

/** The operator's calls for channels and their messages. */
import type { Channel, channels, ChannelKind } from '../../src/contract/channel.ts';
import { defaultSpace } from '../../src/contract/admin.ts';
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { daysLeft, endingSoon, describeExpiry } from '../../src/domain/certificate-ending.ts';
import { isoNow, machineClockOf } from '../../src/domain/clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { findEntry } from '../../src/domain/find-entry.ts';
import type { LoadedChannels } from '../delivery/channels/load.ts';
import type { StoredChannel } from '../delivery/channels/channel.ts';
import { channelSettingIds, noteId } from '../delivery/channels/receiving/intake.ts';
import { newExport } from '../delivery/channels/kinds/fhir-in/export-note.ts';
import { channelKinds } from '../delivery/channels/registry.ts';
import { explainFailure } from '../delivery/channels/failures.ts';
import { lastMessageId, readBacklog } from '../delivery/channels/backlog.ts';
import { findKind, mergeSettings, maskSecrets } from '../delivery/channels/settings.ts';
import type { Call } from '../http/call.ts';
import { readPage } from '../http/paging.ts';
import type { Compile } from '../runtime/validation.ts';
import { sameSecret } from '../runtime/secrets.ts';
import { channelTrialRoutes } from './channel-trials.ts';
import { channelMessageRoutes, findChannel, getChannel } from './channel-messages.ts';
import type { DeliveryDeps } from '../delivery/deps.ts';
import { createBreaks } from '../runtime/breaks.ts';
import type { Reader, Transaction } from '../storage/store.ts';

/** Messages per transaction when a channel is removed. */
const step = 500;

/** Channels in the API's form. */
function createChannelView(
  { store, clock }: { readonly store: Reader; readonly clock: Clock },
  runtime: LoadedChannels['runtime'],
) {
  const listCertificates = ({ id }: StoredChannel): Channel['certificates'] =>
    runtime.getExpiries(id).map((ending) => ({
      setting: ending.setting,
      until: new Date(ending.until).toISOString(),
      days_left: daysLeft(ending.until, machineClockOf(clock).now()),
    }));
  const shown = async (channel: StoredChannel): Promise<Channel> => {
    const { secrets: _secrets, ...rest } = channel;
    const { waiting, refused, oldestOpen, lastMessageAt } = await readBacklog(store, channel.id);
    return {
      ...rest,
      direction: findEntry(channelKinds, channel.kind)?.direction ?? 'in',
      settings: maskSecrets(channel),
      state: await runtime.getState(channel),
      certificates: listCertificates(channel),
      counts: { waiting, refused },
      oldest_open_at: oldestOpen?.at ?? null,
      last_message_at: lastMessageAt,
    };
  };
  return { certificatesOf: listCertificates, shown };
}

/** Asks whether the other side of a channel answers. */
function createChannelTest(
  runtime: LoadedChannels['runtime'],
  certificatesOf: (channel: StoredChannel) => Channel['certificates'],
) {
  return async (channel: StoredChannel, signal: AbortSignal): Promise<{ works: boolean; message: string }> => {
    await runtime.idle();
    const running = runtime.getOpenChannel(channel.id);
    const { status, error, address } = await runtime.getState(channel);
    if (!running) {
      const message = status === 'off' ? 'The channel is off: enable it first.' : (error ?? 'It is being opened.');
      return { works: false, message };
    }
    try {
      const message = (await running.test?.(signal)) ?? `It is open${address === null ? '' : `: ${address}`}.`;
      const endings = certificatesOf(channel).filter(endingSoon).map(describeExpiry);
      return { works: true, message: [message, ...endings].join(' ') };
    } catch (failure) {
      return { works: false, message: explainFailure(failure) };
    }
  };
}

export function channelRoutes(
  { store, clock, ids }: Pick<DeliveryDeps, 'store' | 'clock' | 'ids'>,
  loaded: LoadedChannels,
  compile: Compile,
): Handlers<typeof channels, Call> {
  const { runtime } = loaded;
  const { certificatesOf, shown } = createChannelView({ store, clock }, runtime);
  const testChannel = createChannelTest(runtime, certificatesOf);

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
      const found = await readPage(store, 'channels', '', {}, query, (channel) => channel);
      const items: Channel[] = [];
      // Each channel has its own queries.
      const breathe = createBreaks();
      for (const channel of found.items) {
        items.push(await shown(channel));
        await breathe();
      }
      return { status: 200, data: { ...found, items } };
    },

    async add({ body }, call) {
      const kind = findKind(body.kind);
      const kept = mergeSettings(kind, undefined, body.settings ?? {}, compile);
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

    get: async ({ params }) => ({ status: 200, data: await shown(await getChannel(store, params.channel)) }),

    async change({ params, body }, call) {
      await checkMapping(body.mapping);
      const changed = await call.commit(async (tx) => {
        const before = await getChannel(tx, params.channel);
        if (body.name !== undefined) await checkName(tx, body.name, before.id);
        const kept = mergeSettings(findKind(before.kind), before, body.settings ?? {}, compile);
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
        const { id } = await getChannel(tx, params.channel);
        tx.remove('channels', id);
        for (const setting of channelSettingIds(id)) tx.remove('settings', setting);
        tx.remove('settings', lastMessageId(id));
        return { status: 200 as const, data: { id, deleted: true as const } };
      });
      const { id } = removed.data;
      // Once the channel is closed, no new messages arrive.
      await runtime.idle();
      for (let isDone = false; !isDone;) {
        const messages = await store.find('messages', { is: { channel: id }, limit: step });
        await store.transact(async (tx) => messages.forEach((message) => tx.remove('messages', message.id)));
        isDone = messages.length < step;
      }
      return removed;
    },

    test: async ({ params }, { signal }) => ({
      status: 200,
      data: await testChannel(await getChannel(store, params.channel), signal),
    }),

    ...channelCallRoutes({ store }, runtime),
    ...channelMessageRoutes({ store, clock, ids }, loaded),
    ...channelTrialRoutes(store, { readers: loaded.readers, checkMapping }),
  };
}

/** Calls to channels that are open: to import, and the hook. */
function channelCallRoutes(
  { store }: Pick<DeliveryDeps, 'store'>,
  runtime: LoadedChannels['runtime'],
): Pick<Handlers<typeof channels, Call>, 'import' | 'hook'> {
  return {
    async import({ params, body }, call) {
      const accepted = await call.commit(async (tx) => {
        const { id, kind } = await getChannel(tx, params.channel);
        if (findKind(kind).takesImport !== true)
          throw validationFailed([
            { field: 'channel', message: 'channel must be of kind fhir-in', code: 'INVALID_VALUE' },
          ]);
        tx.put('settings', { id: noteId(id, 'export'), value: newExport(body.since ?? null) });
        return { status: 202 as const, data: { requested: true as const } };
      });
      runtime.getOpenChannel((await getChannel(store, params.channel)).id)?.notice?.(undefined);
      return accepted;
    },

    async hook({ params, body }, call) {
      const channel = await findChannel(store, params.channel);
      const token = /^Bearer +(\S+)$/i.exec(call.header('authorization') ?? '')?.[1];
      const known = channel?.secrets['hook_token'];
      if (!channel || known === undefined || token === undefined || !sameSecret(token, known)) throw rejectHook();
      const running = runtime.getOpenChannel(channel.id);
      // The contract describes no body: none is refused.
      running?.notice?.(body);
      return { status: 200, data: { asks: running?.notice !== undefined } };
    },
  };
}

/** Throws VALIDATION_FAILED with all faults of the mapping. */
async function checkMapping(mapping: StoredChannel['mapping'] | undefined): Promise<void> {
  if (!mapping) return;
  const { faultsOfMapping } = await import('../../src/files/worklist/mapping-faults.ts');
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

/** Does not reveal to callers without a token which channels exist. */
const rejectHook = (): AppError =>
  new AppError('UNAUTHORIZED', {
    message: 'The token is not the hook_token of this channel.',
    hint: 'Send Authorization: Bearer with the token that the operator set.',
  });

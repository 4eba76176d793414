/** The operator's trials of mappings on stored messages. */
import type { channels } from '../../src/contract/channel.ts';
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { findEntry } from '../../src/domain/find-entry.ts';
import type { StoredChannel, StoredMessage } from '../delivery/channels/channel.ts';
import type { LoadedChannels } from '../delivery/channels/load.ts';
import { refuseAction } from '../delivery/channels/message.ts';
import { tryMapping } from '../delivery/channels/receiving/try-mapping.ts';
import { channelKinds } from '../delivery/channels/registry.ts';
import type { Call } from '../http/call.ts';
import { scan } from '../storage/scan.ts';
import type { Store } from '../storage/store.ts';
import { getChannel } from './channel-messages.ts';

/** Messages that are tried if none is named. */
const defaultCount = 20;

interface TrialDeps {
  readonly readers: LoadedChannels['readers'];
  /** Throws VALIDATION_FAILED with all faults of the mapping. */
  readonly checkMapping: (mapping: StoredChannel['mapping'] | undefined) => Promise<void>;
}

export function channelTrialRoutes(
  store: Store,
  { readers, checkMapping }: TrialDeps,
): Pick<Handlers<typeof channels, Call>, 'try'> {
  return {
    async try({ params, body }) {
      await checkMapping(body.mapping);
      const channel = await getChannel(store, params.channel);
      if (findEntry(channelKinds, channel.kind)?.direction !== 'in')
        throw validationFailed([
          { field: 'channel', message: 'channel must be of a kind that receives', code: 'INVALID_VALUE' },
        ]);
      const { messages, skipped } = body.message_ids
        ? { messages: await getMessages(store, channel, body.message_ids), skipped: 0 }
        : await findNewest(store, channel);
      const [before, after] =
        body.mapping === undefined ? [null, channel.mapping] : [channel.mapping, body.mapping ?? null];
      const items = [];
      for (const message of messages) items.push(await tryMapping(message, channel, { before, after }, readers));
      return { status: 200, data: { items, skipped } };
    },
  };
}

const isReadable = ({ content, step }: StoredMessage): boolean => content !== undefined && step === undefined;

async function getMessages(
  store: Store,
  { id: channel }: StoredChannel,
  ids: readonly string[],
): Promise<readonly StoredMessage[]> {
  const messages: StoredMessage[] = [];
  for (const id of new Set(ids)) {
    const message = await store.get('messages', id);
    if (message?.channel_id !== channel)
      throw new AppError('NOT_FOUND', { message: 'The channel has no such message.' });
    if (!isReadable(message)) throw refuseAction(message, 'be read again: its bytes are not kept');
    messages.push(message);
  }
  return messages;
}

async function findNewest(
  store: Store,
  { id: channel }: StoredChannel,
): Promise<{ messages: readonly StoredMessage[]; skipped: number }> {
  const messages: StoredMessage[] = [];
  let skipped = 0;
  for await (const message of scan(store, 'messages', { is: { channel } })) {
    if (messages.length === defaultCount) break;
    if (isReadable(message)) messages.push(message);
    else skipped += 1;
  }
  return { messages, skipped };
}

import { defineCommand, required } from '../../command.ts';
import { channelDetail } from '../../resources/channel.ts';

export const command = defineCommand({
  description:
    'Finishes the current message first. Waiting messages stay, and reports signed in the meantime wait too, until the channel is enabled.',
  arguments: { channel: required('Name of the channel', { shown: 'channel' }) },
  async run({ operator }, { channel }) {
    const body = { enabled: false };
    return channelDetail((await (await operator()).channels.change({ params: { channel }, body })).data);
  },
});

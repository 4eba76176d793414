import { defineCommand, required } from '../../command.ts';
import { channelDetail } from '../../resources/channel.ts';

export const command = defineCommand({
  description: 'The server opens the channel now and at every start.',
  arguments: { channel: required('Name of the channel', { shown: 'channel' }) },
  async run({ operator }, { channel }) {
    const body = { enabled: true };
    return channelDetail((await (await operator()).channels.change({ params: { channel }, body })).data);
  },
});

import { defineCommand, required } from '../../command.ts';
import { channelDetail } from '../../resources/channel.ts';

export const command = defineCommand({
  description: 'Shows its state and settings. Secrets are not shown.',
  arguments: { channel: required('Name of the channel', { shown: 'channel' }) },
  async run({ operator }, { channel }) {
    return channelDetail((await (await operator()).channels.get({ params: { channel } })).data);
  },
});

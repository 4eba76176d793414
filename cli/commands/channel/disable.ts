import { defineCommand, required } from '../../command.ts';
import { channelDetail } from '../../resources/channel.ts';

export const command = defineCommand({
  description:
    'What is under way ends first. Messages that wait stay, and what is signed meanwhile waits too, until the channel is enabled.',
  arguments: { channel: required('Name of the channel') },
  async run({ operator }, { channel }) {
    const body = { enabled: false };
    return channelDetail((await (await operator()).channels.change({ params: { channel }, body })).data);
  },
});

import { defineCommand, required } from '../../command.ts';
import { messageDetail } from '../../resources/channel.ts';

export const command = defineCommand({
  description: 'Nobody has to look at it any more, and it holds up none that comes after it.',
  arguments: { id: required('Id of a message (msg_…)') },
  async run({ operator }, { id }) {
    return messageDetail((await (await operator()).channels.drop({ params: { id } })).data);
  },
});

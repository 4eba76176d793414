import { defineCommand, required } from '../../command.ts';
import { messageDetail } from '../../resources/channel.ts';

export const command = defineCommand({
  description: 'The message needs no more attention and no longer holds up later ones.',
  arguments: { id: required('Id of a message (msg_…)') },
  async run({ operator }, { id }) {
    return messageDetail((await (await operator()).channels.drop({ params: { id } })).data);
  },
});

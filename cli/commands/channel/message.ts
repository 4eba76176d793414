import { defineCommand, flag, required } from '../../command.ts';
import { messageDetail } from '../../resources/channel.ts';

export const command = defineCommand({
  arguments: { id: required('Id of a message (msg_…)') },
  options: { content: flag('Include the received content, which is about a patient, and the acknowledgement') },
  async run({ operator }, { id, content }) {
    const query = content ? { content } : {};
    return messageDetail((await (await operator()).channels.message({ params: { id }, query })).data);
  },
});

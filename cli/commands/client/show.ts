import { defineCommand, required } from '../../command.ts';
import { clientDetail } from '../../resources/client.ts';

export const command = defineCommand({
  description: 'On the server running on this computer, without its secret.',
  arguments: { id: required('Id of the partner application', { shown: 'client' }) },
  async run({ operator }, { id }) {
    return clientDetail((await (await operator()).clients.get({ params: { id } })).data);
  },
});

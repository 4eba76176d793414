import { defineCommand, required } from '../../command.ts';
import { clientDetail, keepOldOption, keptSeconds } from '../../resources/client.ts';

export const command = defineCommand({
  description: 'The new secret is shown once. Existing tokens of the application stay valid.',
  arguments: { id: required('Id of the partner application', { shown: 'client' }) },
  options: {
    keepOld: keepOldOption('How long the old secret keeps working, at most 7d; default: not at all'),
  },
  examples: [['laudio client rotate-secret lc_… --keep-old 24h', 'a day to distribute the new secret']],
  async run({ operator }, { id, keepOld }) {
    const query = keptSeconds(keepOld);
    return clientDetail((await (await operator()).clients.rotateSecret({ params: { id }, query })).data);
  },
});

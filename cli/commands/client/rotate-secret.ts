import { defineCommand, required } from '../../command.ts';
import { clientDetail, keepOldOption, keptSeconds } from '../../resources/client.ts';

export const command = defineCommand({
  description: 'The new secret is shown once. Tokens that the application holds stay valid.',
  arguments: { id: required('Id of the partner application') },
  options: {
    keepOld: keepOldOption('How long the old secret works beside the new one, at most 7d; default: it ends at once'),
  },
  examples: [['laudio client rotate-secret lc_… --keep-old 24h', 'a day to bring the new secret to where it is used']],
  async run({ operator }, { id, keepOld }) {
    const query = keptSeconds(keepOld);
    return clientDetail((await (await operator()).clients.rotateSecret({ params: { id }, query })).data);
  },
});

import { shownLine } from '../../../src/domain/characters.ts';
import { defineCommand, flag, required } from '../../command.ts';
import { confirmRemoval } from '../../resources/wordbook.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'Reports that quote it don’t change.',
  arguments: { id: required('Id of the prior (pri_…)') },
  options: { yes: flag('Do not ask', { short: 'y' }) },
  async run({ client, ask, signal }, { id, yes }) {
    if (!yes) ask.requireTerminal('--yes');
    const { priors } = await client();
    const params = { id };
    const { exam_description: exam } = (await priors.get({ params }, { signal })).data;
    await confirmRemoval({ ask }, yes, `the report “${shownLine(exam)}” for good`);
    const { data } = await priors.delete({ params }, { signal });
    return messageView('Deleted.', data);
  },
});

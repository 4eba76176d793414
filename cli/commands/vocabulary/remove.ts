import { shownLine } from '../../../src/domain/characters.ts';
import { defineCommand, flag, required } from '../../command.ts';
import { confirmRemoval } from '../../resources/wordbook.ts';
import { findTerm } from '../../resources/term.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'Existing reports don’t change.',
  arguments: { word: required('Id (trm_…), or the word') },
  options: { yes: flag('Do not ask', { short: 'y' }) },
  async run({ client, ask, signal }, { word, yes }) {
    if (!yes) ask.requireTerminal('--yes');
    const { vocabulary } = await client();
    const { id, write, owner } = await findTerm(vocabulary, word, signal);
    const whose = owner === 'space' ? 'the space’s vocabulary' : 'your vocabulary';
    await confirmRemoval({ ask }, yes, `“${shownLine(write)}” from ${whose}`);
    const { data } = await vocabulary.delete({ params: { id } }, { signal });
    return messageView(`Removed “${shownLine(write)}”.`, data);
  },
});

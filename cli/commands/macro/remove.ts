import { shownLine } from '../../../src/domain/characters.ts';
import { defineCommand, flag, required } from '../../command.ts';
import { findMacro } from '../../resources/macro.ts';
import { confirmRemoval } from '../../resources/wordbook.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'Reports that already contain the macro don’t change.',
  arguments: { macro: required('Id (mac_…) or name of the macro') },
  options: { yes: flag('Do not ask', { short: 'y' }) },
  async run({ client, ask, signal }, { macro: word, yes }) {
    if (!yes) ask.requireTerminal('--yes');
    const { macros } = await client();
    const { id, name, owner } = await findMacro(macros, word, signal);
    await confirmRemoval({ ask }, yes, `the macro “${shownLine(name)}”${owner === 'space' ? ' of the space' : ''}`);
    const { data } = await macros.delete({ params: { id } }, { signal });
    return messageView(`Removed “${shownLine(name)}”.`, data);
  },
});

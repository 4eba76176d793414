import { AppError } from '../../../src/contract/errors.ts';
import { shownLine } from '../../../src/domain/characters.ts';
import { command, flag, required } from '../../command.ts';
import { findMacro } from '../../resources/macro.ts';
import { messageView } from '../../view.ts';

export const remove = command({
  description: 'Documents that the macro came into stay as they are.',
  arguments: { macro: required('Id (mac_…) or name of the macro') },
  options: { yes: flag('Do not ask', { short: 'y' }) },
  async run({ client, ask, signal }, { macro: word, yes }) {
    if (!yes) ask.requireTerminal('--yes');
    const { macros } = await client();
    const { id, name, owner } = await findMacro(macros, word, signal);
    const whose = owner === 'space' ? ' of the space' : '';
    if (!yes && !(await ask.confirm(`Remove the macro “${shownLine(name)}”${whose}?`, '--yes'))) {
      throw new AppError('INTERRUPTED', { message: 'Nothing was removed.' });
    }
    const { data } = await macros.delete({ params: { id } }, { signal });
    return messageView(`Removed “${shownLine(name)}”.`, data);
  },
});

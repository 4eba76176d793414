import { AppError } from '../../../src/contract/errors.ts';
import { counted } from '../../../src/domain/counted.ts';
import { defineCommand, flag, text } from '../../command.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'Everything but the signing key and the built-in test client with its logins. With --space the exams, documents and jobs of that space alone; its clients and people stay unless --accounts takes them too.',
  options: {
    space: text('Only what this space holds', { placeholder: 'NAME' }),
    accounts: flag('Also the clients, people, webhooks and templates of that space'),
    yes: flag('Do not ask', { short: 'y' }),
  },
  async run({ ask, localServer, operator, signal }, { space, accounts, yes }) {
    if (accounts && space === undefined) throw new AppError('USAGE', { message: '--accounts needs --space.' });
    const { data_dir: dataDir } = await localServer();
    const what =
      space === undefined
        ? `everything in ${dataDir}`
        : `what space ${space} holds${accounts ? ', its clients and people included' : ''}`;
    if (!yes && !(await ask.confirm(`Remove ${what}?`, '--yes'))) {
      throw new AppError('INTERRUPTED', { message: 'Nothing was removed.' });
    }
    const { maintenance } = await operator();
    const body = space === undefined ? {} : { space, ...(accounts && { accounts }) };
    const { data } = await maintenance.reset({ body }, { signal });
    const count = Object.values(data.documents).reduce<number>((sum, each) => sum + Number(each), 0);
    return messageView(`Removed ${counted(count, 'document')}.`, data);
  },
});

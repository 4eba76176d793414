import { AppError } from '../../../src/contract/errors.ts';
import { counted } from '../../../src/domain/counted.ts';
import { defineCommand, flag, text } from '../../command.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'Removes everything except the signing key and the built-in test client with its logins. With --space, only the exams, records and jobs of that space; its clients and users stay unless you add --accounts.',
  options: {
    space: text('Only the data of this space', { placeholder: 'NAME' }),
    accounts: flag('Also the clients, users, webhooks and templates of that space'),
    yes: flag('Do not ask', { short: 'y' }),
  },
  async run({ ask, localServer, operator, signal }, { space, accounts, yes }) {
    if (accounts && space === undefined) throw new AppError('USAGE', { message: '--accounts needs --space.' });
    const { data_dir: dataDir } = await localServer();
    const what =
      space === undefined
        ? `everything in ${dataDir}`
        : `the data of space ${space}${accounts ? ', including its clients and users' : ''}`;
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

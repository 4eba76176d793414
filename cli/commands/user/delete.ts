import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, flag } from '../../command.ts';
import { userArgument, userNamed } from '../../resources/user.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'Logs the user out everywhere, and deletes the user’s personal macros and vocabulary. Their reports stay.',
  arguments: userArgument,
  options: { yes: flag('Do not ask', { short: 'y' }) },
  async run({ operator, ask }, { user: word, yes }) {
    const { users } = await operator();
    const { id, username } = await userNamed({ users }, word);
    if (!yes && !(await ask.confirm(`Delete the user ${username}?`, '--yes'))) {
      throw new AppError('INTERRUPTED', { message: 'Nothing was deleted.' });
    }
    const { data } = await users.delete({ params: { id } });
    return messageView(`Deleted ${username}.`, data);
  },
});

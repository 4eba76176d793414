import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, flag, required } from '../../command.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'Its tokens are revoked at once. The data that it sent stays in its space.',
  arguments: { id: required('Id of the partner application', { shown: 'client' }) },
  options: { yes: flag('Do not ask', { short: 'y' }) },
  async run({ operator, ask }, { id, yes }) {
    if (!yes && !(await ask.confirm(`Remove the partner application ${id} and revoke its tokens?`, '--yes'))) {
      throw new AppError('INTERRUPTED', { message: 'Nothing was removed.' });
    }
    const { data } = await (await operator()).clients.delete({ params: { id } });
    return messageView(`Removed ${data.id}.`, data);
  },
});

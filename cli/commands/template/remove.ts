import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, flag, required } from '../../command.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'Existing records don’t change.',
  arguments: { id: required('Id of an own template', { shown: 'template' }) },
  options: { yes: flag('Do not ask', { short: 'y' }) },
  async run({ client, ask, signal }, { id, yes }) {
    if (!yes && !(await ask.confirm(`Remove the template ${id}?`, '--yes'))) {
      throw new AppError('INTERRUPTED', { message: 'Nothing was removed.' });
    }
    const { data } = await (await client()).templates.delete({ params: { id } }, { signal });
    return messageView(`Removed ${data.id}.`, data);
  },
});

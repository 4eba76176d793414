import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, flag, required } from '../../command.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  arguments: { id: required('Id of the record (rec_…)') },
  options: { yes: flag('Do not ask', { short: 'y' }) },
  async run({ client, ask, signal }, { id, yes }) {
    if (!yes && !(await ask.confirm(`Delete ${id} with its versions and its audio?`, '--yes'))) {
      throw new AppError('INTERRUPTED', { message: 'Nothing was deleted.' });
    }
    const { data } = await (await client()).records.delete({ params: { id } }, { signal });
    return messageView(`Deleted ${data.id}.`, data);
  },
});

import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, flag, required } from '../../command.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'Removes its messages too, including waiting and refused ones. Its exams stay.',
  arguments: { channel: required('Name of the channel', { shown: 'channel' }) },
  options: { yes: flag('Do not ask', { short: 'y' }) },
  async run({ operator, ask }, { channel, yes }) {
    if (!yes && !(await ask.confirm(`Remove the channel ${channel} with its messages?`, '--yes'))) {
      throw new AppError('INTERRUPTED', { message: 'Nothing was removed.' });
    }
    const { data } = await (await operator()).channels.remove({ params: { channel } });
    return messageView(`Removed ${channel}.`, data);
  },
});

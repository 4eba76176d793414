import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, required } from '../../command.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'Checks whether the other side answers, without sending patient data.',
  arguments: { channel: required('Name of the channel', { shown: 'channel' }) },
  async run({ operator }, { channel }) {
    const { data } = await (await operator()).channels.test({ params: { channel } });
    if (!data.works) throw new AppError('PARTIAL', { message: data.message });
    return messageView(data.message, data);
  },
});

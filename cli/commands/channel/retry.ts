import { AppError } from '../../../src/contract/errors.ts';
import { command, optional, text } from '../../command.ts';
import { messageDetail, retriedView } from '../../resources/channel.ts';

export const retry = command({
  description:
    'A refused message that came in is read again, with the present settings and mapping of its channel; one that goes out is due at once.',
  arguments: { id: optional('Id of a message (msg_…)') },
  options: { all: text('All refused messages of this channel, the oldest first', { placeholder: 'CHANNEL' }) },
  examples: [['laudio channel retry --all ris', 'after the mapping was mended']],
  async run({ operator }, { id, all }) {
    if ((id === undefined) === (all === undefined)) {
      throw new AppError('USAGE', { message: 'Name a message, or a channel with --all.' });
    }
    const { channels } = await operator();
    if (all !== undefined) return retriedView((await channels.retryAll({ params: { channel: all } })).data);
    return messageDetail((await channels.retry({ params: { id: id! } })).data);
  },
});

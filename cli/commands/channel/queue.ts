import { messageStates } from '../../../src/contract/channel-message.ts';
import { choices, defineCommand, required } from '../../command.ts';
import { pagedList, pagingOptions } from '../../shell/paging.ts';
import { messageColumns } from '../../resources/channel.ts';

export const command = defineCommand({
  description: 'Newest first. Refused messages wait for you: see the reason, fix the cause, and retry them.',
  arguments: { channel: required('Name of the channel', { shown: 'channel' }) },
  options: { state: choices(messageStates, 'Only these'), ...pagingOptions },
  examples: [['laudio channel queue ris --state refused', 'messages that need attention']],
  async run({ operator }, { channel, state, limit, all }) {
    const { channels } = await operator();
    return pagedList(
      { limit, all },
      (paging) => channels.queue({ params: { channel }, query: { ...paging, ...(state.length > 0 && { state }) } }),
      {
        columns: messageColumns,
        empty: state.length > 0 ? 'There are no such messages.' : 'No message was received or sent yet.',
      },
    );
  },
});

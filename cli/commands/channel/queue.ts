import { messageStates } from '../../../src/contract/channel.ts';
import { choices, defineCommand, required } from '../../command.ts';
import { firstItems, limitOption } from '../../shell/paging.ts';
import { messageColumns } from '../../resources/channel.ts';
import { listView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'Newest first. Refused messages wait for you: see the reason, fix the cause, and retry them.',
  arguments: { channel: required('Name of the channel') },
  options: { state: choices(messageStates, 'Only these'), ...limitOption },
  examples: [['laudio channel queue ris --state refused', 'messages that need attention']],
  async run({ operator }, { channel, state, limit }) {
    const { channels } = await operator();
    const { items, note } = await firstItems(limit, (paging) =>
      channels.queue({ params: { channel }, query: { ...paging, ...(state.length > 0 && { state }) } }),
    );
    return listView({
      data: items,
      rows: items,
      columns: messageColumns,
      empty: state.length > 0 ? 'There are no such messages.' : 'No message was received or sent yet.',
      ...(note && { note }),
    });
  },
});

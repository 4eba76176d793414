import { defineCommand } from '../../command.ts';
import { firstItems, limitOption } from '../../shell/paging.ts';
import { channelColumns } from '../../resources/channel.ts';
import { listView } from '../../shell/view.ts';

export const command = defineCommand({
  options: limitOption,
  async run({ operator }, { limit }) {
    const { channels } = await operator();
    const { items, note } = await firstItems(limit, (paging) => channels.list({ query: paging }));
    return listView({
      data: items,
      rows: items,
      columns: channelColumns,
      empty: 'There are no channels. Add one with: laudio channel add',
      ...(note && { note }),
    });
  },
});

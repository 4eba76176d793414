import { defineCommand } from '../../command.ts';
import { pagedList, pagingOptions } from '../../shell/paging.ts';
import { channelColumns } from '../../resources/channel.ts';

export const command = defineCommand({
  options: pagingOptions,
  async run({ operator }, { limit, all }) {
    const { channels } = await operator();
    return pagedList({ limit, all }, (paging) => channels.list({ query: paging }), {
      columns: channelColumns,
      empty: 'There are no channels. Add one with: laudio channel add',
    });
  },
});

import { defineCommand } from '../../command.ts';
import { pagedList, pagingOptions } from '../../shell/paging.ts';
import { openResultList } from '../../resources/critical.ts';

export const command = defineCommand({
  description: 'Newest records first, including signed ones. A result is open until it is communicated or dismissed.',
  options: pagingOptions,
  async run({ client, signal }, { limit, all }) {
    const { records } = await client();
    return pagedList(
      { limit, all },
      (paging) => records.list({ query: { critical: 'open', ...paging } }, { signal }),
      openResultList,
    );
  },
});

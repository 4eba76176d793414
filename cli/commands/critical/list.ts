import { defineCommand } from '../../command.ts';
import { firstItems, limitOption } from '../../shell/paging.ts';
import { openList } from '../../resources/critical.ts';

export const command = defineCommand({
  description: 'Newest records first, including signed ones. A result is open until it is communicated or dismissed.',
  options: limitOption,
  async run({ client, signal }, { limit }) {
    const { records } = await client();
    const { items, note } = await firstItems(limit, (paging) =>
      records.list({ query: { critical: 'open', ...paging } }, { signal }),
    );
    return openList(items, note);
  },
});

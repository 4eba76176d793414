import { defineCommand } from '../../command.ts';
import { firstItems, limitOption } from '../../shell/paging.ts';
import { openList } from '../../resources/critical.ts';

export const command = defineCommand({
  description:
    'The newest documents first, signed ones too. A result is open until somebody was told, or it is dismissed.',
  options: limitOption,
  async run({ client, signal }, { limit }) {
    const { records } = await client();
    const { items, note } = await firstItems(limit, (paging) =>
      records.list({ query: { critical: 'open', ...paging } }, { signal }),
    );
    return openList(items, note);
  },
});

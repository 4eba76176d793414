import { defineCommand } from '../../command.ts';
import { firstItems, limitOption } from '../../shell/paging.ts';
import { localTime } from '../../shell/time.ts';
import { listView } from '../../shell/view.ts';

export const command = defineCommand({
  options: limitOption,
  async run({ operator }, { limit }) {
    const { users } = await operator();
    const { items, note } = await firstItems(limit, (paging) => users.list({ query: paging }));
    return listView({
      data: items,
      rows: items,
      columns: [
        { title: 'ID', value: (user) => user.id, tone: () => 'faint' },
        { title: 'Username', value: (user) => user.username, tone: () => 'strong' },
        { title: 'Name', value: (user) => user.display_name, cut: true },
        { title: 'Role', value: (user) => user.role },
        { title: 'Space', value: (user) => user.space },
        { title: 'Created', value: (user) => localTime(user.created_at) },
      ],
      empty: 'There are no users yet. Create one with: laudio user create NAME',
      ...(note && { note }),
    });
  },
});

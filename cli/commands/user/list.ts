import { defineCommand } from '../../command.ts';
import { pagedList, pagingOptions } from '../../shell/paging.ts';
import { localTime } from '../../shell/time.ts';

export const command = defineCommand({
  options: pagingOptions,
  async run({ operator }, { limit, all }) {
    const { users } = await operator();
    return pagedList({ limit, all }, (paging) => users.list({ query: paging }), {
      columns: [
        { title: 'ID', value: (user) => user.id, tone: () => 'faint' },
        { title: 'Username', value: (user) => user.username, tone: () => 'strong' },
        { title: 'Name', value: (user) => user.display_name, cut: true },
        { title: 'Role', value: (user) => user.role },
        { title: 'Space', value: (user) => user.space },
        { title: 'Created', value: (user) => localTime(user.created_at) },
      ],
      empty: 'There are no users yet. Create one with: laudio user create NAME',
    });
  },
});

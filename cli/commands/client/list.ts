import { defineCommand } from '../../command.ts';
import { pagedList, pagingOptions } from '../../shell/paging.ts';
import { localTime } from '../../shell/time.ts';

export const command = defineCommand({
  options: pagingOptions,
  async run({ operator }, { limit, all }) {
    const { clients } = await operator();
    return pagedList({ limit, all }, (paging) => clients.list({ query: paging }), {
      columns: [
        { title: 'ID', value: (client) => client.id },
        { title: 'Name', value: (client) => client.name, tone: () => 'strong', cut: true },
        {
          title: 'Mode',
          value: (client) => (client.test_mode ? 'test' : 'production'),
          tone: (client) => (client.test_mode ? 'warn' : 'plain'),
        },
        { title: 'Space', value: (client) => client.space },
        { title: 'Registered', value: (client) => localTime(client.created_at), spare: 1 },
        { title: 'Redirect URIs', value: (client) => client.redirect_uris.join(' '), spare: 2 },
      ],
      empty: 'There are no partner applications.',
    });
  },
});

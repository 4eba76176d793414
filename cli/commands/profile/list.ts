import { createProfiles } from '../../../src/node/login/profiles.ts';
import { defineCommand } from '../../command.ts';
import { wholeList, wholeListOptions } from '../../shell/paging.ts';

export const command = defineCommand({
  options: wholeListOptions,
  async run({ paths, clock }, paging) {
    const { current, profiles } = await createProfiles(paths.config, clock).list();
    const rows = profiles.map((profile) => ({ ...profile, current: profile.name === current }));
    return wholeList(paging, rows, {
      columns: [
        { title: ' ', value: (profile) => (profile.current ? '*' : ' '), tone: () => 'good' },
        { title: 'Name', value: (profile) => profile.name, tone: () => 'strong' },
        { title: 'Server', value: (profile) => profile.server },
        { title: 'User', value: (profile) => profile.user, cut: true },
        { title: 'Client', value: (profile) => profile.client_id, spare: 2 },
        {
          title: 'Mode',
          value: (profile) => (profile.test_mode ? 'test' : 'production'),
          tone: (profile) => (profile.test_mode ? 'warn' : 'plain'),
        },
        { title: 'Tokens', value: (profile) => profile.credential_store, spare: 1 },
      ],
      empty: 'There are no logins yet. Log in with: laudio login',
    });
  },
});

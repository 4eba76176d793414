import { defineCommand } from '../command.ts';
import { localTime } from '../shell/time.ts';
import { detailView } from '../shell/view.ts';

export const command = defineCommand({
  async run({ session, signal }) {
    const { client, server, profile, tokenFrom } = await session();
    const { data } = await client.oauth.validate({}, { signal });
    return detailView({
      data: { ...data, server, profile: profile?.name ?? null, tokens_in: tokenFrom },
      fields: [
        ['User', data.user?.display_name ?? 'nobody: the application acts on its own behalf', 'strong'],
        ['Username', data.user?.username],
        ['Role', data.user?.role],
        ['Server', server],
        ['Client', data.client_id],
        ['Scope', data.scope],
        ['Test mode', data.test_mode ? 'yes: simulated, test patients only' : null, 'warn'],
        ['Token until', localTime(data.expires_at)],
        ['Profile', profile?.name],
        ['Tokens', tokenFrom],
      ],
    });
  },
});

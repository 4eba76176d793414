import { createSessions } from '../../src/node/login/session.ts';
import type { SessionsDeps } from '../../src/node/login/session.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { messageView } from '../shell/view.ts';
import type { View } from '../shell/view.ts';

const after = {
  queued: 'A later command will revoke the tokens when the server answers.',
  refused: 'The tokens will expire.',
} as const;

export const command = defineCommand({
  description:
    'Revokes the tokens at the server and deletes them here. If the server is unreachable, a later command revokes them.',
  run: async (context) => endLogin(context, await context.deps()),
});

/** Ends the login of the profile that the settings name. */
export async function endLogin({ io }: Context, deps: SessionsDeps): Promise<View> {
  const { profile, revoked, queued, error } = await createSessions(deps).end();
  if (error) io.notice(`The server did not confirm: ${error.message} ${after[queued ? 'queued' : 'refused']}`, 'warn');
  return messageView(`Logged out of ${profile.server}${revoked ? '; the tokens are revoked' : ''}.`, {
    profile: profile.name,
    server: profile.server,
    revoked,
  });
}

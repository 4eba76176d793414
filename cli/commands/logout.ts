import { createSessions } from '../../src/node/session.ts';
import { command } from '../command.ts';
import { messageView } from '../view.ts';

export const logout = command({
  summary: 'Log out and forget the tokens',
  description:
    'The tokens are revoked at the server and deleted here; where the server cannot be reached, they are deleted all the same.',
  async run({ io, deps }) {
    const { profile, revoked, error } = await createSessions(await deps()).end();
    if (error) io.notice(`The server did not confirm: ${error.message} The tokens end by themselves.`, 'warn');
    return messageView(`Logged out of ${profile.server}${revoked ? '; the tokens are revoked' : ''}.`, {
      profile: profile.name,
      server: profile.server,
      revoked,
    });
  },
});

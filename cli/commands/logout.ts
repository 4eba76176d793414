import { createSessions } from '../../src/node/login/session.ts';
import { command } from '../command.ts';
import { messageView } from '../view.ts';

const after = {
  queued: 'A later command revokes the tokens once it answers.',
  refused: 'The tokens end by themselves.',
} as const;

export const logout = command({
  description:
    'The tokens are revoked at the server and forgotten here; where the server cannot be reached, they are revoked by a later command.',
  async run({ io, deps }) {
    const { profile, revoked, queued, error } = await createSessions(await deps()).end();
    if (error)
      io.notice(`The server did not confirm: ${error.message} ${after[queued ? 'queued' : 'refused']}`, 'warn');
    return messageView(`Logged out of ${profile.server}${revoked ? '; the tokens are revoked' : ''}.`, {
      profile: profile.name,
      server: profile.server,
      revoked,
    });
  },
});

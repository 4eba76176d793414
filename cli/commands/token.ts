import { AppError } from '../../src/contract/errors.ts';
import { defineCommand, flag, text } from '../command.ts';
import { detailView } from '../shell/view.ts';

export const command = defineCommand({
  description:
    'For a pipeline that makes its own calls: the token of the login, or with LAUDIO_CLIENT_ID in the environment a new one of that client. Whoever has the token has the access, so that it goes to a pipe or a file, and not to a terminal, whose history keeps it. With --json also until when it is good.',
  options: {
    scope: text('Fewer scopes, separated by spaces; for a client in the environment', { placeholder: 'SCOPES' }),
    show: flag('Print it to a terminal all the same'),
  },
  examples: [
    ['export LAUDIO_TOKEN="$(laudio token)"', 'one token for all commands that follow, for an hour'],
    ['laudio token --scope worklists:write --json', 'the token with its scopes and its end'],
  ],
  async run({ io, session }, { scope, show }) {
    if (io.toTerminal && !show) {
      throw new AppError('USAGE', {
        message: 'A token is no text for a terminal.',
        hint: 'Send it to a pipe or a file, or use --show.',
      });
    }
    const { server, newToken } = await session();
    const { access_token, expires_at, scope: granted } = await newToken(scope);
    if (io.output !== 'json') return io.out(`${access_token}\n`);
    return detailView({
      data: {
        access_token,
        token_type: 'Bearer',
        scope: granted ?? null,
        expires_at: expires_at === undefined ? null : new Date(expires_at).toISOString(),
        server,
      },
      fields: [],
    });
  },
});

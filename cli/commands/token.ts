import { AppError } from '../../src/contract/errors.ts';
import { refuseMistypedScope } from '../resources/client.ts';
import { defineCommand, flag, text } from '../command.ts';
import { detailView } from '../shell/view.ts';

export const command = defineCommand({
  description:
    'For a pipeline that makes its own calls: the token of the login, or with LAUDIO_CLIENT_ID in the environment a new one of that client. Anyone with the token has access, so it is written to a pipe or file, not to a terminal, which keeps a history. --json adds its expiry time.',
  options: {
    scope: text('Limit to these scopes, separated by spaces; for a client in the environment', {
      placeholder: 'SCOPES',
    }),
    show: flag('Print it even to a terminal'),
  },
  examples: [
    ['export LAUDIO_TOKEN="$(laudio token)"', 'one token for all further commands, for an hour'],
    ['laudio token --scope worklists:write --json', 'the token with its scopes and expiry time'],
  ],
  async run({ io, session }, { scope, show }) {
    refuseMistypedScope(scope);
    if (io.toTerminal && !show) {
      throw new AppError('USAGE', {
        message: 'A token should not be printed to a terminal.',
        hint: 'Redirect it to a pipe or file, or use --show.',
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

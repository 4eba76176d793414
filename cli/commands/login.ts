import { AppError } from '../../src/contract/errors.ts';
import { testClientPrefix } from '../../src/contract/oauth.ts';
import { allScopes } from '../../src/contract/scopes.ts';
import { findServers } from '../../src/node/running-server.ts';
import type { RunningServer } from '../../src/node/running-server.ts';
import type { LoginRequest } from '../../src/node/login/session.ts';
import { refuseMistypedScope } from '../resources/client.ts';
import { defineCommand, flag, text } from '../command.ts';
import type { Context } from '../context.ts';
import { withSettings } from '../shell/choose-setting.ts';
import { readSecret, secretOption } from '../shell/secret.ts';
import { detailView } from '../shell/view.ts';

export const loginOptions = {
  clientId: text('Id of the partner application', { placeholder: 'ID' }),
  scope: text('Scopes, separated by spaces; default: all', { placeholder: 'SCOPES' }),
  manual: flag('Test clients: show the login and consent pages'),
  device: flag('Print a code, and wait until it is entered in a browser anywhere'),
  noBrowser: flag('Print the address, and ask for the browser’s final address'),
  allowInsecureStorage: flag('Store tokens in a file that only you can read, if there is no keychain'),
  ...secretOption,
};

export const command = defineCommand({
  description:
    'With a server running on this computer no options are needed: its test client is used, which is approved without a browser. Otherwise name the server and the client; the browser opens once. Tokens are stored in the system’s keychain.',
  options: loginOptions,
  examples: [
    ['laudio login', 'at the server on this computer, in test mode'],
    ['laudio login --server https://api.example.com --client-id lc_…', 'anywhere else; asks for the client secret'],
    ['laudio login --device --client-id lc_…', 'on a computer without a browser; asks for the client secret'],
  ],
  async run(context, { clientId, scope, manual, device, noBrowser, allowInsecureStorage, secretStdin }) {
    refuseMistypedScope(scope);
    const { io, signal, settings } = context;
    const local = await localServerFor(context);
    const server = settings.server ?? local?.url;
    if (server === undefined) {
      throw new AppError('USAGE', {
        message: 'There is no server to log in to.',
        hint: 'Start one here with "laudio serve", or name one with --server URL.',
      });
    }
    const client = await clientFor(context, local, clientId, secretStdin);
    const deps = await context.deps();
    const { createSessions } = await import('../../src/node/login/session.ts');
    const { profile, tokenFrom } = await createSessions(
      allowInsecureStorage ? withSettings(deps, { credential_store: 'file' }) : deps,
    ).start({
      server,
      client,
      scope: scope ?? allScopes.join(' '),
      manual,
      userAgent: await userAgentFor(context, client.client_id, { manual, device, noBrowser }),
      notify({ event, url, code }) {
        io.noticeAtOnce();
        io.notice(announcements[event](url, code), event === 'open-failed' ? 'warn' : 'plain');
      },
      signal,
    });
    return detailView({
      data: { ...profile, tokens_in: tokenFrom },
      fields: [
        ['Logged in', profile.user, 'good'],
        ['Server', profile.server],
        ['Client', profile.client_id],
        ['Test mode', profile.test_mode ? 'yes: simulated, test patients only' : null, 'warn'],
        ['Profile', profile.name],
        ['Tokens', tokenFrom],
      ],
    });
  },
});

const announcements = {
  open: (url: string) => `Opening the browser. If it doesn’t open, go to\n${url}`,
  'open-failed': () => 'The browser could not be opened: go to the address above.',
  device: (url: string, code = '') => `Go to\n${url}\nin a browser anywhere, and type the code\n${code}`,
  visit: (url: string) => `Go to\n${url}\nand paste the browser’s final address here.`,
};

/** Finds the server on this computer: the one in the settings, or the only one running. */
async function localServerFor({ paths, settings }: Context): Promise<RunningServer | undefined> {
  const servers = await findServers(paths.state);
  if (settings.server !== undefined) return servers.find(({ url }) => url === settings.server);
  const { findServer } = await import('../../src/node/running-server.ts');
  return settings.data_dir !== undefined || servers.length > 0 ? findServer(paths.state, settings.data_dir) : undefined;
}

async function clientFor(
  context: Context,
  local: RunningServer | undefined,
  clientId: string | undefined,
  secretStdin: boolean,
) {
  const known = local?.test_client;
  if (known && (clientId === undefined || clientId === known.client_id)) {
    return { client_id: known.client_id, client_secret: known.client_secret };
  }
  const id = clientId ?? (await context.ask.text('Client id', '--client-id ID'));
  const secret = await readSecret(context, 'Client secret', secretStdin, 'LAUDIO_CLIENT_SECRET');
  return { client_id: id, client_secret: secret };
}

async function userAgentFor(
  { ask, io }: Context,
  clientId: string,
  { manual, device, noBrowser }: Readonly<Record<'manual' | 'device' | 'noBrowser', boolean>>,
): Promise<LoginRequest['userAgent']> {
  if (device) return { kind: 'device' };
  if (noBrowser && !io.interactive)
    throw new AppError('USAGE', { message: '--no-browser needs a terminal, to paste the address.' });
  if (noBrowser) return { kind: 'paste', read: () => ask.text('Address', 'A terminal') };
  if (clientId.startsWith(testClientPrefix) && !manual) return { kind: 'http' };
  const { openInBrowser } = await import('../../src/node/login/oauth-login.ts');
  return { kind: 'browser', open: openInBrowser };
}

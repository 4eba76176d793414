import { allScopes, serverScopes } from '../../../src/contract/scopes.ts';
import { choice, defineCommand, flag, list, text } from '../../command.ts';
import { publicKeyOption, readPublicKeys } from '../../resources/public-keys.ts';
import { clientDetail, parseScopes } from '../../resources/client.ts';

export const command = defineCommand({
  description: 'On the server running on this computer. The secret is shown once.',
  options: {
    name: text('Name on the consent page', { placeholder: 'NAME' }),
    redirectUri: list('Redirect URI for the browser; default: http://127.0.0.1/callback', { placeholder: 'URI' }),
    scope: list(`Default: all (${allScopes.join(', ')}); for type server ${serverScopes.join(', ')}`, {
      placeholder: 'SCOPE',
    }),
    type: choice(['web', 'mobile', 'server'], 'Application type; server: logs in without a person; default: web'),
    ...publicKeyOption,
    test: flag('A test client, with a separate space'),
    space: text('Space whose data it sees; default: local, for a test client its own', { placeholder: 'NAME' }),
  },
  examples: [
    ['laudio client create --name "RIS São Lucas"', 'a client for people who log in from this computer'],
    ['laudio client create --name "RIS São Lucas" --type server', 'a client that logs in with its secret'],
    ['laudio client create --name "RIS São Lucas" --type server --public-key ris.pub', 'the same with its key'],
  ],
  async run({ operator, ask, io }, { name, redirectUri, scope, type, publicKey, test, space }) {
    const scopes = parseScopes(scope);
    const jwks = await readPublicKeys(io, publicKey);
    // A server client has no browser to redirect.
    const redirect_uris = redirectUri.length > 0 || type === 'server' ? redirectUri : ['http://127.0.0.1/callback'];
    const body = {
      name: name ?? (await ask.text('Name of the application', '--name NAME')),
      redirect_uris: [...redirect_uris],
      ...(scopes && { scopes }),
      ...(type && { kind: type }),
      ...(jwks && { jwks }),
      ...(test && { test_mode: true }),
      ...(space !== undefined && { space }),
    };
    const { data } = await (await operator()).clients.create({ body });
    return clientDetail(data);
  },
});

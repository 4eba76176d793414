import { AppError } from '../../../src/contract/errors.ts';
import { allScopes, isScope } from '../../../src/contract/scopes.ts';
import { choice, command, flag, list, text } from '../../command.ts';
import { detailView } from '../../view.ts';

export const create = command({
  description: 'At the server that runs on this computer. The secret is shown once.',
  options: {
    name: text('Name that people read on the consent page', { placeholder: 'NAME' }),
    redirectUri: list('Where the browser comes back to; default: http://127.0.0.1/callback', { placeholder: 'URI' }),
    scope: list(`Default: all (${allScopes.join(', ')})`, { placeholder: 'SCOPE' }),
    kind: choice(['web', 'mobile', 'server'], 'Application type; default: web'),
    test: flag('A test client, with a space of its own'),
    space: text('Whose data it sees; default: local, of a test client its own', { placeholder: 'NAME' }),
  },
  examples: [['laudio client create --name "RIS São Lucas"', 'a client that may log in from this computer']],
  async run({ operator, ask }, { name, redirectUri, scope, kind, test, space }) {
    const unknown = scope.find((word) => !isScope(word));
    if (unknown !== undefined)
      throw new AppError('USAGE', {
        message: `${unknown} is not a scope.`,
        hint: `Scopes are ${allScopes.join(', ')}.`,
      });
    const body = {
      name: name ?? (await ask.text('Name of the application', '--name NAME')),
      redirect_uris: redirectUri.length > 0 ? [...redirectUri] : ['http://127.0.0.1/callback'],
      ...(scope.length > 0 && { scopes: scope.filter(isScope) }),
      ...(kind && { kind }),
      ...(test && { test_mode: true }),
      ...(space !== undefined && { space }),
    };
    const { data } = await (await operator()).clients.create({ body });
    return detailView({
      data,
      fields: [
        ['Client id', data.id, 'strong'],
        ['Client secret', data.secret, 'warn'],
        ['Name', data.name],
        ['Redirect URIs', data.redirect_uris.join(' ')],
        ['Scopes', data.scopes.join(' ')],
        ['Space', data.space],
        ['Test mode', data.test_mode ? 'yes' : 'no'],
      ],
    });
  },
});

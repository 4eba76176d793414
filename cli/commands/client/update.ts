import { AppError } from '../../../src/contract/errors.ts';
import { allScopes } from '../../../src/contract/scopes.ts';
import { defineCommand, list, required, text } from '../../command.ts';
import { publicKeyOption, readPublicKeys } from '../../resources/public-keys.ts';
import { clientDetail, keepOldOption, keptSeconds, parseScopes } from '../../resources/client.ts';

export const command = defineCommand({
  description:
    'Each option replaces all previous values of its kind. Removed scopes are removed from existing tokens at once. To change keys without an outage, first set the old and the new one together, later the new one alone.',
  arguments: { id: required('Id of the partner application', { shown: 'client' }) },
  options: {
    name: text('Name on the consent page', { placeholder: 'NAME' }),
    redirectUri: list('Redirect URI for the browser', { placeholder: 'URI' }),
    scope: list(`Some of ${allScopes.join(', ')}`, { placeholder: 'SCOPE' }),
    ...publicKeyOption,
    keepOld: keepOldOption('How long the old secret keeps working, at most 7d; 0s ends it now'),
  },
  examples: [['laudio client update lc_… --public-key old.pub --public-key new.pub', 'accept both keys']],
  async run({ operator, io }, { id, name, redirectUri, scope, publicKey, keepOld }) {
    const [scopes, jwks] = [parseScopes(scope), await readPublicKeys(io, publicKey)];
    const body = {
      ...(name !== undefined && { name }),
      ...(redirectUri.length > 0 && { redirect_uris: [...redirectUri] }),
      ...(scopes && { scopes }),
      ...(jwks && { jwks }),
      ...keptSeconds(keepOld),
    };
    if (Object.keys(body).length === 0)
      throw new AppError('USAGE', {
        message: 'Name at least one change.',
        hint: 'Use --name, --redirect-uri, --scope, --public-key or --keep-old.',
      });
    return clientDetail((await (await operator()).clients.update({ params: { id }, body })).data);
  },
});

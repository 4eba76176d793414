/** How partner applications are shown, and what their options mean. */
import type { Client } from '../../src/contract/admin.ts';
import { AppError } from '../../src/contract/errors.ts';
import { allScopes, isScope } from '../../src/contract/scopes.ts';
import type { Scope } from '../../src/contract/scopes.ts';
import { detailView } from '../view.ts';
import type { View } from '../view.ts';

export const clientDetail = (client: Client): View =>
  detailView({
    data: client,
    fields: [
      ['Client id', client.id, 'strong'],
      ['Client secret', client.secret, 'warn'],
      ['Name', client.name],
      ['Type', client.kind],
      ['Keys', client.jwks?.keys.map(({ kid, alg }) => `${String(kid)} (${String(alg)})`).join(' ')],
      ['Redirect URIs', client.redirect_uris.join(' ') || null],
      ['Scopes', client.scopes.join(' ')],
      ['Space', client.space],
      ['Test mode', client.test_mode ? 'yes' : 'no'],
    ],
  });

/** The scopes of an option that may be repeated, or hold several; `undefined` where it was not given. */
export function scopesOf(values: readonly string[]): Scope[] | undefined {
  const words = values.flatMap((value) => value.split(/[\s,]+/)).filter((word) => word !== '');
  const unknown = words.find((word) => !isScope(word));
  if (unknown !== undefined)
    throw new AppError('USAGE', {
      message: `${unknown} is not a scope.`,
      hint: `Scopes are ${allScopes.join(', ')}.`,
    });
  return words.length > 0 ? words.filter(isScope) : undefined;
}

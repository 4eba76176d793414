import { matchesRedirectUri } from '../../../src/domain/redirect-uri.ts';
import { requireChecked } from '../exchange.ts';
import type { Exchange, CheckResults } from '../exchange.ts';
import { oauthError } from '../../http/oauth-error.ts';

/** RFC 6749 3.1.2.3, RFC 9700 2.1, RFC 8252 7.3. After this check, errors are sent to the client. */
export function checkRedirectUri(exchange: Exchange): Partial<CheckResults> {
  const { redirect_uri } = exchange.params;
  if (redirect_uri === undefined) throw oauthError('invalid_request', 'redirect_uri is missing or repeated');
  if (
    !requireChecked(exchange, 'client').redirect_uris.some((registered) => matchesRedirectUri(registered, redirect_uri))
  ) {
    throw oauthError('invalid_request', 'redirect_uri is not one that this client registered');
  }
  return { redirect_uri };
}

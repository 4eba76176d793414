import { grantTypes } from '../../../src/contract/oauth.ts';
import { requireChecked } from '../exchange.ts';
import type { Exchange, CheckResults } from '../exchange.ts';
import { oauthError } from '../../http/oauth-error.ts';

/** RFC 6749 4.1.3, 4.4, 6. */
export function checkGrantType(exchange: Exchange): Partial<CheckResults> {
  const asked = exchange.params.grant_type;
  if (asked === undefined) throw oauthError('invalid_request', 'grant_type is missing');
  const grant_type = grantTypes.find((known) => known === asked);
  if (!grant_type) throw oauthError('unsupported_grant_type', `grant_type must be ${grantTypes.join(' or ')}`);
  if (grant_type === 'client_credentials' && requireChecked(exchange, 'client').kind !== 'server') {
    throw oauthError('unauthorized_client', 'client_credentials is for clients of kind server; this one needs a user');
  }
  return { grant_type };
}

import { deviceGrantType } from '../../../src/contract/oauth.ts';
import type { GrantType } from '../../../src/contract/oauth.ts';
import { requireChecked } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import { oauthError } from '../../http/oauth-error.ts';

const needed: Readonly<Record<GrantType, readonly string[]>> = {
  authorization_code: ['code', 'redirect_uri'],
  refresh_token: ['refresh_token'],
  client_credentials: [],
  [deviceGrantType]: ['device_code'],
};

/** RFC 6749 4.1.3, 4.4.2, 6, RFC 8628 3.4: the parameters that each grant requires. */
export function checkGrantParameters(exchange: Exchange): void {
  const missing = needed[requireChecked(exchange, 'grant_type')].find((name) => exchange.params[name] === undefined);
  if (missing !== undefined) throw oauthError('invalid_request', `${missing} is missing`);
}

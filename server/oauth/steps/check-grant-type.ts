import type { Exchange, Checked } from '../exchange.ts';
import { oauthError } from '../oauth-error.ts';

/** RFC 6749 4.1.3, 6. */
export function checkGrantType({ params }: Exchange): Partial<Checked> {
  const { grant_type } = params;
  if (grant_type === undefined) throw oauthError('invalid_request', 'grant_type is missing');
  if (grant_type !== 'authorization_code' && grant_type !== 'refresh_token') {
    throw oauthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }
  return { grant_type };
}

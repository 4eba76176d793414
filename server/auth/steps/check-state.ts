import type { Exchange, CheckResults } from '../exchange.ts';
import { oauthError } from '../../http/oauth-error.ts';

/** Specification 4.1: `state` is required (RFC 6749 10.12). */
export function checkState({ params }: Exchange): Partial<CheckResults> {
  if (params.state === undefined) throw oauthError('invalid_request', 'state is missing');
  return { state: params.state };
}

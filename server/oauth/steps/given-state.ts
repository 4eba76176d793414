import type { Exchange, Findings } from '../exchange.ts';
import { oauthError } from '../oauth-error.ts';

/** Specification 4.1: `state` is required (RFC 6749 10.12). */
export function givenState({ params }: Exchange): Partial<Findings> {
  if (params.state === undefined) throw oauthError('invalid_request', 'state is missing');
  return { state: params.state };
}

import type { Exchange } from '../exchange.ts';
import { oauthError } from '../../http/oauth-error.ts';

/** RFC 6749 3.1.1: only the code flow is supported. */
export function checkResponseType({ params }: Exchange): void {
  if (params.response_type === undefined) throw oauthError('invalid_request', 'response_type is missing');
  if (params.response_type !== 'code') throw oauthError('unsupported_response_type', 'response_type must be code');
}

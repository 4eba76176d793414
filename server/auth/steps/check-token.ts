import type { Exchange } from '../exchange.ts';
import { oauthError } from '../../http/oauth-error.ts';

/** RFC 7009 2.1. */
export function checkToken({ params }: Exchange): void {
  if (params.token === undefined) throw oauthError('invalid_request', 'token is missing');
}

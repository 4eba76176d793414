import type { Exchange } from '../exchange.ts';
import { oauthError } from '../../http/oauth-error.ts';

/** RFC 6749 3.1: parameters must not be included more than once. */
export function checkRepetition({ repeated }: Exchange): void {
  if (repeated[0] !== undefined) throw oauthError('invalid_request', `${repeated[0].slice(0, 40)} is repeated`);
}

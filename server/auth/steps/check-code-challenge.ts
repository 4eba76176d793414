import { requireChecked } from '../exchange.ts';
import type { Exchange, CheckResults } from '../exchange.ts';
import { oauthError } from '../../http/oauth-error.ts';

/**
 * RFC 7636 4.3, 4.4.1: only S256; a challenge without a method would mean `plain`. RFC 9700 2.1.1: an app that
 * people install must send one, since whatever secret ships with it is none.
 */
export function checkCodeChallenge(exchange: Exchange): Partial<CheckResults> {
  const { code_challenge, code_challenge_method } = exchange.params;
  if (code_challenge === undefined) {
    if (code_challenge_method !== undefined) throw oauthError('invalid_request', 'code_challenge is missing');
    const { kind, test_mode } = requireChecked(exchange, 'client');
    if (kind === 'mobile' && !test_mode)
      throw oauthError('invalid_request', 'code_challenge is missing; a mobile application must use PKCE with S256');
    return { code_challenge: null };
  }
  if (code_challenge_method !== 'S256') throw oauthError('invalid_request', 'code_challenge_method must be S256');
  if (!/^[A-Za-z0-9_-]{43}$/.test(code_challenge)) {
    throw oauthError('invalid_request', 'code_challenge must be a SHA-256 in base64url, 43 characters');
  }
  return { code_challenge };
}

/** The checks of single parameters, in the order of the table in index.ts. */
import { deviceGrantType, grantTypes, isTestClient } from '../../../src/contract/oauth.ts';
import type { GrantType } from '../../../src/contract/oauth.ts';
import { matchesRedirectUri } from '../../../src/domain/redirect-uri.ts';
import { oauthError } from '../../http/oauth-error.ts';
import { requireChecked } from '../exchange.ts';
import type { CheckResults, Exchange } from '../exchange.ts';

/** RFC 6749 3.1.2.4, 4.1.2.1: the client must be known before anything is sent anywhere. */
export async function identifyClient({ params, server }: Exchange): Promise<Partial<CheckResults>> {
  if (params.client_id === undefined) throw oauthError('invalid_request', 'client_id is missing or repeated');
  const client = await server.services.store.get('clients', params.client_id);
  if (!client) throw oauthError('invalid_client', 'client_id is not registered here');
  return { client };
}

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

/** RFC 6749 3.1: parameters must not be included more than once. */
export function checkRepetition({ repeated }: Exchange): void {
  if (repeated[0] !== undefined) throw oauthError('invalid_request', `${repeated[0].slice(0, 40)} is repeated`);
}

/** Specification 4.1: `state` is required (RFC 6749 10.12). */
export function checkState({ params }: Exchange): Partial<CheckResults> {
  if (params.state === undefined) throw oauthError('invalid_request', 'state is missing');
  return { state: params.state };
}

/** RFC 6749 3.1.1: only the code flow is supported. */
export function checkResponseType({ params }: Exchange): void {
  if (params.response_type === undefined) throw oauthError('invalid_request', 'response_type is missing');
  if (params.response_type !== 'code') throw oauthError('unsupported_response_type', 'response_type must be code');
}

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

/** Specification, section 1: test clients are approved at once, or use the full flow with `test_mode=manual`. */
export function checkTestMode(exchange: Exchange): Partial<CheckResults> {
  const { test_mode } = exchange.params;
  const isTest = isTestClient(requireChecked(exchange, 'client').id);
  if (test_mode !== undefined && !isTest) throw oauthError('invalid_request', 'test_mode is for test clients');
  if (test_mode !== undefined && test_mode !== 'manual')
    throw oauthError('invalid_request', 'test_mode must be manual');
  return { interactive: !isTest || test_mode === 'manual' };
}

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

/** RFC 7009 2.1. */
export function checkToken({ params }: Exchange): void {
  if (params.token === undefined) throw oauthError('invalid_request', 'token is missing');
}

/**
 * An authorization (RFC 6749 4.1, 7636, 9207): builds the address for the person's browser, and turns the redirect into
 * tokens. The caller opens the browser and waits for the redirect.
 */
import type { Sentence } from '../../contract/messages/message.ts';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { buildAddress, normaliseServer } from '../../client/address.ts';
import { createCaller } from '../../client/client.ts';
import type { ClientOptions } from '../../client/client.ts';
import { AppError } from '../../contract/errors.ts';
import { contract } from '../../contract/index.ts';
import type { Language } from '../../contract/shared.ts';
import type { Credentials } from './credential-store.ts';
import { createTokenEndpoint } from './oauth-tokens.ts';
import type { OAuthClient } from './oauth-tokens.ts';

export interface AuthorizationRequest {
  readonly client: OAuthClient;
  /** Space-separated. */
  readonly scope: string;
  readonly redirectUri: string;
  /** Test clients only: asks for the login and consent pages. */
  readonly manual: boolean;
  /** The preferred language of the pages; default: the browser's. */
  readonly language?: Language | undefined;
}

/** The state of an authorization until the browser returns. Plain data: a browser may carry it, sealed. */
export interface PendingAuthorization {
  /** Secret that the redirect must repeat; nobody else knows it. */
  readonly state: string;
  readonly code_verifier: string;
  readonly redirect_uri: string;
  readonly issuer: Issuer;
}

/** Asks the server only for its name. `url`: the authorization page. */
export async function beginAuthorization(
  http: ClientOptions,
  request: AuthorizationRequest,
): Promise<{ readonly url: string; readonly pending: PendingAuthorization }> {
  const server = normaliseServer(http.server);
  const pending = {
    state: randomBytes(24).toString('base64url'),
    code_verifier: randomBytes(32).toString('base64url'),
    redirect_uri: request.redirectUri,
    issuer: await findIssuer(http, server),
  };
  const url = buildAddress(server, contract.oauth.endpoints.authorize.path, {
    query: {
      response_type: 'code',
      client_id: request.client.client_id,
      redirect_uri: pending.redirect_uri,
      scope: request.scope,
      state: pending.state,
      code_challenge: createHash('sha256').update(pending.code_verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(request.manual && { test_mode: 'manual' }),
      ...(request.language !== undefined && { ui_locales: request.language }),
    },
  });
  return { url, pending };
}

export interface AuthorizationAnswer {
  readonly client: OAuthClient;
  readonly pending: PendingAuthorization;
  /** The query of the redirect. */
  readonly query: URLSearchParams;
  /** The person's next step after a failure. */
  readonly hint: Sentence;
}

/** Throws LOGIN_FAILED with the reason, NETWORK or BAD_ANSWER. */
export async function finishAuthorization(
  http: ClientOptions,
  { client, pending, query, hint }: AuthorizationAnswer,
): Promise<Credentials> {
  const { state, issuer, code_verifier, redirect_uri } = pending;
  const code = codeFrom(query, state, issuer, hint);
  return createTokenEndpoint(http, client).exchange({ code, redirect_uri, code_verifier });
}

interface Issuer {
  readonly name: string;
  /** Whether the redirect must name the issuer (RFC 9207 2.4). */
  readonly required: boolean;
}

/** Takes the issuer from the server's metadata (RFC 8414); without metadata, the server's address. */
async function findIssuer(http: ClientOptions, server: string): Promise<Issuer> {
  const metadata = await createCaller(http)(contract.oauth.endpoints.metadata).catch((error: unknown) => {
    if (error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'BAD_ANSWER')) return undefined;
    throw error;
  });
  if (!metadata || !('data' in metadata)) return { name: server, required: false };
  const { issuer, authorization_response_iss_parameter_supported: required } = metadata.data as Record<string, unknown>;
  if (typeof issuer !== 'string' || issuer.replace(/\/$/, '') !== server) {
    throw new AppError('LOGIN_FAILED', {
      message: `The server at ${server} calls itself by another address.`,
      hint: 'Use that address instead.',
      details: { issuer: String(issuer).slice(0, 200) },
    });
  }
  return { name: issuer, required: required === true };
}

/** The authorization code of a redirect, after checking that it answers our request. */
function codeFrom(query: URLSearchParams, state: string, issuer: Issuer, hint: Sentence): string {
  const refuse = (message: string, details?: Record<string, unknown>): never => {
    throw new AppError('LOGIN_FAILED', { message, hint, ...(details && { details }) });
  };
  // RFC 6749 3.1: parameters must not be included more than once.
  for (const name of ['code', 'state', 'iss', 'error']) {
    if (query.getAll(name).length > 1) refuse('The answer to the login is ambiguous.');
  }
  if (!sameText(query.get('state') ?? '', state))
    refuse('The answer belongs to another login (its state is not ours).');
  const iss = query.get('iss');
  if (iss === null ? issuer.required : iss !== issuer.name)
    refuse('The answer came from another server (its issuer is not ours).');
  const error = query.get('error');
  if (error !== null) {
    const words = (query.get('error_description') ?? error).replace(/[^\x20-\x7e\u00a0-\u024f]/g, ' ').slice(0, 300);
    refuse(error === 'access_denied' ? 'The login was declined.' : `The server refused the login: ${words}.`, {
      oauth_error: error.replace(/[^\x20-\x7e]/g, ' ').slice(0, 100),
    });
  }
  return query.get('code') || refuse('The answer to the login holds no code.');
}

/** Compares in constant time; hashes make the lengths equal. */
const sameText = (a: string, b: string): boolean => timingSafeEqual(digestOf(a), digestOf(b));
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

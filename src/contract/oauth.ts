/**
 * Authorization (specification 4.1, 5): OAuth 2.0 authorization code flow with PKCE. Answers have the shapes of
 * RFC 6749, 7009, 7517 and 8414; only `validate` has the envelope.
 */
import { endpoint, group } from './endpoint.ts';
import { array, boolean, freeForm, integer, literal, named, object, oneOf, string, timestamp } from './schema.ts';
import type { TypeOf } from './schema.ts';

export const accessTokenSeconds = 3600;
export const codeSeconds = 60;
export const refreshTokenSeconds = 30 * 24 * 3600;

/** Clients of test mode are told by their id (specification, section 1). */
export const testClientPrefix = 'test_tc_';
export const testSecretPrefix = 'test_tcs_';
export const isTestClient = (clientId: string): boolean => clientId.startsWith(testClientPrefix);

export const TokenResponse = named(
  'TokenResponse',
  object(
    {
      access_token: string({ description: 'JWT.' }),
      token_type: literal('Bearer'),
      expires_in: integer({ minimum: 1, description: 'Seconds.', examples: [accessTokenSeconds] }),
      scope: string({ description: 'Space-separated granted scopes.' }),
    },
    { refresh_token: string({ description: 'Replaces the one used.' }) },
  ),
);
export type TokenResponse = TypeOf<typeof TokenResponse>;

/** RFC 6749 5.2. */
export const OAuthErrorBody = named(
  'OAuthError',
  object({ error: string({ examples: ['invalid_grant'] }) }, { error_description: string() }),
);

export const Validation = named(
  'Validation',
  object({
    valid: literal(true),
    client_id: string(),
    user: object({ id: string(), username: string(), display_name: string() }),
    scope: string(),
    test_mode: boolean(),
    expires_at: timestamp('When the token expires.'),
    expires_in: integer({ description: 'Seconds until then.' }),
  }),
);
export type Validation = TypeOf<typeof Validation>;

const clientCredentials = { client_id: string(), client_secret: string() };

export const oauth = group({
  title: 'Authorization',
  description: 'OAuth 2.0 authorization code flow.',
  endpoints: {
    authorize: endpoint({
      method: 'GET',
      path: '/api/oauth/authorize',
      summary: 'Ask for authorization',
      description:
        'A browser is sent here and comes back to `redirect_uri` with `code`, `state` and `iss`, or with `error`, `error_description`, `state` and `iss`. An unknown client or an unmatched redirect URI gets an error page instead.',
      access: 'public',
      checksOwnInput: true,
      query: object(
        {
          response_type: literal('code'),
          client_id: string(),
          redirect_uri: string(),
          scope: string(),
          state: string(),
        },
        {
          test_mode: literal('manual', { description: 'Test clients only: the full flow with login and consent.' }),
          code_challenge: string({ description: 'PKCE (RFC 7636).' }),
          code_challenge_method: literal('S256'),
        },
      ),
      answer: ['text/html'],
      responses: { 303: string({ description: 'Redirect to `redirect_uri`, or to the login page.' }) },
    }),
    token: endpoint({
      method: 'POST',
      path: '/api/oauth/token',
      summary: 'Get tokens for a code or a refresh token',
      description: 'Client credentials in the body, or by HTTP Basic.',
      access: 'client',
      checksOwnInput: true,
      body: object(
        { grant_type: oneOf(['authorization_code', 'refresh_token']), ...clientCredentials },
        { code: string(), redirect_uri: string(), code_verifier: string(), refresh_token: string(), scope: string() },
      ),
      bodyTypes: ['application/x-www-form-urlencoded'],
      answer: 'plain',
      responses: { 200: TokenResponse },
    }),
    revoke: endpoint({
      method: 'POST',
      path: '/api/oauth/revoke',
      summary: 'Revoke a token',
      description: 'RFC 7009: an unknown token is a 200 too. A revoked refresh token ends its access tokens.',
      access: 'client',
      checksOwnInput: true,
      body: object(
        { token: string(), ...clientCredentials },
        { token_type_hint: oneOf(['access_token', 'refresh_token']) },
      ),
      bodyTypes: ['application/x-www-form-urlencoded'],
      answer: 'plain',
      responses: { 200: named('Empty', object({})) },
    }),
    validate: endpoint({
      method: 'GET',
      path: '/api/oauth/validate',
      summary: 'Validate the access token sent',
      access: 'bearer',
      answer: 'envelope',
      responses: { 200: Validation },
    }),
    metadata: endpoint({
      method: 'GET',
      path: '/.well-known/oauth-authorization-server',
      summary: 'Authorization server metadata (RFC 8414)',
      access: 'public',
      answer: 'plain',
      responses: { 200: named('AuthorizationServerMetadata', freeForm()) },
      extension: true,
    }),
    jwks: endpoint({
      method: 'GET',
      path: '/api/oauth/jwks',
      summary: 'Public keys of the access tokens (RFC 7517)',
      access: 'public',
      answer: 'plain',
      responses: { 200: named('JsonWebKeySet', object({ keys: array(freeForm()) })) },
      extension: true,
    }),
  },
});

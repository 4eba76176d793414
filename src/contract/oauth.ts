/**
 * Authorization (specification 4.1, 5): OAuth 2.0 authorization code flow with PKCE, and client credentials for servers.
 * Answers have the shapes of RFC 6749, 7009, 7517 and 8414; only `validate` has the envelope.
 */
import { endpoint, group } from './endpoint.ts';
import {
  array,
  boolean,
  freeForm,
  integer,
  literal,
  meanings,
  named,
  nullable,
  object,
  oneOf,
  string,
  timestamp,
} from './schema.ts';
import type { TypeOf } from './schema.ts';
import { UserRole } from './admin.ts';
import { ClientId, UserId } from './shared.ts';

export const accessTokenSeconds = 3600;
export const codeSeconds = 60;
export const refreshTokenSeconds = 30 * 24 * 3600;
/** Lifetime of a device code, and the shortest polling interval. */
export const deviceCodeSeconds = 600;
export const devicePollSeconds = 5;
/** The longest lifetime of a client's assertion. */
export const assertionSeconds = 300;

/** RFC 7523 2.2. */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** The algorithms of the keys that a client may register; the client's key decides which of them it signs with. */
export const assertionAlgorithms = ['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'RS256', 'PS256'] as const;

/** The id of a client says whether it is a test client (specification, section 1). */
export const testClientPrefix = 'test_tc_';
/** The test client that every server has unless its operator turned it off. */
export const builtInClientId = `${testClientPrefix}local`;
export const testSecretPrefix = 'test_tcs_';
export const isTestClient = (clientId: string): boolean => clientId.startsWith(testClientPrefix);

const grantedScope = string({
  description: 'The granted scopes, separated by spaces.',
  examples: ['worklists:write jobs:read'],
});

export const TokenResponse = named(
  'TokenResponse',
  object(
    {
      access_token: string({
        description: 'The access token, a signed JWT. Send it as `Authorization: Bearer …` with each call.',
      }),
      token_type: literal('Bearer', { description: 'Always `Bearer`.' }),
      expires_in: integer({
        minimum: 1,
        description: 'Seconds until the access token expires.',
        examples: [accessTokenSeconds],
      }),
      scope: grantedScope,
    },
    {
      refresh_token: string({
        description:
          'Get the next access token with it. It is valid for 30 days and for one use; it replaces the refresh token that you sent. Client credentials give none: send them again.',
      }),
      'hub.url': string({
        description:
          'The FHIRcast hub of this server; only with a scope of FHIRcast. Applications of one workplace follow each other there.',
        examples: ['https://laudio.example.com/fhircast'],
      }),
      'hub.topic': string({
        description: 'The topic of the person in that hub.',
        examples: ['cmVkIGJsdWUgZ3JlZW4geQ'],
      }),
    },
  ),
  'Tokens for a partner application (RFC 6749 5.1).',
);
export type TokenResponse = TypeOf<typeof TokenResponse>;

/** RFC 6749 5.2. */
export const OAuthErrorBody = named(
  'OAuthError',
  object(
    { error: string({ description: 'Error code of RFC 6749 5.2 or RFC 7009 2.2.1.', examples: ['invalid_grant'] }) },
    { error_description: string({ description: 'What went wrong, for the developer.' }) },
  ),
  'Why the authorization server refused a request (RFC 6749 5.2).',
);

export const DeviceAuthorization = named(
  'DeviceAuthorization',
  object({
    device_code: string({ description: 'The secret of the device; ask the token endpoint with it.' }),
    user_code: string({
      description: 'What the person types, in any case, with or without the dash.',
      examples: ['WDJB-MJHT'],
    }),
    verification_uri: string({ description: 'Where the person types it.' }),
    verification_uri_complete: string({ description: 'The same with the code, for a link or a QR code.' }),
    expires_in: integer({ minimum: 1, description: 'Seconds until both codes end.', examples: [deviceCodeSeconds] }),
    interval: integer({
      minimum: 1,
      description: 'Seconds to wait between two requests to the token endpoint.',
      examples: [devicePollSeconds],
    }),
  }),
  'Codes for a device without a browser (RFC 8628 3.2).',
);
export type DeviceAuthorization = TypeOf<typeof DeviceAuthorization>;

export const Validation = named(
  'Validation',
  object(
    {
      valid: literal(true, { description: 'The access token is valid; for any other the answer is 401.' }),
      client_id: ClientId,
      user: nullable(
        object(
          {
            id: UserId,
            username: string({ description: 'Name with which the user logs in.', examples: ['helena'] }),
            display_name: string({ description: 'Name that other people see.', examples: ['Dra. Helena Prado'] }),
          },
          { role: UserRole },
          {
            description:
              'The user who authorized the application; `null` where the application got the token by its own credentials.',
          },
        ),
      ),
      scope: grantedScope,
      test_mode: boolean({ description: 'Whether the application is a test client.' }),
      expires_at: timestamp('When the access token expires.'),
      expires_in: integer({ description: 'Seconds until the access token expires.', examples: [accessTokenSeconds] }),
    },
    {
      hub: object(
        {
          url: string({
            description: 'The FHIRcast hub of this server.',
            examples: ['https://laudio.example.com/fhircast'],
          }),
          topic: string({ description: 'The topic of the person in that hub.', examples: ['cmVkIGJsdWUgZ3JlZW4geQ'] }),
        },
        {},
        { description: 'Where the applications of the person follow each other; only with a scope of FHIRcast.' },
      ),
    },
  ),
  'Whose access token it is, and what it allows.',
);
export type Validation = TypeOf<typeof Validation>;

/**
 * The authentication of a client: by its secret (RFC 6749 2.3.1) or by an assertion that its key signed (RFC 7523 2.2).
 */
const clientProof = {
  client_secret: string({
    description:
      'Secret of the partner application. HTTP Basic may carry it instead. An application with a registered key sends `client_assertion` instead.',
  }),
  client_assertion_type: literal(assertionType, { description: 'Always this text, with `client_assertion`.' }),
  client_assertion: string({
    description:
      'A JWT signed by the key of the application (RFC 7523): `iss` and `sub` its client id, `aud` the issuer or the address of the token endpoint, `exp` within 5 minutes, `jti` new each time.',
  }),
};
const redirectUri = string({
  description: 'Where the browser returns to; one of the registered redirect URIs of the application.',
  examples: ['http://127.0.0.1:8000/callback'],
});

/** RFC 8628 3.4. */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';
export const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials', deviceGrantType] as const;
export type GrantType = (typeof grantTypes)[number];

export const oauth = group({
  title: 'Authorization',
  description:
    'OAuth 2.0: a user authorizes a partner application, which gets tokens; or a server gets tokens by its own credentials.',
  endpoints: {
    authorize: endpoint({
      method: 'GET',
      path: '/api/oauth/authorize',
      summary: 'Ask for authorization',
      description:
        'Send the browser of the user here. It returns to `redirect_uri` with `code`, `state` and `iss`, or with `error`, `error_description`, `state` and `iss`. An unknown client or an unmatched redirect URI gets an error page instead.',
      access: 'public',
      checksOwnInput: true,
      query: object(
        {
          response_type: literal('code', { description: 'Always `code`.' }),
          client_id: ClientId,
          redirect_uri: redirectUri,
          scope: string({
            description: 'The scopes that the application asks for, separated by spaces.',
            examples: ['worklists:write jobs:read'],
          }),
          state: string({
            description:
              'A random text of the application. It returns with the answer; refuse an answer with another `state` (CSRF).',
            examples: ['x7Qm2fV9kT'],
          }),
        },
        {
          test_mode: literal('manual', {
            description:
              '`manual` shows the login and the consent page to a test client, which is approved at once otherwise.',
          }),
          code_challenge: string({ description: 'PKCE (RFC 7636): the SHA-256 of `code_verifier` in base64url.' }),
          code_challenge_method: literal('S256', { description: 'Always `S256`, with `code_challenge`.' }),
        },
      ),
      answer: ['text/html'],
      responses: { 303: string({ description: 'Redirect to `redirect_uri`, or to the login page.' }) },
      headers: { 303: ['Location'] },
    }),
    token: endpoint({
      method: 'POST',
      path: '/api/oauth/token',
      summary: 'Get tokens for a code, a refresh token or client credentials',
      description:
        'Exchange the code of the redirect within 60 seconds, once. Later exchange the refresh token for new tokens, before or after the access token expired. A partner application of kind `server` gets an access token by its own credentials, without a user.',
      access: 'client',
      checksOwnInput: true,
      body: object(
        {
          grant_type: oneOf(grantTypes, {
            description: meanings('What is exchanged for tokens.', {
              authorization_code: 'the `code` of a redirect',
              refresh_token: 'a `refresh_token`',
              client_credentials: 'nothing: the application itself gets an access token',
              [deviceGrantType]: 'the `device_code` of a device, once a person has approved it',
            }),
          }),
          client_id: ClientId,
        },
        {
          ...clientProof,
          code: string({ description: 'The code of the redirect. Required with `authorization_code`.' }),
          redirect_uri: {
            ...redirectUri,
            description: 'The redirect URI of the authorization request. Required with `authorization_code`.',
          },
          code_verifier: string({
            description: 'PKCE (RFC 7636): required where the authorization request had a `code_challenge`.',
          }),
          refresh_token: string({ description: 'The newest refresh token. Required with `refresh_token`.' }),
          device_code: string({ description: 'The code of the device. Required for devices.' }),
          scope: string({
            description:
              'With `refresh_token` or `client_credentials`: fewer scopes for the new access token, separated by spaces. Default: all that were granted, or all of the application.',
          }),
        },
      ),
      bodyTypes: ['application/x-www-form-urlencoded'],
      answer: 'plain',
      responses: { 200: TokenResponse },
    }),
    deviceAuthorization: endpoint({
      method: 'POST',
      path: '/api/oauth/device_authorization',
      summary: 'Ask for codes for a device without a browser (RFC 8628)',
      description:
        'Show `user_code` and `verification_uri` to the person, who approves in a browser anywhere. Meanwhile ask the token endpoint with `device_code` every `interval` seconds: `authorization_pending` until the person decides, `slow_down` if you ask too often (wait 5 seconds longer from then on), `access_denied` or `expired_token` at the end.',
      access: 'client',
      checksOwnInput: true,
      body: object(
        { client_id: ClientId },
        {
          ...clientProof,
          scope: string({
            description: 'The scopes that the device asks for, separated by spaces. Default: all of the application.',
          }),
          test_mode: literal('manual', {
            description: '`manual` lets a person decide for a test client too, which is approved at once otherwise.',
          }),
        },
      ),
      bodyTypes: ['application/x-www-form-urlencoded'],
      answer: 'plain',
      responses: { 200: DeviceAuthorization },
      extension: true,
    }),
    revoke: endpoint({
      method: 'POST',
      path: '/api/oauth/revoke',
      summary: 'Revoke a token',
      description:
        'RFC 7009. Revoking a refresh token also revokes its access tokens. The answer is 200 even if nobody knows the token.',
      access: 'client',
      checksOwnInput: true,
      body: object(
        { token: string({ description: 'The access token or refresh token to revoke.' }), client_id: ClientId },
        {
          ...clientProof,
          token_type_hint: oneOf(['access_token', 'refresh_token'], {
            description:
              'Kind of the token: `access_token` or `refresh_token`. The service finds the token without it too.',
          }),
        },
      ),
      bodyTypes: ['application/x-www-form-urlencoded'],
      answer: 'plain',
      responses: { 200: named('Empty', object({}), 'An empty object.') },
    }),
    validate: endpoint({
      method: 'GET',
      path: '/api/oauth/validate',
      summary: 'Validate an access token',
      description: 'Says whose the access token of this call is: the simplest test of a connection.',
      access: 'bearer',
      answer: 'envelope',
      responses: { 200: Validation },
    }),
    metadata: endpoint({
      method: 'GET',
      path: '/.well-known/oauth-authorization-server',
      summary: 'Get the authorization server metadata (RFC 8414)',
      description: 'OAuth libraries configure themselves by it.',
      access: 'public',
      answer: 'plain',
      responses: { 200: named('AuthorizationServerMetadata', freeForm({ description: 'The fields of RFC 8414 2.' })) },
      extension: true,
    }),
    jwks: endpoint({
      method: 'GET',
      path: '/api/oauth/jwks',
      summary: 'Get the public keys of the access tokens (RFC 7517)',
      description: 'A resource server of your own verifies the signatures of access tokens with them.',
      access: 'public',
      answer: 'plain',
      responses: {
        200: named(
          'JsonWebKeySet',
          object({
            keys: array(freeForm({ description: 'A public key as a JWK.' }), { description: 'The public keys.' }),
          }),
          'Public keys as JSON Web Keys (RFC 7517).',
        ),
      },
      extension: true,
    }),
  },
});

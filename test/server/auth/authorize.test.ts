/** GET /api/oauth/authorize: specification 4.1, RFC 6749 4.1.1–4.1.2, RFC 9207, RFC 9700. */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  authorizeUrl,
  createAuthorizationApp,
  putProductionClient,
  redirectOf,
} from '../../support/authorization-app.ts';
import type { AuthorizationApp } from '../../support/authorization-app.ts';

const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const issuer = 'http://localhost:80';
let server: AuthorizationApp;
beforeAll(async () => {
  server = await createAuthorizationApp();
});
const authorize = (changes: Readonly<Record<string, string | undefined>>, suffix = '') =>
  server.app.inject(authorizeUrl(changes) + suffix);

test('a test client is approved at once: 303 with code, the exact state and iss', async () => {
  const answer = await authorize({ code_challenge: challenge, code_challenge_method: 'S256' });
  expect(answer.statusCode).toBe(303);
  expect(answer.headers.location).toMatch(/^http:\/\/127\.0\.0\.1\/callback\?/);
  expect(redirectOf(answer)).toEqual({
    code: expect.stringMatching(/^[\w-]{43}$/),
    state: 'a state/with+odd & signs',
    iss: issuer,
  });
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
});

test.each([
  ['no client_id', { client_id: undefined }, ''],
  ['an empty client_id', { client_id: '' }, ''],
  ['an unknown client', { client_id: 'test_tc_nobody' }, ''],
  ['client_id twice', {}, '&client_id=test_tc_local'],
  ['no redirect_uri', { redirect_uri: undefined }, ''],
  ['redirect_uri twice', {}, '&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback'],
  ['another redirect_uri', { redirect_uri: 'https://evil.test/callback' }, ''],
  ['a trailing slash', { redirect_uri: 'http://127.0.0.1/callback/' }, ''],
  ['localhost for 127.0.0.1', { redirect_uri: 'http://localhost/callback' }, ''],
  ['a query of its own', { redirect_uri: 'http://127.0.0.1/callback?to=evil.test' }, ''],
  ['another case', { redirect_uri: 'http://127.0.0.1/Callback' }, ''],
  ['a scheme in capitals', { redirect_uri: 'HTTP://127.0.0.1/callback' }, ''],
  ['https for http', { redirect_uri: 'https://127.0.0.1/callback' }, ''],
  ['a step back in the path', { redirect_uri: 'http://127.0.0.1/callback/../callback' }, ''],
  ['an encoded slash', { redirect_uri: 'http://127.0.0.1/%2fcallback' }, ''],
  ['a fragment', { redirect_uri: 'http://127.0.0.1/callback#evil.test' }, ''],
  ['a user name', { redirect_uri: 'http://evil.test@127.0.0.1/callback' }, ''],
  ['a user name that looks like the host', { redirect_uri: 'http://127.0.0.1:80@evil.test/callback' }, ''],
  ['a name that begins like the address', { redirect_uri: 'http://127.0.0.1.evil.test/callback' }, ''],
  ['another loopback address', { redirect_uri: 'http://127.0.0.2/callback' }, ''],
  ['a port that is none', { redirect_uri: 'http://127.0.0.1:99999/callback' }, ''],
  ['a space at its end', { redirect_uri: 'http://127.0.0.1/callback ' }, ''],
] as const)('%s: an error page that leads nowhere', async (_name, changes, suffix) => {
  const answer = await authorize(changes, suffix);
  expect(answer.statusCode).toBe(400);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.headers).not.toHaveProperty('location');
  expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(answer.body).toContain('<h1>This login cannot go on</h1>');
  expect(answer.body).not.toContain('evil.test');
});

test.each([
  ['no response_type', { response_type: undefined }, '', 'invalid_request'],
  ['response_type=token', { response_type: 'token' }, '', 'unsupported_response_type'],
  ['no scope', { scope: undefined }, '', 'invalid_request'],
  ['an empty scope', { scope: '' }, '', 'invalid_request'],
  ['an unknown scope', { scope: 'worklists:read everything' }, '', 'invalid_scope'],
  ['a scope of spaces', { scope: '  ' }, '', 'invalid_scope'],
  ['scope twice', {}, '&scope=jobs%3Aread', 'invalid_request'],
  ['PKCE plain', { code_challenge: challenge, code_challenge_method: 'plain' }, '', 'invalid_request'],
  ['PKCE without a method', { code_challenge: challenge }, '', 'invalid_request'],
  ['a method without a challenge', { code_challenge_method: 'S256' }, '', 'invalid_request'],
  ['a challenge that is no SHA-256', { code_challenge: 'short', code_challenge_method: 'S256' }, '', 'invalid_request'],
  ['an unknown test_mode', { test_mode: 'auto' }, '', 'invalid_request'],
] as const)('%s: back to the client with the error, the state and iss', async (_name, changes, suffix, error) => {
  const answer = await authorize(changes, suffix);
  expect(answer.statusCode).toBe(303);
  const { error_description, ...rest } = redirectOf(answer);
  expect(rest).toEqual({ error, state: 'a state/with+odd & signs', iss: issuer });
  expect(error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
});

test.each([
  ['missing', { state: undefined }, ''],
  ['empty', { state: '' }, ''],
  ['repeated', {}, '&state=other'],
])('a state that is %s is an error without a state', async (_name, changes, suffix) => {
  const { error_description: _said, ...rest } = redirectOf(await authorize(changes, suffix));
  expect(rest).toEqual({ error: 'invalid_request', iss: issuer });
});

test('unknown parameters are ignored, and names of Object.prototype are nothing special', async () => {
  expect(
    redirectOf(await authorize({ foo: '1', prompt: 'login', ['__proto__']: 'x', constructor: 'y' })),
  ).toHaveProperty('code');
});

test('a loopback redirect URI matches any port, with IPv6 too', async () => {
  for (const redirect_uri of ['http://127.0.0.1:51234/callback', 'http://[::1]:8/callback']) {
    expect((await authorize({ redirect_uri })).headers.location).toMatch(`${redirect_uri}?code=`);
  }
});

describe('a production client', () => {
  test('always goes to the login page, whatever it asks for', async () => {
    const { client_id, redirect_uri } = await putProductionClient(server);
    const answer = await authorize({ client_id, redirect_uri });
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toMatch(/^\/login\?request=[\w.-]+$/);
    expect(answer.headers['set-cookie']).toMatch(
      /^laudio_login_[\w-]{16}=[\w.-]{1,300}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  test('that people install must send a challenge', async () => {
    const { client_id, redirect_uri } = await putProductionClient(server, { id: 'lc_app', kind: 'mobile' });
    const refused = redirectOf(await authorize({ client_id, redirect_uri }));
    expect(refused).toMatchObject({ error: 'invalid_request', error_description: expect.stringContaining('PKCE') });
    const sent = { code_challenge: challenge, code_challenge_method: 'S256' };
    expect((await authorize({ client_id, redirect_uri, ...sent })).headers.location).toMatch(/^\/login\?/);
  });

  test('cannot send test_mode; the query of its redirect URI stays', async () => {
    const { client_id, redirect_uri } = await putProductionClient(server);
    const answer = await authorize({ client_id, redirect_uri, test_mode: 'manual' });
    expect(answer.headers.location).toMatch(/^https:\/\/ris\.example\/callback\?tenant=1&error=invalid_request&/);
  });

  test('asks for no more than it registered', async () => {
    const { client_id, redirect_uri } = await putProductionClient(server, { id: 'lc_small' });
    const client = (await server.services.store.get('clients', client_id))!;
    await server.services.store.transact(async (tx) => tx.put('clients', { ...client, scopes: ['jobs:read'] }));
    expect(redirectOf(await authorize({ client_id, redirect_uri }))).toMatchObject({ error: 'invalid_scope' });
  });
});

test('a deleted test user is reported to the client', async () => {
  const alone = await createAuthorizationApp();
  const [user] = await alone.services.store.find('users', {});
  await alone.services.store.transact(async (tx) => tx.remove('users', user!.id));
  expect(redirectOf(await alone.app.inject(authorizeUrl()))).toMatchObject({ error: 'access_denied' });
});

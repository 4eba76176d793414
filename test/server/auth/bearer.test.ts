/** Access tokens in use: RFC 6750 3, RFC 8725, RFC 7009; specification 4.1 (validate, revoke). */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { SignJWT, importJWK } from 'jose';
import type { JWK } from 'jose';
import { beforeEach, expect, test } from 'vitest';
import { createAuthenticator } from '../../../server/auth/authenticator.ts';
import type { AppError } from '../../../src/contract/errors.ts';
import {
  createAuthorizationApp,
  form,
  logIn,
  putProductionClient,
  statusWith,
  testClient,
  tokenRequest,
} from '../../support/authorization-app.ts';
import type { AuthorizationApp } from '../../support/authorization-app.ts';

const { client_id, client_secret } = testClient;
let server: AuthorizationApp;
let token: string;
let refresh_token: string;
beforeEach(async () => {
  server = await createAuthorizationApp();
  ({ access_token: token, refresh_token } = await logIn(server.app));
});

const revoke = (fields: Readonly<Record<string, string>>) =>
  server.app.inject({ method: 'POST', url: '/api/oauth/revoke', ...form({ client_id, client_secret, ...fields }) });

const refusal = async (text: string): Promise<AppError> =>
  server.authenticator.bearer(text).then(
    () => expect.unreachable('the token was taken'),
    (error: unknown) => error as AppError,
  );

test('validate names the owner and the lifetime of the token', async () => {
  server.clock.advance(60_500);
  const answer = await server.app.inject({ url: '/api/oauth/validate', headers: { authorization: `Bearer ${token}` } });
  const [user] = await server.services.store.find('users', {});
  expect(answer.json().data).toEqual({
    valid: true,
    client_id,
    user: { id: user!.id, username: 'test-physician', display_name: 'Dra. Teste' },
    scope: 'worklists:read jobs:read',
    test_mode: true,
    expires_at: '2026-03-02T12:30:00.000Z',
    expires_in: 3539,
  });
});

test('the caller has the space of its client', async () => {
  expect(await server.authenticator.bearer(token)).toMatchObject({
    space: 'test_tc_local',
    scopes: ['worklists:read', 'jobs:read'],
  });
});

test('an expired token is refused to the second, verified before or not', async () => {
  const { access_token: unseen } = await logIn(server.app);
  expect(await statusWith(server.app, token)).toBe(200);
  server.clock.advance(3_599_999);
  expect(await statusWith(server.app, token)).toBe(200);
  server.clock.advance(1);
  for (const text of [token, unseen]) {
    expect(await refusal(text)).toMatchObject({
      code: 'UNAUTHORIZED',
      message: 'The access token has expired.',
      hint: expect.stringContaining('refresh token'),
    });
  }
});

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const parts = () => token.split('.') as [string, string, string];
const payloadOf = () => JSON.parse(Buffer.from(parts()[1], 'base64url').toString()) as Record<string, unknown>;
const headerOf = () => JSON.parse(Buffer.from(parts()[0], 'base64url').toString()) as Record<string, unknown>;

const forgeries: Record<string, () => string | Promise<string>> = {
  'alg none': () => `${part({ ...headerOf(), alg: 'none' })}.${parts()[1]}.`,
  'a changed payload': () => `${parts()[0]}.${part({ ...payloadOf(), scope: 'medical_records:delete' })}.${parts()[2]}`,
  'HMAC with the public key': async () => {
    const { keys } = (await server.app.inject('/api/oauth/jwks')).json();
    const signed = `${part({ ...headerOf(), alg: 'HS256' })}.${parts()[1]}`;
    return `${signed}.${createHmac('sha256', JSON.stringify(keys[0])).update(signed).digest('base64url')}`;
  },
  'a key of its own': () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const signed = `${parts()[0]}.${parts()[1]}`;
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  },
  'a kid that is a path': () => `${part({ ...headerOf(), kid: '../../x' })}.${parts()[1]}.${parts()[2]}`,
  'a refresh token': () => refresh_token,
  'no token at all': () => 'x',
  'two dots': () => '..',
};

test.each(Object.keys(forgeries))('%s is refused', async (name) => {
  const text = await forgeries[name]!();
  expect(await refusal(text)).toMatchObject({
    code: 'UNAUTHORIZED',
    message: 'The access token is not one of this server.',
  });
});

test.each([
  ['iss', 'https://evil.test'],
  ['aud', 'https://evil.test'],
  ['client_id', 'lc_other'],
  ['sub', 'usr_other'],
  ['typ', 'JWT'],
  ['kid', '../../x'],
])('a token signed with our key but another %s is refused', async (claim, value) => {
  const jwk = (await server.services.store.get('settings', 'signing_key'))!.value as JWK;
  const inHeader = claim === 'typ' || claim === 'kid';
  const key = await importJWK(jwk, 'ES256');
  const forged = await new SignJWT({ ...payloadOf(), ...(inHeader ? {} : { [claim]: value }) })
    .setProtectedHeader({ ...(headerOf() as { alg: string }), ...(inHeader ? { [claim]: value } : {}) })
    .sign(key);
  expect(await refusal(forged)).toMatchObject({ code: 'UNAUTHORIZED' });
});

test('revoking a refresh token ends its access tokens at once, also one that was verified before', async () => {
  expect(await statusWith(server.app, token)).toBe(200);
  const answer = await revoke({ token: refresh_token, token_type_hint: 'refresh_token' });
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({});
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
  expect(await refusal(token)).toMatchObject({
    message: 'The access token was revoked.',
    hint: expect.stringContaining('Log in again'),
  });
  expect((await tokenRequest(server.app, { grant_type: 'refresh_token', refresh_token })).json().error).toBe(
    'invalid_grant',
  );
});

test('revoking an access token ends that one alone', async () => {
  const next = (await tokenRequest(server.app, { grant_type: 'refresh_token', refresh_token })).json();
  expect((await revoke({ token, token_type_hint: 'refresh_token' })).statusCode).toBe(200);
  expect(await statusWith(server.app, token)).toBe(401);
  expect(await statusWith(server.app, next.access_token)).toBe(200);
});

test('an unknown token is revoked already; a missing one is an error', async () => {
  expect((await revoke({ token: 'unknown' })).json()).toEqual({});
  expect((await revoke({ token: '' })).json().error).toBe('invalid_request');
  expect((await revoke({ token, client_secret: 'wrong' })).statusCode).toBe(401);
});

test('another client’s token is refused and stays alive', async () => {
  const other = await putProductionClient(server);
  for (const theirs of [token, refresh_token]) {
    const answer = await revoke({ token: theirs, client_id: other.client_id, client_secret: other.client_secret });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toBe('invalid_grant');
  }
  expect(await statusWith(server.app, token)).toBe(200);
});

test('a token in the address is not looked at', async () => {
  const answer = await server.app.inject(`/api/oauth/validate?access_token=${token}`);
  expect(answer.statusCode).toBe(401);
  expect(answer.headers['www-authenticate']).toBe('Bearer realm="laudio"');
});

test('the key outlives the server, so its tokens do', async () => {
  expect(await createAuthenticator(server.services).bearer(token)).toMatchObject({ client_id });
});

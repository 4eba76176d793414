/** Machine login: client_credentials (RFC 6749 4.4) by secret and by private_key_jwt (RFC 7523), and attacks on both. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { JWTPayload } from 'jose';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../../src/contract/admin.ts';
import { serverScopes } from '../../../src/contract/scopes.ts';
import { adminToken, createAuthorizationApp, form, statusWith, testClient } from '../../support/authorization-app.ts';
import type { AuthorizationApp } from '../../support/authorization-app.ts';

const issuer = 'http://localhost:80';
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const admin = '/api/v1/admin/clients';
type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

let server: AuthorizationApp;
let own: { privateKey: Key; publicKey: Key };
let foreign: { privateKey: Key; publicKey: Key };
beforeAll(async () => {
  [own, foreign] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
});
beforeEach(async () => {
  server = await createAuthorizationApp();
});

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
  server.app.inject({ method, url, headers: { authorization: `Bearer ${adminToken}` }, ...(payload && { payload }) });
const create = async (changes: object = {}): Promise<Client & { secret: string }> => {
  const answer = await call('POST', admin, { name: 'RIS São Lucas', kind: 'server', ...changes });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json().data;
};
const createKeyed = async (changes: object = {}) =>
  create({ jwks: { keys: [await exportJWK(own.publicKey)] }, ...changes });
const post = (fields: Readonly<Record<string, string>>, path = 'token', headers: Record<string, string> = {}) => {
  const sent = form(fields);
  const all = { ...sent.headers, ...headers };
  return server.app.inject({ method: 'POST', url: `/api/oauth/${path}`, payload: sent.payload, headers: all });
};
const bySecret = (client: { id: string; secret: string }, more: Readonly<Record<string, string>> = {}) =>
  post({ grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret, ...more });

/** An assertion that is good, but for what is changed; `undefined` leaves a claim out. */
async function assertionOf(
  id: string,
  changes: Readonly<Record<string, unknown>> = {},
  { key = own.privateKey, header = {} }: { key?: Key | Uint8Array; header?: object } = {},
): Promise<string> {
  const now = Math.floor(server.clock.now() / 1000);
  const claims = { iss: id, sub: id, aud: issuer, jti: randomUUID(), iat: now, exp: now + 60, ...changes };
  const given = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  return new SignJWT(given as JWTPayload).setProtectedHeader({ alg: 'ES256', ...header }).sign(key);
}
const byAssertion = (client_assertion: string, more: Readonly<Record<string, string>> = {}) =>
  post({ grant_type: 'client_credentials', client_assertion_type: assertionType, client_assertion, ...more });

describe('by its secret', () => {
  test('a server gets an access token without a refresh token, in its own name', async () => {
    const client = await create();
    expect(client).toMatchObject({ kind: 'server', redirect_uris: [], scopes: serverScopes });
    const answer = await bySecret(client);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    const tokens = answer.json();
    expect(tokens).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: serverScopes.join(' '),
    });
    const payload = JSON.parse(Buffer.from(tokens.access_token.split('.')[1], 'base64url').toString());
    expect(payload).toMatchObject({ iss: issuer, aud: issuer, sub: client.id, client_id: client.id });
    const validate = await server.app.inject({
      url: '/api/oauth/validate',
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(validate.json().data).toMatchObject({ valid: true, client_id: client.id, user: null, test_mode: false });
  });

  test('and by HTTP Basic, and as a test client', async () => {
    const { id, secret } = await create({ test_mode: true });
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    const answer = await post({ grant_type: 'client_credentials' }, 'token', { authorization });
    expect(answer.statusCode).toBe(200);
    expect(await server.authenticator.bearer(answer.json().access_token)).toMatchObject({ test_mode: true, space: id });
  });

  test.each(['web', 'mobile'])('a client of kind %s gets none', async (kind) => {
    const client = await create({ kind, redirect_uris: ['https://ris.example/callback'] });
    const answer = await bySecret(client);
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'unauthorized_client']);
    expect(await server.services.store.count('grants')).toBe(0);
  });

  test('nor does the built-in test client, whose secret everybody knows', async () => {
    const answer = await bySecret({ id: testClient.client_id, secret: testClient.client_secret });
    expect(answer.json().error).toBe('unauthorized_client');
  });

  test('fewer scopes for one token; never more than registered, and none that there are not', async () => {
    const client = await create({ scopes: ['worklists:write', 'jobs:read'] });
    expect((await bySecret(client, { scope: 'jobs:read' })).json().scope).toBe('jobs:read');
    for (const scope of ['jobs:read medical_records:read', 'admin', 'jobs:read\tjobs:write', ' ']) {
      expect((await bySecret(client, { scope })).json().error).toBe('invalid_scope');
    }
  });

  test('scopes taken from the client are gone from its tokens; removed, it has nothing', async () => {
    const client = await create({ scopes: ['worklists:write', 'jobs:read'] });
    const { access_token } = (await bySecret(client)).json();
    await call('PATCH', `${admin}/${client.id}`, { scopes: ['jobs:read'] });
    expect((await server.authenticator.bearer(access_token)).scopes).toEqual(['jobs:read']);
    await call('DELETE', `${admin}/${client.id}`);
    expect(await statusWith(server.app, access_token)).toBe(401);
    expect((await bySecret(client)).json().error).toBe('invalid_client');
  });

  test('a token ends after an hour, and when it is revoked, alone', async () => {
    const client = await create();
    const [first, second] = [(await bySecret(client)).json(), (await bySecret(client)).json()];
    const credentials = { client_id: client.id, client_secret: client.secret };
    expect((await post({ ...credentials, token: first.access_token }, 'revoke')).statusCode).toBe(200);
    expect(await statusWith(server.app, first.access_token)).toBe(401);
    expect(await statusWith(server.app, second.access_token)).toBe(200);
    server.clock.advance(3_600_000);
    expect(await statusWith(server.app, second.access_token)).toBe(401);
  });

  test('twenty wrong secrets, and the next has to wait; the right one does not', async () => {
    const client = await create();
    const wrong = { id: client.id, secret: 'lcs_wrong' };
    await Promise.all(Array.from({ length: 20 }, () => bySecret(wrong)));
    const refused = await bySecret(wrong);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    expect((await bySecret(client)).statusCode).toBe(200);
  });

  test('after a rotation the old secret works as long as it was said, and no longer', async () => {
    const client = await create();
    const rotate = async (seconds: number) =>
      (await call('POST', `${admin}/${client.id}/rotate-secret?keep_old_seconds=${seconds}`)).json().data.secret;
    const second = { id: client.id, secret: await rotate(60) };
    expect((await bySecret(client)).statusCode).toBe(200);
    expect((await bySecret(second)).statusCode).toBe(200);
    server.clock.advance(60_000);
    // Though the server has recognised it before.
    expect((await bySecret(client)).json().error).toBe('invalid_client');
    const third = { id: client.id, secret: await rotate(0) };
    expect((await bySecret(second)).json().error).toBe('invalid_client');
    expect((await bySecret(third)).statusCode).toBe(200);
    const shown = await call('GET', `${admin}/${client.id}`);
    expect(shown.body).not.toMatch(/secret|scrypt/);
  });
});

describe('by a key', () => {
  test('a server gets a token by an assertion, for the issuer or the token endpoint', async () => {
    const client = await createKeyed();
    expect(client).not.toHaveProperty('secret');
    for (const aud of [issuer, `${issuer}/api/oauth/token`, [issuer]]) {
      const answer = await byAssertion(await assertionOf(client.id, { aud }), { client_id: client.id });
      expect(answer.statusCode, answer.body).toBe(200);
      expect(await statusWith(server.app, answer.json().access_token)).toBe(200);
    }
  });

  test.each(['ES384', 'EdDSA', 'RS256', 'PS256'])('signed with %s', async (alg) => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const client = await create({ jwks: { keys: [{ ...(await exportJWK(publicKey)), alg }] } });
    const assertion = await assertionOf(client.id, {}, { key: privateKey, header: { alg } });
    expect((await byAssertion(assertion)).statusCode).toBe(200);
  });

  test.each([undefined, 'EdDSA', 'Ed25519'])(
    'an Ed25519 key registered with alg %s signs under both names',
    async (alg) => {
      const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
      const { alg: _own, ...jwk } = await exportJWK(publicKey);
      const client = await create({ jwks: { keys: [{ ...jwk, ...(alg !== undefined && { alg }) }] } });
      for (const name of ['EdDSA', 'Ed25519']) {
        const assertion = await assertionOf(client.id, {}, { key: privateKey, header: { alg: name } });
        expect((await byAssertion(assertion)).statusCode, name).toBe(200);
      }
    },
  );

  test('an assertion works once, of fifty at a time too, and after a restart', async () => {
    const client = await createKeyed();
    const assertion = await assertionOf(client.id);
    const answers = await Promise.all(Array.from({ length: 50 }, () => byAssertion(assertion)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect((await byAssertion(assertion)).json().error_description).toContain('used before');
    // What was used is kept, and not only remembered.
    const [kept] = await server.services.store.find('assertions', {});
    expect(Date.parse(kept!.expires_at)).toBeGreaterThanOrEqual(server.clock.now() + 60_000);
    expect(await server.services.store.count('grants')).toBe(1);
  });

  test('two clients may use the same jti', async () => {
    const [one, other] = [await createKeyed(), await createKeyed()];
    const jti = 'the same';
    expect((await byAssertion(await assertionOf(one.id, { jti }))).statusCode).toBe(200);
    expect((await byAssertion(await assertionOf(other.id, { jti }))).statusCode).toBe(200);
  });

  test.each<[string, Record<string, unknown>]>([
    ['for another server', { aud: 'https://other.example' }],
    ['for this server and another', { aud: [issuer, 'https://other.example'] }],
    ['for an address that begins like this server', { aud: `${issuer}.evil.example` }],
    ['for the authorize endpoint', { aud: `${issuer}/api/oauth/authorize` }],
    ['for nobody', { aud: undefined }],
    ['without an end', { exp: undefined }],
    ['that has expired', { exp: 1 }],
    ['that would be good for an hour', { exp: Date.parse('2026-03-02T12:30:00Z') / 1000 }],
    ['of the future', { iat: Date.parse('2026-03-02T11:32:00Z') / 1000 }],
    ['that begins later', { nbf: Date.parse('2026-03-02T11:32:00Z') / 1000 }],
    ['without jti', { jti: undefined }],
    ['with an empty jti', { jti: '' }],
    ['with a jti that is no text', { jti: 4 }],
    ['of another issuer', { iss: 'lc_other' }],
    ['without issuer', { iss: undefined }],
  ])('an assertion %s is refused', async (_name, changes) => {
    const client = await createKeyed();
    const answer = await byAssertion(await assertionOf(client.id, changes));
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_client']);
    expect(await server.services.store.count('grants')).toBe(0);
  });

  test('nor one that nobody signed, that a foreign key signed, or that the public key signed as a secret', async () => {
    const client = await createKeyed();
    const good = await assertionOf(client.id);
    const [, payload, signature] = good.split('.');
    const unsigned = (alg: string) => Buffer.from(JSON.stringify({ alg })).toString('base64url');
    const publicJwk = await exportJWK(own.publicKey);
    const asSecret = new TextEncoder().encode(JSON.stringify(publicJwk));
    const widened = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(payload!, 'base64url').toString()), x: 1 }));
    const forged = [
      `${unsigned('none')}.${payload}.`,
      `${unsigned('None')}.${payload}.${signature}`,
      `${good.split('.')[0]}.${widened.toString('base64url')}.${signature}`,
      await assertionOf(client.id, {}, { key: foreign.privateKey }),
      await assertionOf(
        client.id,
        {},
        { key: foreign.privateKey, header: { jwk: await exportJWK(foreign.publicKey) } },
      ),
      await assertionOf(client.id, {}, { key: asSecret, header: { alg: 'HS256' } }),
      await assertionOf(client.id, {}, { header: { kid: '../../etc/passwd' } }),
      ...[5, null, {}, ['lc_x'], ''].map(
        (sub) => `${unsigned('ES256')}.${Buffer.from(JSON.stringify({ sub })).toString('base64url')}.x`,
      ),
      'x.y.z',
      'nothing',
    ];
    for (const assertion of forged) {
      const answer = await byAssertion(assertion, { client_id: client.id });
      expect([answer.statusCode, answer.json().error], assertion).toEqual([401, 'invalid_client']);
    }
    expect(await server.services.store.count('grants')).toBe(0);
    // Forgeries use nothing up.
    expect((await byAssertion(good)).statusCode).toBe(200);
  });

  test('a key signs by its own algorithm alone', async () => {
    const { privateKey, publicKey } = await generateKeyPair('PS256', { extractable: true });
    const { importPKCS8, exportPKCS8 } = await import('jose');
    const client = await create({ jwks: { keys: [await exportJWK(publicKey)] } });
    const assertion = await assertionOf(client.id, {}, { key: privateKey, header: { alg: 'PS256' } });
    expect((await byAssertion(assertion)).statusCode).toBe(401);
    const key = await importPKCS8(await exportPKCS8(privateKey), 'RS256');
    expect((await byAssertion(await assertionOf(client.id, {}, { key, header: { alg: 'RS256' } }))).statusCode).toBe(
      200,
    );
  });

  test('an assertion names no other client, and a client with a key has no other way in', async () => {
    const [client, other] = [await createKeyed(), await create()];
    const named = await byAssertion(await assertionOf(client.id), { client_id: other.id });
    expect(named.json().error).toBe('invalid_request');
    const foreignKey = await byAssertion(await assertionOf(other.id));
    expect(foreignKey.json()).toMatchObject({ error: 'invalid_client' });
    const secret = { client_secret: other.secret };
    expect((await byAssertion(await assertionOf(client.id), secret)).json().error).toBe('invalid_request');
    for (const guess of ['null', 'undefined', '']) {
      const answer = await bySecret({ id: client.id, secret: guess });
      expect(answer.json().error).toBe('invalid_client');
    }
  });

  test('an access token of this server is no assertion', async () => {
    const client = await createKeyed();
    const { access_token } = (await byAssertion(await assertionOf(client.id))).json();
    expect((await byAssertion(access_token)).json().error).toBe('invalid_client');
  });

  test('keys change over: both work, then the new one alone; the secret of a client that gets keys ends', async () => {
    const client = await create();
    const { access_token } = (await bySecret(client)).json();
    const keys = await Promise.all([own, foreign].map(({ publicKey }) => exportJWK(publicKey)));
    const change = (only: object[]) => call('PATCH', `${admin}/${client.id}`, { jwks: { keys: only } });
    expect((await change(keys)).statusCode).toBe(200);
    expect((await bySecret(client)).json().error).toBe('invalid_client');
    expect(await statusWith(server.app, access_token)).toBe(200);
    for (const key of [own.privateKey, foreign.privateKey])
      expect((await byAssertion(await assertionOf(client.id, {}, { key }))).statusCode).toBe(200);
    const kids = (await call('GET', `${admin}/${client.id}`))
      .json()
      .data.jwks.keys.map((key: { kid: string }) => key.kid);
    const withKid = (kid: string, key: Key) => assertionOf(client.id, {}, { key, header: { kid } });
    expect((await byAssertion(await withKid(kids[0], own.privateKey))).statusCode).toBe(200);
    expect((await byAssertion(await withKid(kids[1], foreign.privateKey))).statusCode).toBe(200);
    await change([keys[1]!]);
    expect((await byAssertion(await withKid(kids[0], own.privateKey))).statusCode).toBe(401);
    expect((await call('POST', `${admin}/${client.id}/rotate-secret`)).statusCode).toBe(400);
  });

  test('revokes by an assertion too', async () => {
    const client = await createKeyed();
    const { access_token: token } = (await byAssertion(await assertionOf(client.id))).json();
    const client_assertion = await assertionOf(client.id);
    const answer = await post({ token, client_assertion, client_assertion_type: assertionType }, 'revoke');
    expect(answer.statusCode).toBe(200);
    expect(await statusWith(server.app, token)).toBe(401);
  });
});

describe('registered are public keys alone, of strength', () => {
  const jwkOf = (...args: unknown[]) =>
    (generateKeyPairSync as unknown as (...all: unknown[]) => ReturnType<typeof generateKeyPairSync>)(
      ...args,
    ).publicKey.export({ format: 'jwk' });
  const oct = { kty: 'oct', k: 'c2VjcmV0' };
  const ec = () => jwkOf('ec', { namedCurve: 'P-256' });
  test.each<[string, () => unknown]>([
    ['a private key', async () => exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey)],
    ['a secret', () => oct],
    ['RSA of 1024 bits', () => jwkOf('rsa', { modulusLength: 1024 })],
    ['a curve that is not known', () => jwkOf('ec', { namedCurve: 'secp256k1' })],
    ['a key for key agreement', () => jwkOf('x25519')],
    ['a point that is not on the curve', () => ({ ...ec(), x: ec().x })],
    ['alg none', () => ({ ...ec(), alg: 'none' })],
    ['the algorithm of another type', () => ({ ...ec(), alg: 'RS256' })],
    ['a key for encryption', () => ({ ...ec(), use: 'enc' })],
    ['an exponent of 1', () => ({ ...jwkOf('rsa', { modulusLength: 2048 }), e: 'AQ' })],
    ['nothing', () => ({})],
    ['a name from the prototype', () => ({ kty: 'constructor' })],
  ])('%s is refused', async (_name, make) => {
    const answer = await call('POST', admin, { name: 'x', kind: 'server', jwks: { keys: [await make()] } });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.details.errors).toMatchObject([{ field: 'jwks.keys.0', code: 'INVALID_VALUE' }]);
    expect(answer.body).not.toContain(oct.k);
  });

  test('the same kid twice, keys for people, and no keys at all are refused', async () => {
    const refused = async (body: object) => {
      const answer = await call('POST', admin, { name: 'x', ...body });
      return [answer.statusCode, answer.json().error.details.errors[0].field];
    };
    const key = ec();
    expect(await refused({ kind: 'server', jwks: { keys: [key, key] } })).toEqual([400, 'jwks.keys.1']);
    const web = { kind: 'web', redirect_uris: ['https://ris.example/cb'] };
    expect(await refused({ ...web, jwks: { keys: [key] } })).toEqual([400, 'jwks']);
    expect(await refused({ kind: 'server', jwks: { keys: [] } })).toEqual([400, 'jwks.keys']);
    expect(await refused({ kind: 'web' })).toEqual([400, 'redirect_uris']);
  });

  test('other fields of a key are not stored', async () => {
    const { jwks } = await create({ jwks: { keys: [{ ...ec(), x5u: 'https://evil.example', note: 'x' }] } });
    expect(Object.keys(jwks!.keys[0]!).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });
});

test('the metadata lists what there is', async () => {
  const metadata = (await server.app.inject('/.well-known/oauth-authorization-server')).json();
  expect(metadata.grant_types_supported).toContain('client_credentials');
  expect(metadata.token_endpoint_auth_methods_supported).toContain('private_key_jwt');
  expect(metadata.token_endpoint_auth_signing_alg_values_supported).not.toContain('none');
});

/** The operator's calls for partner applications: src/contract/admin.ts; specification, section 5, item 2. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../../src/contract/admin.ts';
import { allScopes } from '../../../src/contract/scopes.ts';
import {
  adminToken,
  authorizeUrl,
  createAuthorizationApp,
  logIn,
  redirectOf,
  statusWith,
  testClient,
  tokenRequest,
} from '../../support/authorization-app.ts';
import type { AuthorizationApp } from '../../support/authorization-app.ts';

const path = '/api/v1/admin/clients';
const redirect_uris = ['https://ris.example/callback'];
let server: AuthorizationApp;
beforeEach(async () => {
  server = await createAuthorizationApp();
});

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
  server.app.inject({ method, url, headers: { authorization: `Bearer ${adminToken}` }, ...(payload && { payload }) });
const create = async (changes: object = {}): Promise<Required<Client>> =>
  (await call('POST', path, { name: 'RIS São Lucas', redirect_uris, ...changes })).json().data;

test('a client gets an id, a secret shown once, every scope and the space of the organisation', async () => {
  const answer = await call('POST', path, { name: 'RIS São Lucas', redirect_uris });
  expect(answer.statusCode).toBe(201);
  const { data } = answer.json();
  expect(data).toEqual({
    id: expect.stringMatching(/^lc_[0-9A-Z]{26}$/),
    secret: expect.stringMatching(/^lcs_[\w-]{43}$/),
    name: 'RIS São Lucas',
    kind: 'web',
    redirect_uris,
    scopes: allScopes,
    space: 'local',
    test_mode: false,
    created_at: '2026-03-02T11:30:00.000Z',
  });
  const { secret, ...shown } = data;
  expect((await call('GET', `${path}/${data.id}`)).json().data).toEqual(shown);
  expect(JSON.stringify(await server.services.store.find('clients', {}))).not.toContain(secret);
});

test('a test client has its own space and test user, and works at once', async () => {
  const { id, secret, space } = await create({ test_mode: true, redirect_uris: ['http://127.0.0.1/cb'] });
  expect([id, secret, space]).toEqual([expect.stringMatching(/^test_tc_/), expect.stringMatching(/^test_tcs_/), id]);
  const redirect_uri = 'http://127.0.0.1:4711/cb';
  const { code } = redirectOf(await server.app.inject(authorizeUrl({ client_id: id, redirect_uri })));
  const tokens = await tokenRequest(server.app, {
    grant_type: 'authorization_code',
    code: code!,
    redirect_uri,
    client_id: id,
    client_secret: secret,
  });
  const caller = await server.authenticator.bearer(tokens.json().access_token);
  expect(caller).toMatchObject({ client_id: id, space: id, test_mode: true, user: { username: 'test-physician' } });
});

test('two test clients may share a named space, and its test user', async () => {
  await create({ test_mode: true, space: 'qa' });
  await create({ test_mode: true, space: 'qa' });
  expect(await server.services.store.find('users', { is: { space: 'qa' } })).toHaveLength(1);
});

test.each([
  ['a test client', { test_mode: true, space: 'local' }],
  ['a production client', { space: 'test_tc_local' }],
])('%s never gets into a space of the other kind', async (_name, changes) => {
  const answer = await call('POST', path, { name: 'x', redirect_uris, ...changes });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error.details.errors).toMatchObject([{ field: 'space', code: 'INVALID_VALUE' }]);
});

test.each([
  'https://ris.example/cb#part',
  'http://ris.example/cb',
  'javascript:alert(1)',
  'https://user@ris.example/cb',
])('the redirect URI %s is refused', async (uri) => {
  const answer = await call('POST', path, { name: 'x', redirect_uris: [...redirect_uris, uri] });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error).toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { errors: [{ field: 'redirect_uris.1', code: 'INVALID_VALUE' }] },
  });
});

test('the list goes page by page, newest first, without secrets', async () => {
  const made: string[] = [];
  for (const name of ['a', 'b', 'c']) made.unshift((await create({ name })).id);
  const seen: Client[] = [];
  let cursor: string | null = null;
  do {
    const answer = await call('GET', `${path}?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
    const { items, next_cursor } = answer.json().data as { items: Client[]; next_cursor: string | null };
    seen.push(...items);
    cursor = next_cursor;
  } while (cursor !== null);
  expect(seen.map(({ id }) => id).filter((id) => id.startsWith('lc_'))).toEqual(made);
  expect(seen).toHaveLength(4);
  expect(JSON.stringify(seen)).not.toMatch(/secret|scrypt/);
});

test('a change keeps what was not named', async () => {
  const { secret: _shown, ...client } = await create();
  const answer = await call('PATCH', `${path}/${client.id}`, { scopes: ['jobs:read'] });
  expect(answer.json().data).toEqual({ ...client, scopes: ['jobs:read'] });
  expect((await call('PATCH', `${path}/${client.id}`, { redirect_uris: ['http://ris.example/'] })).statusCode).toBe(
    400,
  );
  expect((await call('PATCH', `${path}/${client.id}`, { space: 'other' })).statusCode).toBe(400);
});

describe('scopes taken from a client', () => {
  const narrow = (scopes: readonly string[]) => call('PATCH', `${path}/${testClient.client_id}`, { scopes });
  const refresh = async (refresh_token: string, more: Record<string, string> = {}) =>
    (await tokenRequest(server.app, { grant_type: 'refresh_token', refresh_token, ...more })).json();

  test('are taken at once from tokens, new tokens, codes and logins under way', async () => {
    const first = await logIn(server.app);
    const { code } = redirectOf(await server.app.inject(authorizeUrl()));
    await narrow(['jobs:read']);
    expect((await server.authenticator.bearer(first.access_token)).scopes).toEqual(['jobs:read']);
    const second = await refresh(first.refresh_token);
    expect(second.scope).toBe('jobs:read');
    expect((await refresh(second.refresh_token, { scope: 'worklists:read' })).error).toBe('invalid_scope');
    const grant = { grant_type: 'authorization_code', code: code!, redirect_uri: testClient.redirect_uri };
    expect((await tokenRequest(server.app, grant)).json().scope).toBe('jobs:read');
  });

  test('come back with a new consent alone', async () => {
    const { access_token } = await logIn(server.app);
    await narrow(['jobs:read']);
    await narrow(['jobs:read', 'worklists:read']);
    expect((await server.authenticator.bearer(access_token)).scopes).toEqual(['jobs:read']);
    const again = await logIn(server.app);
    expect((await server.authenticator.bearer(again.access_token)).scopes).toEqual(['worklists:read', 'jobs:read']);
  });

  test('end what had nothing else', async () => {
    const { access_token, refresh_token } = await logIn(server.app);
    const { code } = redirectOf(await server.app.inject(authorizeUrl()));
    await narrow(['medical_records:read']);
    expect(await statusWith(server.app, access_token)).toBe(401);
    expect((await refresh(refresh_token)).error).toBe('invalid_grant');
    const grant = { grant_type: 'authorization_code', code: code!, redirect_uri: testClient.redirect_uri };
    expect((await tokenRequest(server.app, grant)).json().error).toBe('invalid_grant');
  });

  test('are gone from refresh tokens of earlier versions, which kept them', async () => {
    const { refresh_token } = await logIn(server.app);
    const { store } = server.services;
    const client = (await store.get('clients', testClient.client_id))!;
    await store.transact(async (tx) => tx.put('clients', { ...client, scopes: ['jobs:read'] }));
    expect((await refresh(refresh_token)).scope).toBe('jobs:read');
  });
});

describe('a new secret', () => {
  test('works at once, the old one no longer, and tokens stay', async () => {
    const { access_token, refresh_token } = await logIn(server.app);
    const { secret } = (await call('POST', `${path}/${testClient.client_id}/rotate-secret`)).json().data;
    const refresh = { grant_type: 'refresh_token', refresh_token };
    expect(secret).toMatch(/^test_tcs_/);
    expect((await tokenRequest(server.app, refresh)).statusCode).toBe(401);
    expect((await tokenRequest(server.app, { ...refresh, client_secret: secret })).statusCode).toBe(200);
    expect(await statusWith(server.app, access_token)).toBe(200);
  });
});

test('removing a client ends its tokens and its codes', async () => {
  const { access_token } = await logIn(server.app);
  await server.app.inject(authorizeUrl());
  const answer = await call('DELETE', `${path}/${testClient.client_id}`);
  expect(answer.json().data).toEqual({ id: testClient.client_id, deleted: true });
  expect(await statusWith(server.app, access_token)).toBe(401);
  const codes = await server.services.store.find('codes', {});
  expect(codes.filter(({ grant_id: grant }) => grant === null)).toEqual([]);
});

test.each([
  ['GET', ''],
  ['PATCH', ''],
  ['POST', '/rotate-secret'],
  ['DELETE', ''],
] as const)('%s of an unknown client is a 404', async (method, suffix) => {
  const answer = await call(method, `${path}/lc_nobody${suffix}`, method === 'PATCH' ? { name: 'x' } : undefined);
  expect(answer.statusCode).toBe(404);
  expect(answer.json().error.code).toBe('NOT_FOUND');
});

test('an access token is not the operator’s', async () => {
  const { access_token } = await logIn(server.app);
  for (const headers of [{}, { authorization: `Bearer ${access_token}` }]) {
    expect((await server.app.inject({ url: path, headers })).statusCode).toBe(401);
  }
});

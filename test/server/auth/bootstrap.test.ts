/** What a fresh data directory has: contract page, "Test mode" and "Ownership"; specification, section 1. */
import { expect, test } from 'vitest';
import { allScopes } from '../../../src/contract/scopes.ts';
import { bootstrap, builtInTestClient } from '../../../server/auth/bootstrap.ts';
import {
  createAuthorizationApp,
  logIn,
  redirectOf,
  authorizeUrl,
  statusWith,
} from '../../support/authorization-app.ts';

test('the built-in test client, in its own space, with its test user', async () => {
  const { services } = await createAuthorizationApp();
  expect(builtInTestClient).toEqual({
    client_id: 'test_tc_local',
    client_secret: 'test_tcs_local',
    redirect_uri: 'http://127.0.0.1/callback',
  });
  expect(await services.store.find('clients', {})).toMatchObject([
    { id: 'test_tc_local', space: 'test_tc_local', test_mode: true, scopes: allScopes },
  ]);
  expect(await services.store.find('users', {})).toMatchObject([
    { username: 'test-physician', display_name: 'Dra. Teste', space: 'test_tc_local' },
  ]);
});

test('starting again changes nothing: the same documents, the same tokens', async () => {
  const { app, services } = await createAuthorizationApp();
  const { access_token } = await logIn(app);
  const before = [await services.store.find('clients', {}), await services.store.find('users', {})];
  await bootstrap(services, { testClient: true });
  expect([await services.store.find('clients', {}), await services.store.find('users', {})]).toEqual(before);
  expect(await statusWith(app, access_token)).toBe(200);
});

test('left out, it is taken away with its tokens', async () => {
  const { app, services } = await createAuthorizationApp();
  const { access_token } = await logIn(app);
  await bootstrap(services, { testClient: false });
  expect(await services.store.count('clients')).toBe(0);
  expect(await statusWith(app, access_token)).toBe(401);
  expect((await app.inject(authorizeUrl())).statusCode).toBe(400);
});

test('a deleted test user is back after the next start', async () => {
  const { app, services } = await createAuthorizationApp();
  const [user] = await services.store.find('users', {});
  await services.store.transact(async (tx) => tx.remove('users', user!.id));
  await bootstrap(services, { testClient: true });
  expect(redirectOf(await app.inject(authorizeUrl()))).toHaveProperty('code');
});

test('a scope that a new version brings goes to the clients that had all scopes, and to no other', async () => {
  const { services } = await createAuthorizationApp();
  const { store } = services;
  const former = allScopes.filter((scope) => scope !== 'macros:write');
  await store.transact(async (tx) => {
    const [client] = await tx.find('clients', {});
    tx.put('clients', { ...client!, scopes: former });
    tx.put('clients', { ...client!, id: 'lc_some', scopes: former.slice(1) });
    // Nobody consents to what a server gets.
    tx.put('clients', { ...client!, id: 'lc_server', kind: 'server', scopes: former });
    tx.remove('settings', 'scopes');
  });
  await bootstrap(services, { testClient: true });
  const scopesOf = async (id: string) => (await store.get('clients', id))?.scopes;
  expect(new Set(await scopesOf('test_tc_local'))).toEqual(new Set(allScopes));
  expect(await scopesOf('lc_some')).toEqual(former.slice(1));
  expect(await scopesOf('lc_server')).toEqual(former);
  // Whoever takes it away later has it taken away for good.
  await store.transact(async (tx) => {
    tx.put('clients', { ...(await tx.get('clients', 'test_tc_local'))!, scopes: former });
  });
  await bootstrap(services, { testClient: true });
  expect(await scopesOf('test_tc_local')).toEqual(former);
});

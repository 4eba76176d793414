/** Before an independent client, oauth4webapi: discovery, code with PKCE, use, refresh, revoke; client credentials. */
import { exportJWK, generateKeyPair } from 'jose';
import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { adminToken, createAuthorizationApp, testClient } from '../../support/authorization-app.ts';

const insecure = { [oauth.allowInsecureRequests]: true };

test.each([
  ['HTTP Basic', oauth.ClientSecretBasic(testClient.client_secret)],
  ['the body', oauth.ClientSecretPost(testClient.client_secret)],
])('oauth4webapi goes the whole way, its secret in %s', async (_name, authentication) => {
  const { app } = await createAuthorizationApp();
  const issuer = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const client: oauth.Client = { client_id: testClient.client_id };
  const redirect_uri = 'http://127.0.0.1:50123/callback';

  const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  const server = await oauth.processDiscoveryResponse(issuer, discovered);
  expect(server.code_challenge_methods_supported).toEqual(['S256']);

  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const address = new URL(server.authorization_endpoint!);
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri,
    scope: 'worklists:read worklists:write',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  const redirect = await fetch(address, { redirect: 'manual' });
  const parameters = oauth.validateAuthResponse(server, client, new URL(redirect.headers.get('location')!), state);

  const granted = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirect_uri,
      verifier,
      insecure,
    ),
  );
  expect(granted).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'worklists:read worklists:write' });

  const validate = new URL('/api/oauth/validate', issuer);
  const used = await oauth.protectedResourceRequest(
    granted.access_token,
    'GET',
    validate,
    undefined,
    undefined,
    insecure,
  );
  expect(used.status).toBe(200);

  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, authentication, granted.refresh_token!, insecure),
  );
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, authentication, refreshed.refresh_token!, insecure),
  );
  await expect(
    oauth.protectedResourceRequest(refreshed.access_token, 'GET', validate, undefined, undefined, insecure),
  ).rejects.toMatchObject({ status: 401, cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }] });
  await app.close();
});

test('oauth4webapi logs a device in', async () => {
  const { app } = await createAuthorizationApp();
  const issuer = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const client: oauth.Client = { client_id: testClient.client_id };
  const authentication = oauth.ClientSecretPost(testClient.client_secret);
  const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  const server = await oauth.processDiscoveryResponse(issuer, discovered);
  const begin = async (parameters: Record<string, string>) =>
    oauth.processDeviceAuthorizationResponse(
      server,
      client,
      await oauth.deviceAuthorizationRequest(server, client, authentication, parameters, insecure),
    );
  const ask = async (deviceCode: string) =>
    oauth.processDeviceCodeResponse(
      server,
      client,
      await oauth.deviceCodeGrantRequest(server, client, authentication, deviceCode, insecure),
    );
  const pending = await begin({ scope: 'jobs:read', test_mode: 'manual' });
  await expect(ask(pending.device_code)).rejects.toMatchObject({ error: 'authorization_pending' });
  const approved = await begin({ scope: 'jobs:read' });
  expect(await ask(approved.device_code)).toMatchObject({ scope: 'jobs:read', refresh_token: expect.any(String) });
  await app.close();
});

test.each(['a secret', 'a key'])('oauth4webapi logs a server in by %s, without a person', async (by) => {
  const { app } = await createAuthorizationApp();
  const issuer = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const made = await app.inject({
    method: 'POST',
    url: '/api/v1/admin/clients',
    headers: { authorization: `Bearer ${adminToken}` },
    payload: {
      name: 'RIS',
      kind: 'server',
      ...(by === 'a key' && { jwks: { keys: [await exportJWK(publicKey)] } }),
    },
  });
  const { id: client_id, secret } = made.json().data;
  const client: oauth.Client = { client_id };
  const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  const server = await oauth.processDiscoveryResponse(issuer, discovered);
  // The library takes the time from the computer, and the server from its own clock.
  const skew = Date.parse('2026-03-02T11:30:00Z') - Date.now();
  client[oauth.clockSkew] = Math.round(skew / 1000);
  const authentication = by === 'a key' ? oauth.PrivateKeyJwt(privateKey) : oauth.ClientSecretBasic(secret);
  const parameters = { scope: 'worklists:write' };
  const granted = await oauth.processClientCredentialsResponse(
    server,
    client,
    await oauth.clientCredentialsGrantRequest(server, client, authentication, parameters, insecure),
  );
  expect(granted).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'worklists:write' });
  expect(granted).not.toHaveProperty('refresh_token');
  const revocation = await oauth.revocationRequest(server, client, authentication, granted.access_token, insecure);
  await oauth.processRevocationResponse(revocation);
  await app.close();
});

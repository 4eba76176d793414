/** Specification, sections 4.1 and 5: authorization and tokens through the whole server. */
import { describe, expect, test } from 'vitest';
import { builtInTestClient } from '../../../server/index.ts';
import { contract, endpoints } from '../../../src/contract/index.ts';
import { allScopes, isForHub } from '../../../src/contract/scopes.ts';
import type { TokenResponse } from '../../../src/contract/oauth.ts';
import { authorizeQuery, redirectOf, startApi, succeeded } from '../../support/api.ts';

const api = await startApi();
const { authorize, token, revoke, validate, metadata, jwks } = contract.oauth.endpoints;
const { client_id, client_secret, redirect_uri } = builtInTestClient;
const client = { client_id, client_secret };
const statusOf = async (accessToken: string): Promise<number> =>
  (await api.call(validate, { token: accessToken })).status;
const newCode = async (): Promise<string> => redirectOf(await api.call(authorize, { query: authorizeQuery() })).code!;

describe('§4.1 GET /api/oauth/authorize', () => {
  test('a redirect to redirect_uri with code and state', async () => {
    const answer = await api.call(authorize, { query: authorizeQuery() });
    expect(answer.status).toBe(303);
    expect(Object.keys(redirectOf(answer))).toEqual(['code', 'state', 'iss']);
    expect(redirectOf(answer).state).toBe(authorizeQuery().state);
  });

  test.each([
    ['response_type', 'invalid_request'],
    ['scope', 'invalid_request'],
    ['state', 'invalid_request'],
  ])('%s is required: a redirect with %s', async (name, error) => {
    const answer = await api.call(authorize, { query: { ...authorizeQuery(), [name]: undefined } });
    expect(answer.status).toBe(303);
    expect(redirectOf(answer)).toMatchObject({ error, error_description: expect.stringMatching(/\w/) });
    expect(redirectOf(answer).state).toBe(name === 'state' ? undefined : authorizeQuery().state);
  });

  test.each([
    ['client_id', undefined],
    ['client_id', 'test_tc_unknown'],
    ['redirect_uri', undefined],
    ['redirect_uri', 'https://elsewhere.example/callback'],
  ])('%s = %s: an error page, never a redirect', async (name, value) => {
    const answer = await api.call(authorize, { query: { ...authorizeQuery(), [name]: value } });
    expect(answer.status).toBe(400);
    expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
    expect(answer.headers).not.toHaveProperty('location');
  });

  test.each([
    ['response_type', 'token', 'unsupported_response_type'],
    ['scope', 'everything', 'invalid_scope'],
    ['test_mode', 'automatic', 'invalid_request'],
    ['code_challenge_method', 'plain', 'invalid_request'],
  ])('%s=%s: %s', async (name, value, error) => {
    const query = {
      ...authorizeQuery(),
      code_challenge: name === 'code_challenge_method' ? 'x'.repeat(43) : undefined,
      [name]: value,
    };
    expect(redirectOf(await api.call(authorize, { query }))).toMatchObject({ error });
  });
});

describe('§4.1 POST /api/oauth/token', () => {
  test('grant authorization_code', async () => {
    const answer = await api.call(token, {
      body: { grant_type: 'authorization_code', code: await newCode(), redirect_uri, ...client },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    expect(answer.json).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: allScopes.join(' ') });
  });

  test('grant refresh_token: a new access token, and a refresh token that replaces the used one', async () => {
    const first = await api.tokens();
    const answer = await api.call(token, {
      body: { grant_type: 'refresh_token', refresh_token: first.refresh_token, ...client },
    });
    expect(answer.status).toBe(200);
    const second = answer.json as TokenResponse;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await statusOf(second.access_token)).toBe(200);
    const again = await api.call(token, {
      body: { grant_type: 'refresh_token', refresh_token: first.refresh_token, ...client },
    });
    expect(again).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    expect(await statusOf(second.access_token)).toBe(401);
  });

  test.each([
    ['grant_type', 400, 'invalid_request'],
    ['code', 400, 'invalid_request'],
    ['redirect_uri', 400, 'invalid_request'],
    ['client_id', 401, 'invalid_client'],
    ['client_secret', 401, 'invalid_client'],
  ])('authorization_code: %s is required', async (name, status, error) => {
    const body = {
      grant_type: 'authorization_code',
      code: await newCode(),
      redirect_uri,
      ...client,
      [name]: undefined,
    };
    expect(await api.call(token, { body })).toMatchObject({ status, json: { error } });
  });

  test.each([
    ['refresh_token', 400, 'invalid_request'],
    ['client_id', 401, 'invalid_client'],
    ['client_secret', 401, 'invalid_client'],
  ])('refresh_token: %s is required', async (name, status, error) => {
    const body = { grant_type: 'refresh_token', refresh_token: 'x', ...client, [name]: undefined };
    expect(await api.call(token, { body })).toMatchObject({ status, json: { error } });
  });

  test.each([
    ['an unknown grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['an unknown code', { code: 'x' }, 400, 'invalid_grant'],
    ['another redirect_uri', { redirect_uri: 'http://127.0.0.1/other' }, 400, 'invalid_grant'],
    ['a wrong secret', { client_secret: 'test_tcs_wrong' }, 401, 'invalid_client'],
  ])('%s', async (_name, changes, status, error) => {
    const body = { grant_type: 'authorization_code', code: await newCode(), redirect_uri, ...client, ...changes };
    const answer = await api.call(token, { body });
    expect(answer).toMatchObject({ status, json: { error } });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(Object.keys(answer.json)).toEqual(['error', 'error_description']);
  });

  test('a code lives 60 seconds and is used once', async () => {
    const body = { grant_type: 'authorization_code', redirect_uri, ...client };
    const late = await newCode();
    api.clock.advance(60_000);
    expect(await api.call(token, { body: { ...body, code: late } })).toMatchObject({
      status: 400,
      json: { error: 'invalid_grant' },
    });
    const code = await newCode();
    const { access_token } = (await api.call(token, { body: { ...body, code } })).json as TokenResponse;
    expect(await api.call(token, { body: { ...body, code } })).toMatchObject({
      status: 400,
      json: { error: 'invalid_grant' },
    });
    expect(await statusOf(access_token)).toBe(401);
  });

  test('client_secret_basic is accepted besides the body parameters', async () => {
    const answer = await api.call(token, {
      body: { grant_type: 'authorization_code', code: await newCode(), redirect_uri },
      headers: { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` },
    });
    expect(answer.status).toBe(200);
  });

  test('the content type is application/x-www-form-urlencoded', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await api.call(token, { body: JSON.stringify({ grant_type: 'refresh_token' }), headers });
    expect(answer).toMatchObject({ status: 415, json: { error: 'invalid_request' } });
  });
});

describe('§4.1 POST /api/oauth/revoke', () => {
  test.each(['access_token', 'refresh_token', undefined])(
    'an access token, with the hint %s',
    async (token_type_hint) => {
      const { access_token } = await api.tokens();
      expect(await api.call(revoke, { body: { token: access_token, token_type_hint, ...client } })).toMatchObject({
        status: 200,
        json: {},
      });
      expect(await statusOf(access_token)).toBe(401);
    },
  );

  test('a refresh token ends its access tokens', async () => {
    const { access_token, refresh_token } = await api.tokens();
    expect(
      (await api.call(revoke, { body: { token: refresh_token, token_type_hint: 'refresh_token', ...client } })).text,
    ).toBe('{}');
    expect(await statusOf(access_token)).toBe(401);
  });

  test('an unknown token is a 200', async () => {
    expect((await api.call(revoke, { body: { token: 'unknown', ...client } })).status).toBe(200);
  });

  test.each([
    ['token', 400, 'invalid_request'],
    ['client_id', 401, 'invalid_client'],
    ['client_secret', 401, 'invalid_client'],
  ])('%s is required', async (name, status, error) => {
    expect(await api.call(revoke, { body: { token: 'x', ...client, [name]: undefined } })).toMatchObject({
      status,
      json: { error },
    });
  });

  test("another client's token stays alive", async () => {
    const { access_token } = await api.tokens();
    const other = await api.createClient({ test_mode: true });
    await api.call(revoke, {
      body: { token: access_token, client_id: other.client_id, client_secret: other.client_secret },
    });
    expect(await statusOf(access_token)).toBe(200);
  });
});

describe('§4.1 GET /api/oauth/validate', () => {
  test('a valid token', async () => {
    const { access_token } = await api.tokens({ scopes: ['jobs:read'] });
    api.clock.advance(600_000);
    expect(succeeded(await api.call(validate, { token: access_token }))).toMatchObject({
      valid: true,
      client_id,
      user: { id: expect.stringMatching(/^usr_/), username: 'test-physician', display_name: 'Dra. Teste' },
      scope: 'jobs:read',
      test_mode: true,
      expires_in: 3000,
    });
  });

  test.each([
    ['none', null, 'Bearer realm="laudio"'],
    ['nonsense', 'nonsense', 'error="invalid_token"'],
    ['a token of another server', `${'a'.repeat(20)}.${'b'.repeat(20)}.${'c'.repeat(20)}`, 'error="invalid_token"'],
  ])('%s: 401 with WWW-Authenticate', async (_name, bad, challenge) => {
    const answer = await api.call(validate, { token: bad });
    expect(answer).toMatchObject({
      status: 401,
      error: { code: 'UNAUTHORIZED', details: { hint: expect.stringMatching(/\w/) } },
    });
    expect(answer.headers['www-authenticate']).toContain(challenge);
    if (bad === null) expect(answer.headers['www-authenticate']).not.toContain('error');
  });
});

describe('§5 Authentication', () => {
  test('1: every API request carries Authorization: Bearer; nothing else counts', async () => {
    const { access_token } = await api.tokens();
    expect(await statusOf(access_token)).toBe(200);
    expect(await api.call(validate, { token: null, query: { access_token } })).toMatchObject({ status: 401 });
    expect(await api.call(validate, { token: null, headers: { authorization: access_token } })).toMatchObject({
      status: 401,
    });
    expect(
      await api.call(validate, { token: null, headers: { authorization: `bearer ${access_token}` } }),
    ).toMatchObject({ status: 200 });
  });

  test('2: registration gives an id, a secret and what was registered; the secret is shown once', async () => {
    const { clients } = contract;
    const body = {
      name: 'RIS',
      kind: 'server',
      redirect_uris: ['https://ris.example/callback'],
      scopes: ['worklists:write'],
    };
    const made = succeeded(await api.call(clients.endpoints.create, { body }), 201);
    expect(made).toMatchObject({ ...body, test_mode: false, secret: expect.stringMatching(/^lcs_/) });
    const kept = succeeded(await api.call(clients.endpoints.get, { params: { id: made.id } }));
    expect(kept).toMatchObject(body);
    expect(kept).not.toHaveProperty('secret');
    expect(kept).not.toHaveProperty('secret_hash');
    for (const kind of ['web', 'mobile', 'server']) {
      expect(succeeded(await api.call(clients.endpoints.create, { body: { ...body, kind } }), 201).kind).toBe(kind);
    }
  });

  test('3, 4: redirect, consent, callback with code and the same state, exchange', async () => {
    const maker = await api.createClient({ redirect_uris: ['https://ris.example/callback'] });
    await api.createUser({ username: 'prado', password: 'correct horse' });
    const granted = await api.tokens({
      client: maker,
      login: { username: 'prado', password: 'correct horse' },
      scopes: ['jobs:read'],
    });
    expect(granted).toMatchObject({ scope: 'jobs:read', refresh_token: expect.any(String) });
  });

  test('5: an access token expires after an hour; a refresh gives a new one', async () => {
    const { access_token, refresh_token } = await api.tokens();
    api.clock.advance(3_599_000);
    expect(await statusOf(access_token)).toBe(200);
    api.clock.advance(1000);
    const expired = await api.call(validate, { token: access_token });
    expect(expired).toMatchObject({
      status: 401,
      error: { code: 'UNAUTHORIZED', message: expect.stringContaining('expired') },
    });
    const fresh = (await api.call(token, { body: { grant_type: 'refresh_token', refresh_token, ...client } }))
      .json as TokenResponse;
    expect(await statusOf(fresh.access_token)).toBe(200);
  });

  test('6: a revoked token is refused from then on', async () => {
    const { access_token } = await api.tokens();
    await api.call(revoke, { body: { token: access_token, ...client } });
    expect(await api.call(validate, { token: access_token })).toMatchObject({
      status: 401,
      error: { message: expect.stringContaining('revoked') },
    });
  });

  test('7: a refresh token lives 30 days from its last use', async () => {
    const { refresh_token } = await api.tokens();
    api.clock.advance(30 * 24 * 3_600_000);
    const late = await api.call(token, { body: { grant_type: 'refresh_token', refresh_token, ...client } });
    expect(late).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
  });

  // Those of FHIRcast are needed by the hub (test/server/viewers/hub.test.ts).
  test.each(allScopes.filter((scope) => !isForHub([scope])))(
    '8: the scope %s is granted alone, and is enough where it is asked for',
    async (scope) => {
      const { access_token } = await api.tokens({ scopes: [scope] });
      expect(succeeded(await api.call(validate, { token: access_token })).scope).toBe(scope);
      const needing = endpoints.filter((endpoint) => endpoint.scope === scope);
      expect(needing.length).toBeGreaterThan(0);
    },
  );

  test('9: test clients follow the same flow', async () => {
    expect((await api.tokens()).scope).toBe(allScopes.join(' '));
  });

  test('metadata and keys are where generic clients look for them (RFC 8414, RFC 7517)', async () => {
    const described = await api.call(metadata);
    expect(described.json).toMatchObject({
      issuer: 'http://localhost:80',
      token_endpoint: `http://localhost:80${token.path}`,
      code_challenge_methods_supported: ['S256'],
    });
    const { keys } = (await api.call(jwks)).json as { keys: Record<string, unknown>[] };
    expect(keys).toMatchObject([{ kty: 'EC', use: 'sig' }]);
    expect(keys[0]).not.toHaveProperty('d');
  });
});

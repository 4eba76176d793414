/** POST /api/oauth/token: specification 4.1, RFC 6749 4.1.3, 5 and 6, RFC 7636, RFC 9700. */
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/contract/errors.ts';
import {
  authorizeUrl,
  codeOf,
  createAuthorizationApp,
  form,
  logIn,
  putProductionClient,
  redirectOf,
  statusWith,
  testClient,
  tokenRequest,
  usualHashing,
} from '../../support/authorization-app.ts';
import type { AuthorizationApp } from '../../support/authorization-app.ts';

const { client_id, client_secret, redirect_uri } = testClient;
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = createHash('sha256').update(verifier).digest('base64url');
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

let server: AuthorizationApp;
beforeEach(async () => {
  server = await createAuthorizationApp();
});
const redeem = (code: string, changes: Readonly<Record<string, string>> = {}) =>
  tokenRequest(server.app, { grant_type: 'authorization_code', code, redirect_uri, ...changes });
const refresh = (refresh_token: string, changes: Readonly<Record<string, string>> = {}) =>
  tokenRequest(server.app, { grant_type: 'refresh_token', refresh_token, ...changes });
const post = (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) => {
  const sent = form(fields);
  return server.app.inject({
    method: 'POST',
    url: '/api/oauth/token',
    payload: sent.payload,
    headers: { ...sent.headers, ...headers },
  });
};

test('a code gives the documented token response, not to be kept', async () => {
  const answer = await redeem(await codeOf(server.app));
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.json()).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^[\w-]{43}$/),
    scope: 'worklists:read jobs:read',
  });
});

test('an access token says who, for whom, what and how long', async () => {
  const { access_token } = await logIn(server.app);
  const [header, payload] = access_token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  const [user] = await server.services.store.find('users', {});
  expect(header).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
  expect(payload).toEqual({
    iss: 'http://localhost:80',
    aud: 'http://localhost:80',
    sub: user!.id,
    client_id,
    scope: 'worklists:read jobs:read',
    jti: expect.stringMatching(/^grt_[0-9A-Z]{26}\.[\w-]{22}$/),
    iat: server.clock.now() / 1000,
    exp: server.clock.now() / 1000 + 3600,
  });
});

test('only hashes of codes, refresh tokens and secrets are kept, and the private key is never served', async () => {
  const code = await codeOf(server.app);
  const { refresh_token } = (await redeem(code)).json();
  const { store } = server.services;
  const kept = JSON.stringify(
    await Promise.all(
      (['clients', 'users', 'codes', 'grants', 'refresh_tokens'] as const).map((c) => store.find(c, {})),
    ),
  );
  for (const secret of [code, refresh_token, client_secret]) expect(kept).not.toContain(secret);
  const { keys } = (await server.app.inject('/api/oauth/jwks')).json();
  expect(keys).toEqual([
    {
      kty: 'EC',
      crv: 'P-256',
      x: expect.any(String),
      y: expect.any(String),
      kid: expect.any(String),
      alg: 'ES256',
      use: 'sig',
    },
  ]);
});

describe('a code', () => {
  test('works once; a second use revokes what the first gave', async () => {
    const code = await codeOf(server.app);
    const { access_token, refresh_token } = (await redeem(code)).json();
    expect(await statusWith(server.app, access_token)).toBe(200);
    server.clock.advance(3_000_000);
    const replay = await redeem(code);
    expect(replay.statusCode).toBe(400);
    expect(replay.json().error).toBe('invalid_grant');
    expect(await statusWith(server.app, access_token)).toBe(401);
    expect((await refresh(refresh_token)).json().error).toBe('invalid_grant');
  });

  test('redeemed 50 times at once gives one token', async () => {
    const code = await codeOf(server.app);
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(code)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(49);
  });

  test('lives 60 seconds', async () => {
    const codes = [await codeOf(server.app), await codeOf(server.app)];
    server.clock.advance(59_999);
    expect((await redeem(codes[0]!)).statusCode).toBe(200);
    server.clock.advance(1);
    expect((await redeem(codes[1]!)).json().error).toBe('invalid_grant');
  });

  test.each([
    ['another redirect_uri', { redirect_uri: 'http://127.0.0.1:9/callback' }, {}],
    ['an unknown code', { code: 'unknown' }, {}],
    ['a missing verifier', {}, { code_challenge: challenge, code_challenge_method: 'S256' }],
    [
      'a wrong verifier',
      { code_verifier: 'x'.repeat(43) },
      { code_challenge: challenge, code_challenge_method: 'S256' },
    ],
    [
      'a verifier of 42 characters',
      { code_verifier: verifier.slice(1) },
      { code_challenge: challenge, code_challenge_method: 'S256' },
    ],
    [
      'a verifier of 129 characters',
      { code_verifier: 'x'.repeat(129) },
      { code_challenge: challenge, code_challenge_method: 'S256' },
    ],
    ['an unasked-for verifier', { code_verifier: verifier }, {}],
  ] as const)('with %s is an invalid_grant', async (_name, sent, asked) => {
    const answer = await redeem(await codeOf(server.app, asked), sent);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ error: 'invalid_grant', error_description: expect.any(String) });
  });

  test('with the right verifier gives tokens', async () => {
    const code = await codeOf(server.app, { code_challenge: challenge, code_challenge_method: 'S256' });
    expect((await redeem(code, { code_verifier: verifier })).statusCode).toBe(200);
  });

  test('is of no use to another client, and still works for its own', async () => {
    const other = await putProductionClient(server);
    const code = await codeOf(server.app);
    const stolen = await redeem(code, { client_id: other.client_id, client_secret: other.client_secret });
    expect(stolen.json().error).toBe('invalid_grant');
    expect((await redeem(code)).statusCode).toBe(200);
  });
});

describe('a refresh token', () => {
  test('is rotated, and the new access token works along with the old', async () => {
    const first = await logIn(server.app);
    server.clock.advance(1_800_000);
    const answer = await refresh(first.refresh_token);
    expect(answer.statusCode).toBe(200);
    const second = answer.json();
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.scope).toBe(first.scope);
    expect(await statusWith(server.app, second.access_token)).toBe(200);
    expect(await statusWith(server.app, first.access_token)).toBe(200);
  });

  test('used twice ends its whole family', async () => {
    const first = await logIn(server.app);
    const second = (await refresh(first.refresh_token)).json();
    expect((await refresh(first.refresh_token)).json().error).toBe('invalid_grant');
    expect((await refresh(second.refresh_token)).json().error).toBe('invalid_grant');
    expect(await statusWith(server.app, second.access_token)).toBe(401);
  });

  test('used 20 times at once gives at most one answer', async () => {
    const { refresh_token } = await logIn(server.app);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(refresh_token)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  test('lives 30 days', async () => {
    const [one, other] = [await logIn(server.app), await logIn(server.app)];
    server.clock.advance(30 * 24 * 3600 * 1000 - 1);
    expect((await refresh(one!.refresh_token)).statusCode).toBe(200);
    server.clock.advance(1);
    expect((await refresh(other!.refresh_token)).json().error).toBe('invalid_grant');
  });

  test('may narrow the scope, never widen it, and a refusal does not use it up', async () => {
    const { refresh_token } = await logIn(server.app);
    expect((await refresh(refresh_token, { scope: 'worklists:read jobs:write' })).json().error).toBe('invalid_scope');
    const narrow = (await refresh(refresh_token, { scope: 'jobs:read' })).json();
    expect(narrow.scope).toBe('jobs:read');
    expect((await refresh(narrow.refresh_token)).json().scope).toBe('worklists:read jobs:read');
  });

  test('is of no use to another client, and still works for its own', async () => {
    const other = await putProductionClient(server);
    const { refresh_token } = await logIn(server.app);
    const stolen = await refresh(refresh_token, { client_id: other.client_id, client_secret: other.client_secret });
    expect(stolen.json().error).toBe('invalid_grant');
    expect((await refresh(refresh_token)).statusCode).toBe(200);
  });
});

describe('the client', () => {
  test.each([
    ['a wrong secret', { client_secret: 'wrong' }],
    ['an unknown client', { client_id: 'lc_nobody' }],
    ['no secret', { client_secret: '' }],
    ['no id', { client_id: '' }],
  ])('%s is an invalid_client without a challenge', async (_name, changes) => {
    const answer = await tokenRequest(server.app, { grant_type: 'refresh_token', refresh_token: 'x', ...changes });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({ error: 'invalid_client', error_description: expect.any(String) });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    expect(answer.headers).not.toHaveProperty('www-authenticate');
  });

  test('may use HTTP Basic; when that fails the challenge is Basic', async () => {
    const code = await codeOf(server.app);
    const fields = { grant_type: 'authorization_code', code, redirect_uri };
    const wrong = await post(fields, { authorization: basic(client_id, 'wrong') });
    expect(wrong.statusCode).toBe(401);
    expect(wrong.headers['www-authenticate']).toMatch(/^Basic realm=/);
    expect((await post(fields, { authorization: basic(client_id, client_secret) })).statusCode).toBe(200);
  });

  test('two ways at once are an invalid_request', async () => {
    const answer = await post(
      { grant_type: 'refresh_token', client_id, client_secret },
      { authorization: basic(client_id, client_secret) },
    );
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toBe('invalid_request');
  });

  test.each([
    ['Bearer eyJhbGciOiJSUzI1NiJ9.canary.x', 'Bearer'],
    ['bearer canary', 'Bearer'],
    ['Digest username="canary"', 'of this kind'],
    ['canary', 'of this kind'],
  ])('Authorization %s is none, whatever else is sent, and the answer says what is taken', async (sent, named) => {
    const fields = { grant_type: 'refresh_token', refresh_token: 'x' };
    for (const body of [fields, { ...fields, client_id, client_secret }]) {
      const answer = await post(body, { authorization: sent });
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toEqual({
        error: 'invalid_client',
        error_description: `Authorization ${named} authenticates no client; send HTTP Basic, or client_id and client_secret, or client_assertion, in the body`,
      });
      expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/);
    }
  });

  test('a secret with every awkward character works in the body and by Basic, encoded or not', async () => {
    const secret = 'a+b/c=d:e%f&g é%2Bh';
    const { client_id } = await putProductionClient(server, { id: 'lc_odd', secret });
    const fields = { grant_type: 'refresh_token', refresh_token: 'x' };
    const encoded = new URLSearchParams({ s: secret }).toString().slice(2);
    for (const answer of [
      await post({ ...fields, client_id, client_secret: secret }),
      await post(fields, { authorization: basic(client_id, secret) }),
      await post(fields, { authorization: basic(client_id, encoded) }),
      await post(fields, { authorization: basic(client_id, encodeURIComponent(secret)) }),
    ]) {
      expect(answer.json().error).toBe('invalid_grant');
    }
  });

  test('twenty wrong secrets in a row make it wait a minute, and nobody else', async () => {
    const other = await putProductionClient(server);
    const guess = () =>
      tokenRequest(server.app, { grant_type: 'refresh_token', refresh_token: 'x', client_secret: 'wrong' });
    for (let tries = 0; tries < 20; tries++) expect((await guess()).statusCode).toBe(401);
    const refused = await guess();
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('60');
    expect(refused.json().error).toBe('temporarily_unavailable');
    expect((await post({ grant_type: 'refresh_token', refresh_token: 'x', ...other })).json().error).toBe(
      'invalid_grant',
    );
    server.clock.advance(60_000);
    expect((await guess()).statusCode).toBe(401);
  });

  /** Requests as from another computer. */
  const guessFrom = (remoteAddress: string, client_secret = `wrong ${Math.random()}`) => {
    const sent = form({ grant_type: 'refresh_token', refresh_token: 'x', client_id, client_secret });
    return server.app.inject({ method: 'POST', url: '/api/oauth/token', remoteAddress, ...sent });
  };

  test('guesses sent all at once are counted before they are looked at', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => guessFrom('192.0.2.7')));
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(20);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(40);
  });

  test('secrets are guessed slowly: most are refused unread, and one that was right before is taken', async () => {
    let hashed = 0;
    server = await createAuthorizationApp(undefined, () => ({
      ...usualHashing,
      verify: (...asked) => {
        hashed++;
        return usualHashing.verify(...asked);
      },
    }));
    await logIn(server.app);
    const before = hashed;
    for (const seconds of [0, 30, 30, 30]) {
      server.clock.advance(seconds * 1000);
      const answers = await Promise.all(Array.from({ length: 300 }, () => guessFrom('127.0.0.1')));
      expect(answers.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThanOrEqual(280);
    }
    // In a minute and a half.
    expect(hashed - before).toBeLessThanOrEqual(20 + 2 * 61);
    expect((await guessFrom('127.0.0.1', client_secret)).json().error).toBe('invalid_grant');
  });

  test('is not locked out by whoever guesses, elsewhere or where it works itself, before its first login or after', async () => {
    for (const isKnown of [false, true]) {
      server = await createAuthorizationApp();
      if (isKnown) await logIn(server.app);
      for (const address of ['127.0.0.1', '192.0.2.7']) {
        await Promise.all(Array.from({ length: 20 }, () => guessFrom(address)));
        expect((await guessFrom(address)).statusCode).toBe(429);
      }
      for (const address of ['127.0.0.1', '198.51.100.1'])
        expect((await guessFrom(address, client_secret)).json().error).toBe('invalid_grant');
    }
  });

  test('takes one hash of the same cost, known or unknown, each reading of its secret', async () => {
    const costs: string[] = [];
    server = await createAuthorizationApp(undefined, () => ({
      ...usualHashing,
      verify(secret, hash, asked) {
        costs.push(`${asked.kind} ${hash.split('$').slice(0, 4).join('$')}`);
        return usualHashing.verify(secret, hash, asked);
      },
    }));
    const fields = { grant_type: 'refresh_token', refresh_token: 'x' };
    for (const id of [client_id, 'lc_nobody']) {
      await post({ ...fields, client_id: id, client_secret: 'wrong' });
      await post(fields, { authorization: basic(id, 'wrong%21') });
    }
    expect(costs).toEqual(Array.from({ length: 6 }, () => 'client scrypt$4096$8$1'));
  });

  test('asked for by many requests at once costs one hash, and none later', async () => {
    let hashes = 0;
    server = await createAuthorizationApp(undefined, (real) => ({
      ...real,
      verify: (...asked) => (hashes++, real.verify(...asked)),
    }));
    await Promise.all(Array.from({ length: 50 }, () => refresh('x')));
    await refresh('x');
    expect(hashes).toBe(1);
  });

  test('is asked to come back if too many wait', async () => {
    server = await createAuthorizationApp(undefined, (real) => ({
      ...real,
      verify() {
        throw new AppError('SERVER_BUSY', { retryAfter: 3 });
      },
    }));
    const answer = await refresh('x');
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().error]).toEqual([503, '3', 'server_error']);
  });
});

describe('the request', () => {
  test.each([
    ['no grant_type', { grant_type: '' }, 'invalid_request'],
    ['another grant_type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['no code', { grant_type: 'authorization_code', redirect_uri }, 'invalid_request'],
    ['no redirect_uri', { grant_type: 'authorization_code', code: 'x' }, 'invalid_request'],
    ['no refresh_token', { grant_type: 'refresh_token' }, 'invalid_request'],
    ['an unknown scope', { grant_type: 'refresh_token', refresh_token: 'x', scope: 'everything' }, 'invalid_scope'],
  ] as const)('%s: %s', async (_name, fields, error) => {
    const answer = await tokenRequest(server.app, fields);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toBe(error);
  });

  test('a repeated parameter is an invalid_request', async () => {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
      payload: 'grant_type=refresh_token&grant_type=refresh_token',
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toBe('invalid_request');
  });

  test('JSON gives no tokens; GET is a 405 with Allow', async () => {
    const code = await codeOf(server.app);
    const json = await server.app.inject({
      method: 'POST',
      url: '/api/oauth/token',
      payload: { grant_type: 'authorization_code', code, redirect_uri, client_id, client_secret },
    });
    expect(json.statusCode).toBe(415);
    const get = await server.app.inject('/api/oauth/token');
    expect(get.statusCode).toBe(405);
    expect(get.headers.allow).toBe('POST');
  });
});

test('a code is dead once its client was removed', async () => {
  const answer = await server.app.inject(authorizeUrl());
  await server.services.store.transact(async (tx) => tx.remove('clients', client_id));
  expect((await redeem(redirectOf(answer).code!)).json().error).toBe('invalid_client');
});

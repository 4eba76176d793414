/** Logins by a hospital's accounts: the whole way with oidc-provider, and attacks on it. */
import { UnsecuredJWT } from 'jose';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createServer } from '../../../server/index.ts';
import type { Server, ServerOptions } from '../../../server/index.ts';
import { boundedFetch } from '../../../server/auth/provider/bounded-fetch.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import type { ManualClock } from '../../../src/domain/clock.ts';
import { authorizeUrl, form } from '../../support/authorization-app.ts';
import { cheapSecrets } from '../../support/cheap-secrets.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { providerClient, startLoginProvider } from '../../support/login-provider.ts';
import type { LoginProvider } from '../../support/login-provider.ts';
import { paths, startLyingProvider } from '../../support/lying-provider.ts';
import type { LyingProvider } from '../../support/lying-provider.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { createPageVisitor, origin } from '../../support/page-visitor.ts';

const callbackPath = '/oauth/provider/callback';
const redirect_uri = 'https://ris.example/callback';
let server: Server;
let clock: ManualClock;
let client: { id: string; secret: string };
const logged: Record<string, unknown>[] = [];

const call = async (method: 'GET' | 'POST' | 'PATCH' | 'PUT', url: string, body?: object) => {
  const headers = { authorization: `Bearer ${server.adminToken}` };
  const answer = await server.inject({ method, url, headers, ...(body && { payload: body }) } as never);
  return answer.json();
};
const start = async (issuer: string, more: Partial<ServerOptions> = {}) => {
  logged.length = 0;
  clock = manualClock(Date.parse('2026-03-02T11:30:00Z'));
  server = await createServer({
    version: '0.0.0-test',
    clock,
    ...(more.dataDir === undefined && { store: { use: 'memory' } }),
    secretCosts: cheapSecrets,
    log: (entry) => void logged.push(entry as never),
    provider: { issuer, ...providerClient, name: 'São Lucas' },
    ...more,
  });
  onTestFinished(server.close);
  client = (await call('POST', '/api/v1/admin/clients', { name: 'RIS', redirect_uris: [redirect_uri] })).data;
};

const createVisitor = () => createPageVisitor(() => server as never);
type Visitor = ReturnType<typeof createVisitor>;
/** Opens the login page and follows its button. Returns the address at the provider. */
const leave = async (person: Visitor): Promise<URL> => {
  const request = { client_id: client.id, redirect_uri, scope: 'worklists:read' };
  const { body } = await person.follow(await person.get(authorizeUrl(request)));
  const link = /href="(\/login\/provider[^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
  expect(body).toContain('Log in with São Lucas');
  return new URL(String((await person.get(link!)).headers.location), origin);
};
/** The page to which the callback leads. */
const follow = async (person: Visitor, answer: Awaited<ReturnType<Visitor['get']>>) =>
  answer.statusCode === 303 ? person.follow(answer) : answer;
const redeem = async (code: string) => {
  const fields = { grant_type: 'authorization_code', code, redirect_uri };
  return post({ ...fields });
};
const post = async (fields: Readonly<Record<string, string>>) => {
  const own = { client_id: client.id, client_secret: client.secret };
  const answer = await server.inject({
    method: 'POST',
    url: '/api/oauth/token',
    ...form({ ...own, ...fields }),
  } as never);
  return answer.json();
};
const approve = async (person: Visitor) => {
  const approved = await person.post('/consent', { decision: 'approve' });
  return redeem(new URL(String(approved.headers.location)).searchParams.get('code')!);
};
const people = async () =>
  (await call('GET', '/api/v1/admin/users')).data.items.filter((each: { space: string }) => each.space === 'local');
const createPerson = async (more: object = {}) =>
  (await call('POST', '/api/v1/admin/users', { username: 'helena', password: 'correct horse', ...more })).data;
const entries = async (action: string) =>
  (await call('GET', '/api/v1/admin/audit')).data.items.filter((each: { action: string }) => each.action === action);

describe('with oidc-provider, a person', () => {
  let provider: LoginProvider;
  beforeEach(async () => {
    provider = await startLoginProvider([`${origin}${callbackPath}`]);
    provider.accounts.set('sub-helena', {
      name: 'Dra. Helena Prado',
      preferred_username: 'helena',
      roles: ['default-roles-hospital', 'physician'],
    });
    await start(provider.issuer);
  });
  /** The way to the provider and back; returns where the browser arrives. */
  const travel = async (person: Visitor, subject: string | null) => {
    const back = new URL(await provider.visit((await leave(person)).href, subject));
    return back.pathname + back.search;
  };
  const logIn = async (person: Visitor, subject: string | null = 'sub-helena') =>
    follow(person, await person.get(await travel(person, subject)));

  test('logs in and consents; their access ends after a working day, whatever the application refreshes', async () => {
    const person = createVisitor();
    expect((await logIn(person)).body).toContain('Dra. Helena Prado');
    let tokens = await approve(person);
    const { issuer } = provider;
    expect(await people()).toMatchObject([
      { username: 'helena', display_name: 'Dra. Helena Prado', provider: { issuer, subject: 'sub-helena' } },
    ]);
    expect(await entries('provider_login')).toMatchObject([
      { by: 'person', kind: 'users', outcome: 'done' },
      { by: 'service', kind: 'users', outcome: 'done' },
    ]);
    for (const hours of [5.5, 6]) {
      clock.advance(hours * 3600_000);
      tokens = await post({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
    }
    expect(tokens.expires_in).toBe(1800);
    clock.advance(1800_000);
    const late = await post({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
    expect(late.error).toBe('invalid_grant');
  });

  test('is one user at every login, even if the first two come at once', async () => {
    const visitors = [createVisitor(), createVisitor()];
    const ways: string[] = [];
    for (const person of visitors) ways.push(await travel(person, 'sub-helena'));
    await Promise.all(visitors.map((person, at) => person.get(ways[at]!)));
    await logIn(createVisitor());
    expect(await people()).toHaveLength(1);
  });

  test('takes no name of another user, and has no password', async () => {
    const { id } = await createPerson({ display_name: 'Dra. Helena Prado' });
    await logIn(createVisitor());
    const [made, own] = await people();
    expect(made).toMatchObject({ username: 'helena-2', display_name: 'Dra. Helena Prado (2)' });
    expect(own).not.toHaveProperty('provider');
    expect(own.id).toBe(id);
    for (const password of ['', 'correct horse']) {
      const person = createVisitor();
      await leave(person);
      expect((await person.post('/login', { username: 'helena-2', password })).statusCode).toBe(400);
    }
  });

  test('is the local user whom the operator linked with the account', async () => {
    const { id } = await createPerson();
    const link = (subject: string | null, of = id) =>
      call('PATCH', `/api/v1/admin/users/${of}`, { provider_subject: subject });
    expect((await link('sub-helena')).data.provider).toEqual({ issuer: provider.issuer, subject: 'sub-helena' });
    const other = await createPerson({ username: 'caio' });
    expect((await link('sub-helena', other.id)).error.code).toBe('VALIDATION_FAILED');
    const person = createVisitor();
    await logIn(person);
    const { access_token } = await approve(person);
    const headers = { authorization: `Bearer ${access_token}` };
    const validate = () => server.inject({ url: '/api/oauth/validate', headers } as never);
    expect((await validate()).json().data.user.id).toBe(id);
    await link(null);
    expect((await validate()).statusCode).toBe(401);
  });

  test.each([
    [{ roles: ['physician', 'resident'] }, 'resident'],
    [{ groups: ['/attending', '/staff'] }, 'attending'],
    [{ roles: 'physician' }, undefined],
  ])('signs by the roles of the provider: %j', async (claims, role) => {
    provider.accounts.set('sub-caio', { preferred_username: 'caio', ...claims });
    await logIn(createVisitor(), 'sub-caio');
    expect((await people())[0].role).toBe(role);
  });

  test('without a role is refused, and what they granted while they had one ends', async () => {
    const person = createVisitor();
    await logIn(person);
    const { refresh_token } = await approve(person);
    provider.accounts.set('sub-helena', { preferred_username: 'helena', roles: ['uma_authorization', 'constructor'] });
    const refused = await logIn(createVisitor());
    expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining('has no role for this')]);
    expect((await post({ grant_type: 'refresh_token', refresh_token })).error).toBe('invalid_grant');
    expect((await entries('provider_login'))[0]).toMatchObject({ outcome: 'refused' });
    expect(logged).toContainEqual(expect.objectContaining({ event: 'provider_refused', reason: 'no_role' }));
  });

  test('who cancels can log in in another way', async () => {
    await createPerson();
    const person = createVisitor();
    const page = await logIn(person, null);
    expect([page.statusCode, page.body]).toEqual([403, expect.stringContaining('was canceled')]);
    const entered = await person.post('/login', { username: 'helena', password: 'correct horse' });
    expect(entered.headers.location).toMatch(/^\/consent/);
  });

  test('finds the provider’s way only in their own browser, once', async () => {
    const person = createVisitor();
    const way = await travel(person, 'sub-helena');
    expect((await createVisitor().get(way)).statusCode).toBe(400);
    const thief = createVisitor();
    await leave(thief);
    expect((await thief.get(way)).statusCode).toBe(400);
    expect((await person.get(way)).statusCode).toBe(303);
    expect((await person.get(way)).statusCode).toBe(400);
    const text = JSON.stringify(logged);
    for (const secret of ['sub-helena', new URL(way, origin).searchParams.get('code')!, providerClient.clientSecret])
      expect(text).not.toContain(secret);
  });

  test('comes back to another process over the same store', async () => {
    const dataDir = await temporaryDirectory();
    await start(provider.issuer, { dataDir });
    const person = createVisitor();
    const way = await travel(person, 'sub-helena');
    await server.close();
    await start(provider.issuer, { dataDir });
    expect((await follow(person, await person.get(way))).body).toContain('Dra. Helena Prado');
  });

  test('of another space has no such button', async () => {
    const other = { name: 'Other', redirect_uris: [redirect_uri], space: 'other' };
    client = (await call('POST', '/api/v1/admin/clients', other)).data;
    await expect(leave(createVisitor())).rejects.toThrow('to contain');
  });
});

describe('whatever the provider answers', () => {
  let provider: LyingProvider;
  let asked: URL;
  beforeEach(async () => {
    provider = await startLyingProvider(() => asked.searchParams.get('nonce')!);
    await start(provider.issuer);
  });
  const arrive = async (change: (answer: URLSearchParams) => void = () => {}) => {
    const person = createVisitor();
    asked = await leave(person);
    if (asked.hostname === 'localhost') return person.get(asked.pathname + asked.search);
    const answer = new URLSearchParams({ code: 'a-code', state: asked.searchParams.get('state')! });
    change(answer);
    return follow(person, await person.get(`${callbackPath}?${answer}`));
  };

  test('an honest answer logs in', async () => {
    expect((await arrive()).body).toContain('Allow RIS?');
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${origin}${callbackPath}`,
      scope: 'openid profile',
      ui_locales: 'en',
    });
  });

  test.each<[string, object, string]>([
    ['the nonce of another login', { nonce: 'another' }, 'did not pass a check'],
    ['no nonce', { nonce: undefined }, 'did not pass a check'],
    ['an id token for another client', { aud: 'another' }, 'did not pass a check'],
    ['an id token of another issuer', { iss: 'https://evil.example' }, 'did not pass a check'],
    ['an id token that ended', { iat: 1_600_000_000, exp: 1_600_000_060 }, 'The clocks'],
    ['no subject', { sub: undefined }, 'did not pass a check'],
  ])('%s logs nobody in', async (_name, claims, text) => {
    provider.claims = claims as Record<string, unknown>;
    const page = await arrive();
    expect([page.statusCode, page.body]).toEqual([403, expect.stringContaining(text)]);
    expect(await people()).toEqual([]);
  });

  test('an id token without a signature, or of another key, logs nobody in', async () => {
    const other = await startLyingProvider(() => asked.searchParams.get('nonce')!);
    other.claims = { iss: provider.issuer };
    await arrive();
    const { id_token: idToken } = (await (await fetch(other.issuer + paths.token)).json()) as { id_token: string };
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: provider.issuer, sub: 'sub-eve', aud: providerClient.clientId, iat: now, exp: now + 60 };
    for (const token of [idToken, new UnsecuredJWT(claims).encode()]) {
      provider.idToken = token;
      expect((await arrive()).statusCode).toBe(403);
    }
  });

  test('the answer of another provider is not taken (RFC 9207)', async () => {
    expect((await arrive((answer) => answer.set('iss', 'https://evil.example'))).statusCode).toBe(403);
    provider.metadata = { authorization_response_iss_parameter_supported: true };
    await start(provider.issuer);
    expect((await arrive()).statusCode).toBe(403);
    expect((await arrive((answer) => answer.set('iss', provider.issuer))).statusCode).toBe(200);
  });

  test('a changed state is that of no login', async () => {
    expect((await arrive((answer) => answer.set('state', `${answer.get('state')}x`))).statusCode).toBe(400);
    expect((await arrive((answer) => answer.delete('state'))).statusCode).toBe(400);
    expect((await arrive((answer) => answer.append('code', 'another'))).statusCode).toBe(403);
  });

  test.each<[string, object]>([
    ['HTML', { headers: { 'content-type': 'text/html' }, body: '<h1>Hello</h1>' }],
    ['an error', { status: 500, body: 'no' }],
    ['an answer without end', { headers: { 'content-type': 'application/json' }, body: ' '.repeat(600_000) }],
    ['a redirect', { status: 302, headers: { location: 'https://evil.example/' }, body: '' }],
    ['nothing', { cut: true }],
  ])('%s is a provider that does not answer, at each of its addresses', async (_name, reply) => {
    for (const path of [paths.token, paths.metadata]) {
      provider.replies.clear();
      await start(provider.issuer);
      provider.replies.set(path, reply);
      const page = await arrive();
      expect([page.statusCode, page.body]).toEqual([503, expect.stringContaining('is not responding')]);
      expect(logged).toContainEqual(expect.objectContaining({ event: 'provider_refused', reason: 'unreachable' }));
    }
    // The next login asks again.
    provider.replies.clear();
    expect((await arrive()).statusCode).toBe(200);
  });

  test('a session that ended there ends here, by a token of the provider alone', async () => {
    const person = createVisitor();
    asked = await leave(person);
    const state = asked.searchParams.get('state')!;
    await person.follow(await person.get(`${callbackPath}?${new URLSearchParams({ code: 'a-code', state })}`));
    const { refresh_token } = await approve(person);
    const send = async (token: string) => {
      const sent = form({ logout_token: token });
      const answer = await server.inject({ method: 'POST', url: '/oauth/provider/logout', ...sent } as never);
      return [answer.statusCode, answer.headers['cache-control']];
    };
    const now = Math.floor(Date.now() / 1000);
    const wrong = [
      { aud: 'another' },
      { iss: 'https://evil.example' },
      { events: {} },
      { nonce: 'as in an id token' },
      { sub: undefined, sid: 'a-session' },
      { iat: now - 600 },
    ];
    for (const claims of wrong) expect(await send(await provider.signLogout(claims))).toEqual([400, 'no-store']);
    const claims = { iss: provider.issuer, sub: 'sub-helena', aud: providerClient.clientId, iat: now };
    for (const token of ['', 'x', new UnsecuredJWT(claims).encode()]) expect((await send(token))[0]).toBe(400);
    const tokens = await post({ grant_type: 'refresh_token', refresh_token });
    expect(tokens.error).toBeUndefined();
    expect(await send(await provider.signLogout())).toEqual([200, 'no-store']);
    expect((await post({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })).error).toBe(
      'invalid_grant',
    );
    expect(await send(await provider.signLogout({ sub: 'sub-nobody' }))).toEqual([200, 'no-store']);
  });

  test('metadata of another issuer are not believed', async () => {
    provider.metadata = { issuer: 'https://evil.example' };
    await start(provider.issuer);
    expect((await arrive()).statusCode).toBe(403);
  });
});

test('a slow provider is given up', async () => {
  const pending = Promise.withResolvers<object>();
  const slow = await startHttpServer(() => pending.promise);
  onTestFinished(() => slow.close());
  await expect(boundedFetch(slow.url, {}, 1)).rejects.toMatchObject({ name: 'TimeoutError' });
  pending.resolve({});
});

test.each(['http://login.example', 'ftp://login.example', 'https://me:secret@login.example', 'login.example'])(
  '%s is no address of a provider',
  async (issuer) => {
    await expect(start(issuer)).rejects.toMatchObject({ code: 'CONFIGURATION', hint: expect.any(String) });
  },
);

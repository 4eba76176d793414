/** Login and consent as HTTP: specification section 1 (manual mode), RFC 6749 10.12, RFC 9700 4. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../src/contract/errors.ts';
import { findUser } from '../../../server/auth/accounts.ts';
import { pageAddress } from '../../../server/auth/pages/paths.ts';
import {
  authorizeUrl,
  createAuthorizationApp,
  putProductionClient,
  redirectOf,
  tokenRequest,
  usualHashing,
} from '../../support/authorization-app.ts';
import type { AuthorizationApp } from '../../support/authorization-app.ts';
import { createPageVisitor, origin } from '../../support/page-visitor.ts';

let server: AuthorizationApp;
beforeEach(async () => {
  server = await createAuthorizationApp();
});

const createVisitor = (headers?: Readonly<Record<string, string>>, remoteAddress?: string) =>
  createPageVisitor(() => server.app, headers, remoteAddress);

test('the whole way: login, consent, approve, code, tokens', async () => {
  const visitor = createVisitor();
  const page = await visitor.begin();
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('<h1>Log in</h1>');
  expect(page.body).toContain('test-physician');
  const loggedIn = await visitor.logIn();
  expect(loggedIn.statusCode).toBe(303);
  const consent = await visitor.follow(loggedIn);
  expect(consent.body).toContain('Laudio test client');
  expect(consent.body).toContain('Dra. Teste');
  expect(consent.body).toContain('Read worklist items');
  expect(consent.body).not.toContain('Read medical records');
  const approved = await visitor.post('/consent', { decision: 'approve' });
  expect(approved.statusCode).toBe(303);
  expect(approved.headers['set-cookie']).toContain('Max-Age=0');
  const { code, state, iss } = redirectOf(approved);
  expect({ state, iss }).toEqual({ state: 'a state/with+odd & signs', iss: origin });
  const tokens = await tokenRequest(server.app, {
    grant_type: 'authorization_code',
    code: code!,
    redirect_uri: 'http://127.0.0.1/callback',
  });
  expect(tokens.statusCode).toBe(200);
});

test.each(['/login', '/consent'])('refusing at %s gives the client access_denied', async (path) => {
  const visitor = createVisitor();
  await visitor.begin();
  if (path === '/consent') await visitor.follow(await visitor.logIn());
  const denied = await visitor.post(path, { decision: 'deny' });
  expect(denied.statusCode).toBe(303);
  expect(redirectOf(denied)).toEqual({
    error: 'access_denied',
    error_description: expect.any(String),
    state: 'a state/with+odd & signs',
    iss: origin,
  });
});

test('a production client’s users log in with their own password', async () => {
  const client = await putProductionClient(server);
  const visitor = createVisitor();
  const page = await visitor.follow(
    await visitor.get(authorizeUrl({ client_id: client.client_id, redirect_uri: client.redirect_uri })),
  );
  expect(page.body).not.toContain('Test mode');
  expect((await visitor.logIn()).statusCode).toBe(400);
  const consent = await visitor.follow(await visitor.logIn({ username: ' NUNES ', password: client.password }));
  expect(consent.body).toContain('RIS São Lucas');
  expect(consent.headers['content-security-policy']).toContain("form-action 'self' https://ris.example;");
  const approved = await visitor.post('/consent', { decision: 'approve' });
  expect(approved.headers.location).toMatch(/^https:\/\/ris\.example\/callback\?tenant=1&code=/);
});

describe('every page', () => {
  test.each([
    ['login', () => createVisitor().begin()],
    [
      'consent',
      async () => {
        const visitor = createVisitor();
        await visitor.begin();
        return visitor.follow(await visitor.logIn());
      },
    ],
    ['error', () => server.app.inject('/login')],
  ] as const)('%s cannot be framed, scripted, kept or traced', async (_name, show) => {
    const { headers, body } = await show();
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    const policy = String(headers['content-security-policy']);
    for (const directive of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"]) {
      expect(policy).toContain(directive);
    }
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(body).not.toMatch(/<script|\son\w+=|style="/i);
  });

  test('escapes the name of the application', async () => {
    const client = await putProductionClient(server);
    const stored = (await server.services.store.get('clients', client.client_id))!;
    await server.services.store.transact(async (tx) => tx.put('clients', { ...stored, name: '<b title="x">&' }));
    const visitor = createVisitor();
    const page = await visitor.follow(
      await visitor.get(authorizeUrl({ client_id: client.client_id, redirect_uri: client.redirect_uri })),
    );
    expect(page.body).toContain('&lt;b title=&quot;x&quot;&gt;&amp;');
    expect(page.body).not.toContain('<b ');
  });

  test.each([
    ['pt-BR,pt;q=0.9,en;q=0.8', undefined, 'pt-BR', 'Entrar'],
    ['es-AR', undefined, 'es', 'Iniciar sesión'],
    ['de-DE,de;q=0.9', undefined, 'en', 'Log in'],
    ['en;q=0.2,es;q=0.7', undefined, 'es', 'Iniciar sesión'],
    ['en', 'pt-PT es', 'pt-BR', 'Entrar'],
  ])('speaks the language of the reader: %s, ui_locales %s', async (accepted, ui_locales, tag, title) => {
    const page = await createVisitor({ 'accept-language': accepted }).begin(
      ui_locales === undefined ? {} : { ui_locales },
    );
    expect(page.body).toContain(`<html lang="${tag}">`);
    expect(page.body).toContain(`<h1>${title}</h1>`);
  });
});

describe('a form', () => {
  test.each([
    ['of another origin', { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' }, {}],
    ['without an Origin', { origin: undefined }, {}],
    ['with Origin null', { origin: 'null' }, {}],
    ['sent across sites', { 'sec-fetch-site': 'cross-site' }, {}],
    ['sent from another port', { 'sec-fetch-site': 'same-site' }, {}],
    ['without its token', {}, { csrf: '' }],
    ['with another token', {}, { csrf: 'x'.repeat(43) }],
  ] as const)('%s is refused, and gives no code', async (_name, headers, fields) => {
    const visitor = createVisitor();
    await visitor.begin();
    await visitor.follow(await visitor.logIn());
    const answer = await visitor.post('/consent', { decision: 'approve', ...fields }, headers);
    expect(answer.statusCode).toBe(403);
    expect(answer.headers).not.toHaveProperty('location');
    expect(await server.services.store.count('codes')).toBe(0);
  });

  test('that is not a form is refused', async () => {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/login',
      payload: { username: 'x' },
      headers: { origin },
    });
    expect(answer.statusCode).toBe(403);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  });
});

describe('a request', () => {
  test('belongs to the browser that began it', async () => {
    const visitor = createVisitor();
    await visitor.begin();
    const { request } = visitor.fields();
    for (const page of ['login', 'consent'] as const) {
      const stranger = await server.app.inject(pageAddress(page, { sealed: request! }));
      expect(stranger.statusCode).toBe(400);
      expect(stranger.body).toContain('has expired');
    }
  });

  test('gets a new cookie and a new token at login: what was planted before is worth nothing', async () => {
    const [visitor, planted] = [createVisitor(), createVisitor()];
    const begun = await visitor.get(authorizeUrl({ test_mode: 'manual' }));
    const cookie = String(begun.headers['set-cookie']).split(';', 1)[0]!;
    await visitor.follow(begun);
    const consent = String((await visitor.logIn()).headers.location);
    expect((await planted.get(consent)).statusCode).toBe(400);
    expect((await server.app.inject({ url: consent, headers: { cookie } })).statusCode).toBe(400);
    expect((await visitor.get(consent)).statusCode).toBe(200);
  });

  test('is decided once', async () => {
    const visitor = createVisitor();
    await visitor.begin();
    await visitor.follow(await visitor.logIn());
    const answers = await Promise.all([1, 2, 3].map(() => visitor.post('/consent', { decision: 'approve' })));
    expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1);
  });

  test('cannot be approved before a login', async () => {
    const visitor = createVisitor();
    await visitor.begin();
    const answer = await visitor.post('/consent', { decision: 'approve' });
    expect(answer.headers.location).toMatch(/^\/login\?/);
    expect(await server.services.store.count('codes')).toBe(0);
  });

  test('is pushed out by nobody, however many others are begun', async () => {
    const visitor = createVisitor();
    await visitor.begin();
    for (let stranger = 0; stranger < 1005; stranger++)
      await createVisitor().get(authorizeUrl({ test_mode: 'manual' }));
    await visitor.follow(await visitor.logIn());
    expect((await visitor.post('/consent', { decision: 'approve' })).statusCode).toBe(303);
  });

  test('cannot be changed by who carries it, nor taken for another, nor brought from another server', async () => {
    const visitor = createVisitor();
    await visitor.begin();
    const { request = '' } = visitor.fields();
    const parts = request.split('.');
    const flipped = `${parts.slice(0, 3).join('.')}.${parts[3]!.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}.${parts[4]}`;
    for (const other of [flipped, '', 'x', `${request}x`, visitor.cookie().split('=')[1]!])
      expect((await visitor.get(pageAddress('login', { sealed: other }))).statusCode, other).toBe(400);
    expect((await visitor.get(pageAddress('login', { sealed: request }))).statusCode).toBe(200);
    server = await createAuthorizationApp();
    expect((await visitor.get(pageAddress('login', { sealed: request }))).statusCode).toBe(400);
  });

  test('is shown again where the browser goes back, and leads to where the login is', async () => {
    const visitor = createVisitor();
    await visitor.begin();
    const login = pageAddress('login', { sealed: visitor.fields()['request']! });
    await visitor.follow(await visitor.logIn());
    const back = await visitor.get(login);
    expect(back.headers.location).toMatch(/^\/consent\?/);
    expect((await visitor.follow(back)).body).toContain('Dra. Teste');
  });

  test('may have a long state, and one too long for an address is reported to the application', async () => {
    const visitor = createVisitor();
    const page = await visitor.begin({ state: 's'.repeat(4000) });
    expect(page.statusCode).toBe(200);
    const refused = await visitor.get(authorizeUrl({ test_mode: 'manual', state: 's'.repeat(9000) }));
    expect(redirectOf(refused)).toMatchObject({ error: 'invalid_request', state: 's'.repeat(9000) });
  });

  test('can be approved again where the first time nothing was stored', async () => {
    const visitor = createVisitor();
    await visitor.begin();
    await visitor.follow(await visitor.logIn());
    const { store } = server.services;
    const failing = vi.spyOn(store, 'transact').mockRejectedValue(new AppError('STORAGE_UNAVAILABLE'));
    expect((await visitor.post('/consent', { decision: 'approve' })).statusCode).toBe(503);
    failing.mockRestore();
    expect(redirectOf(await visitor.post('/consent', { decision: 'approve' }))).toHaveProperty('code');
  });

  test('waits ten minutes', async () => {
    const visitor = createVisitor();
    await visitor.begin();
    server.clock.advance(600_000);
    expect((await visitor.logIn()).statusCode).toBe(400);
  });

  test('goes back to the login when the user was deleted meanwhile, or asks for another account', async () => {
    const visitor = createVisitor();
    await visitor.begin();
    await visitor.follow(await visitor.logIn());
    expect((await visitor.post('/consent', { decision: 'switch' })).headers.location).toMatch(/^\/login\?/);
    const again = createVisitor();
    await again.begin();
    await again.follow(await again.logIn());
    const [user] = await server.services.store.find('users', {});
    await server.services.store.transact(async (tx) => tx.remove('users', user!.id));
    expect((await again.post('/consent', { decision: 'approve' })).headers.location).toMatch(/^\/login\?/);
  });
});

describe('guessing passwords', () => {
  test('is answered the same whether the user exists or not, keeping the name and never the password', async () => {
    for (const username of ['test-physician', 'nobody']) {
      const visitor = createVisitor();
      await visitor.begin();
      const answer = await visitor.logIn({ username, password: 'a wrong one' });
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain('Username or password is wrong.');
      expect(answer.body).toContain(`value="${username}"`);
      expect(answer.body).not.toContain('a wrong one');
      expect(answer.body).toContain('<title>Error: Log in');
    }
  });

  test('is slowed more and more for that name alone, and the right password ends it', async () => {
    const visitor = createVisitor();
    await visitor.begin();
    const guess = () => visitor.logIn({ password: 'wrong' });
    for (let tries = 0; tries < 3; tries++) expect((await guess()).statusCode).toBe(400);
    for (const seconds of [1, 2, 4, 8, 16, 32, 64]) {
      const refused = await visitor.logIn();
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, String(seconds)]);
      expect(refused.body).toContain(`Wait ${seconds} s`);
      server.clock.advance(seconds * 1000);
      expect((await guess()).statusCode).toBe(400);
    }
    expect((await visitor.logIn({ username: 'nobody' })).statusCode).toBe(400);
    server.clock.advance(128_000);
    expect((await visitor.logIn()).statusCode).toBe(303);
  });

  test('takes one hash of the same cost, known or unknown', async () => {
    const costs: string[] = [];
    server = await createAuthorizationApp(undefined, () => ({
      ...usualHashing,
      verify(secret, hash, asked) {
        costs.push(`${asked.kind} ${hash.split('$').slice(1, 4).join(' ')}`);
        return usualHashing.verify(secret, hash, asked);
      },
    }));
    const { username, client_id, redirect_uri } = await putProductionClient(server);
    const user = await findUser(server.services.store, 'local', username);
    const password_hash = await usualHashing.hash('right', 'password');
    await server.services.store.transact(async (tx) => tx.put('users', { ...user!, password_hash }));
    const visitor = createVisitor();
    await visitor.follow(await visitor.get(authorizeUrl({ client_id, redirect_uri })));
    for (const name of [username, 'nobody']) await visitor.logIn({ username: name, password: 'wrong' });
    expect(costs).toEqual(['password 32768 8 3', 'password 32768 8 3']);
  });

  test('of many names at one address is slowed, and nobody elsewhere', async () => {
    const guess = async (username: string, remoteAddress = '127.0.0.1') => {
      const visitor = createVisitor({}, remoteAddress);
      await visitor.begin();
      return visitor.logIn({ username, password: 'wrong' });
    };
    server = await createAuthorizationApp(undefined, (real) => ({ ...real, verify: async () => false }));
    for (let tries = 0; tries < 100; tries++) expect((await guess(`name-${tries}`)).statusCode).toBe(400);
    const refused = await guess('name-100');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1']);
    expect((await guess('name-100', '192.0.2.7')).statusCode).toBe(400);
    server.clock.advance(1000);
    expect((await guess('name-100')).statusCode).toBe(400);
  });

  test('of one name from many addresses is slowed too, mildly', async () => {
    const guess = async (remoteAddress: string, password = 'wrong') => {
      const visitor = createVisitor({}, remoteAddress);
      await visitor.begin();
      return visitor.logIn({ password });
    };
    for (let tries = 0; tries < 57; tries++) {
      const answer = await guess(`192.0.2.${tries}`);
      expect(answer.statusCode).toBe(400);
      server.clock.advance(30_000);
    }
    await guess('192.0.2.99');
    const refused = await guess('198.51.100.1', 'test-physician');
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '30']);
    server.clock.advance(30_000);
    expect((await guess('198.51.100.1', 'test-physician')).statusCode).toBe(303);
  });

  test('by strangers does not keep a person waiting who logs in from elsewhere', async () => {
    const visitor = createVisitor({}, '192.0.2.7');
    await visitor.begin();
    for (let tries = 0; tries < 6; tries++) await visitor.logIn({ password: 'wrong' });
    expect((await visitor.logIn()).statusCode).toBe(429);
    const person = createVisitor({}, '198.51.100.1');
    await person.begin();
    expect((await person.logIn()).statusCode).toBe(303);
  });

  test('where too many wait to be looked at, the page says so, keeps the name, and counts nothing', async () => {
    let isBusy = true;
    server = await createAuthorizationApp(undefined, (real) => ({
      ...real,
      verify(...asked) {
        if (isBusy) throw new AppError('SERVER_BUSY', { retryAfter: 3 });
        return real.verify(...asked);
      },
    }));
    const visitor = createVisitor();
    await visitor.begin();
    for (let tries = 0; tries < 10; tries++) {
      const answer = await visitor.logIn();
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '3']);
      expect(answer.body).toContain('Many people are logging in');
      expect(answer.body).toContain('value="test-physician"');
    }
    isBusy = false;
    expect((await visitor.logIn()).statusCode).toBe(303);
  });

  test('all at once does not get past the slowing', async () => {
    const visitor = createVisitor();
    await visitor.begin();
    const answers = await Promise.all(Array.from({ length: 20 }, () => visitor.logIn({ password: 'wrong' })));
    expect(answers.filter(({ statusCode }) => statusCode === 400).length).toBeLessThanOrEqual(3);
  });
});

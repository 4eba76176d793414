import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manualClock } from '../../../src/domain/clock.ts';
import type { ManualClock } from '../../../src/domain/clock.ts';
import { createHttpCall } from '../../../src/node/http/http-call.ts';
import type { HttpCall } from '../../../src/node/http/http-call.ts';
import { logIn, loginLimit } from '../../../src/node/login/oauth-login.ts';
import type { LoginNotice, LoginOptions, UserAgent } from '../../../src/node/login/oauth-login.ts';
import { startAuthorizationServer } from '../../support/fake-authorization-server.ts';
import type { FakeAuthorizationServer } from '../../support/fake-authorization-server.ts';
import { exchange, head } from '../../support/raw-socket.ts';

let server: FakeAuthorizationServer;
let http: HttpCall;
let clock: ManualClock;
let notices: LoginNotice[];

beforeEach(async () => {
  server = await startAuthorizationServer();
  http = createHttpCall({ timeout: 60_000 });
  clock = manualClock(Date.parse('2026-03-02T11:30:00Z'));
  notices = [];
});

afterEach(async () => {
  await http.close();
  await server.close();
});

const options = (userAgent: UserAgent, more: Partial<LoginOptions> = {}): LoginOptions => ({
  http: {
    transport: http.transport,
    server: server.url,
    clock,
    random: Math.random,
    uuid: randomUUID,
    retry: { limit: 0 },
  },
  client: { client_id: 'test_tc_local', client_secret: 'a+b/c=d:%' },
  scope: 'jobs:read jobs:write',
  userAgent,
  notify: (notice) => void notices.push(notice),
  ...more,
});

const byHttp = (more: Partial<LoginOptions> = {}) => logIn(options({ kind: 'http' }, more));

/** A browser that goes where it is told and keeps the page that it got in the end. */
function browser(change: (callback: URL) => URL[] = (callback) => [callback]) {
  const pages: Promise<Response>[] = [];
  const open = async (url: string) => {
    const redirect = await fetch(url, { redirect: 'manual' });
    for (const target of change(new URL(redirect.headers.get('location') ?? ''))) {
      const page = fetch(target);
      page.catch(() => undefined);
      pages.push(page);
      // A port that was asked first has answered first.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { pages, agent: { kind: 'browser', open } as const };
}

describe('logIn', () => {
  it('asks with PKCE and state, exchanges the code, and gives tokens', async () => {
    const credentials = await byHttp();
    expect(credentials).toEqual({
      access_token: 'access-1',
      refresh_token: 'refresh-1',
      expires_at: clock.now() + 3_600_000,
      scope: 'jobs:read',
      client_secret: 'a+b/c=d:%',
    });
    const asked = server.asked.find(({ path }) => path.endsWith('/authorize'));
    expect(Object.fromEntries(asked!.query)).toMatchObject({
      response_type: 'code',
      client_id: 'test_tc_local',
      scope: 'jobs:read jobs:write',
      code_challenge_method: 'S256',
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
      state: expect.stringMatching(/^[\w-]{32}$/),
    });
    expect(asked!.query.has('test_mode')).toBe(false);
    const [exchange] = server.grants('authorization_code');
    const form = new URLSearchParams(exchange!.body);
    expect(form.get('redirect_uri')).toBe(asked!.query.get('redirect_uri'));
    expect(form.get('client_secret')).toBe('a+b/c=d:%');
    expect(exchange!.headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  it('asks for the pages of manual mode when it should', async () => {
    await byHttp({ manual: true });
    expect(server.asked.find(({ path }) => path.endsWith('/authorize'))?.query.get('test_mode')).toBe('manual');
  });

  it('shows the browser how it ended, and then listens no more', async () => {
    const { agent, pages } = browser();
    await logIn(options(agent));
    const page = await pages[0]!;
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('You are logged in');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(notices).toEqual([{ event: 'open', url: expect.stringContaining('/api/oauth/authorize?') }]);
    await expect(fetch(page.url)).rejects.toThrow('fetch failed');
  });

  it('refuses a second callback and any other path, method or host', async () => {
    const statuses: number[] = [];
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const agent: UserAgent = {
      kind: 'browser',
      async open(url) {
        const redirect = await fetch(url, { redirect: 'manual' });
        const callback = new URL(redirect.headers.get('location') ?? '');
        const other = new URL('/other', callback);
        const rebound = await http.transport({ method: 'GET', url: callback.href, headers: { host: 'evil.test' } });
        statuses.push((await fetch(other)).status, (await fetch(callback, { method: 'POST' })).status, rebound.status);
        // Both are on their way before the exchange has ended.
        const both = await Promise.all([fetch(callback), fetch(callback)]);
        statuses.push(...both.map(({ status }) => status).toSorted());
        resolve();
      },
    };
    const credentials = await logIn(options(agent));
    await done;
    expect(credentials.access_token).toBe('access-1');
    expect(statuses).toEqual([404, 405, 403, 200, 400]);
    expect(server.grants('authorization_code')).toHaveLength(1);
  });

  it('goes on when the browser cannot be started, and says where to go', async () => {
    const { agent } = browser();
    const failing: UserAgent = { kind: 'browser', open: () => Promise.reject(new Error('no browser')) };
    await logIn(
      options(failing, {
        notify: (notice) => {
          notices.push(notice);
          if (notice.event === 'open-failed') void agent.open(notice.url);
        },
      }),
    );
    expect(notices.map(({ event }) => event)).toEqual(['open', 'open-failed']);
  });

  it('takes the address that a person pastes, with no listener at all', async () => {
    const read = async () => {
      const redirect = await fetch(notices[0]!.url, { redirect: 'manual' });
      return ` ${redirect.headers.get('location')}\n`;
    };
    const credentials = await logIn(options({ kind: 'paste', read }));
    expect(credentials.access_token).toBe('access-1');
    expect(notices).toEqual([
      { event: 'visit', url: expect.stringContaining(encodeURIComponent('http://127.0.0.1/callback')) },
    ]);
    await expect(logIn(options({ kind: 'paste', read: async () => 'the-code' }))).rejects.toMatchObject({
      code: 'LOGIN_FAILED',
    });
  });

  it('goes on whatever else asks at its port, and refuses a callback of another login politely', async () => {
    const strays: [string, number][] = [];
    const { agent } = browser();
    const pestered: UserAgent = {
      kind: 'browser',
      async open(url) {
        const redirect = await fetch(url, { redirect: 'manual' });
        const { origin, host, searchParams: good } = new URL(redirect.headers.get('location') ?? '');
        const callback = (change: (query: URLSearchParams) => void) => {
          const query = new URLSearchParams(good);
          change(query);
          return `/callback?${query}`;
        };
        for (const target of [
          '//',
          '//evil.test/callback',
          '///callback?state=x',
          'http://[/',
          '*',
          '/callback',
          '/callback?',
          '/callback?code=a',
          '/callback?error=access_denied',
          callback((query) => query.set('state', 'x'.repeat(32))),
          callback((query) => query.set('state', String(good.get('state')).slice(1))),
          callback((query) => query.delete('state')),
          callback((query) => query.set('state', '')),
        ]) {
          const answer = await exchange(origin, head('GET', target, { Host: host }));
          expect(answer.body).not.toContain(String(good.get('state')));
          strays.push([target.split('?', 1)[0]!, answer.status]);
        }
        await agent.open(url);
      },
    };
    expect((await logIn(options(pestered))).access_token).toBe('access-1');
    expect(strays).toEqual([
      ...['//', '//evil.test/callback', '///callback', 'http://[/', '*'].map((target) => [target, 404]),
      ...Array.from({ length: 8 }, () => ['/callback', 400]),
    ]);
    expect(server.grants('authorization_code')).toHaveLength(1);
  });

  it('is over at once where the pasted address, or a client’s own visit, belongs to another login', async () => {
    for (const change of [
      (query: URLSearchParams) => query.set('state', 'x'.repeat(32)),
      (query: URLSearchParams) => query.delete('state'),
    ]) {
      server.redirect = change;
      const read = async () =>
        String((await fetch(notices.at(-1)!.url, { redirect: 'manual' })).headers.get('location'));
      for (const attempt of [logIn(options({ kind: 'paste', read })), byHttp()])
        await expect(attempt).rejects.toMatchObject({
          code: 'LOGIN_FAILED',
          message: expect.stringContaining('belongs to another login'),
        });
    }
    expect(server.grants('authorization_code')).toEqual([]);
  });

  const wrong: [string, (query: URLSearchParams) => void, string][] = [
    ['another issuer', (query) => query.set('iss', 'https://evil.example'), 'came from another server'],
    ['no issuer where one is promised', (query) => query.delete('iss'), 'came from another server'],
    ['two codes', (query) => query.append('code', 'b'), 'ambiguous'],
    ['two states', (query) => query.append('state', 'b'), 'ambiguous'],
    ['no code', (query) => query.delete('code'), 'holds no code'],
    ['a refusal', (query) => query.set('error', 'access_denied'), 'The login was declined.'],
    [
      'an error',
      (query) => (query.set('error', 'invalid_scope'), query.set('error_description', 'No <b>such</b>\u001b[2J scope')),
      'No <b>such</b> [2J scope',
    ],
  ];
  it.each(wrong)('refuses a callback with %s', async (_, redirect, message) => {
    server.redirect = redirect;
    const { agent, pages } = browser();
    await expect(logIn(options(agent))).rejects.toMatchObject({
      code: 'LOGIN_FAILED',
      message: expect.stringContaining(message),
    });
    expect(server.grants('authorization_code')).toEqual([]);
    const page = await pages[0]!;
    expect(page.status).toBe(400);
    expect(await page.text()).not.toContain('<b>');
  });

  it('does without an issuer where none is promised', async () => {
    server.metadata = undefined;
    server.redirect = (query) => query.delete('iss');
    expect((await byHttp()).access_token).toBe('access-1');
  });

  it('refuses a server that calls itself by another name', async () => {
    server.metadata = { issuer: 'https://elsewhere.example' };
    await expect(byHttp()).rejects.toMatchObject({
      code: 'LOGIN_FAILED',
      details: { issuer: 'https://elsewhere.example' },
    });
  });

  it('is over after 120 seconds', async () => {
    const agent: UserAgent = {
      kind: 'browser',
      async open() {
        clock.advance(loginLimit);
      },
    };
    await expect(logIn(options(agent))).rejects.toMatchObject({
      code: 'LOGIN_FAILED',
      message: 'Nobody logged in within 120 seconds.',
    });
  });

  it('ends when it is interrupted', async () => {
    const interruption = new AbortController();
    const agent: UserAgent = {
      kind: 'browser',
      async open() {
        interruption.abort();
      },
    };
    await expect(logIn(options(agent, { signal: interruption.signal }))).rejects.toMatchObject({ code: 'INTERRUPTED' });
  });
});

describe('without a person', () => {
  it('says so when a login page comes', async () => {
    server.authorizeReply = { status: 200, headers: { 'content-type': 'text/html' }, body: '<form>' };
    await expect(byHttp()).rejects.toMatchObject({
      code: 'LOGIN_FAILED',
      message: 'This client needs a person to log in.',
    });
    server.authorizeReply = { status: 303, headers: { location: '/login' }, body: '' };
    await expect(byHttp()).rejects.toMatchObject({ message: 'This client needs a person to log in.' });
  });

  it('follows a redirect to its own listener alone', async () => {
    server.authorizeReply = { status: 303, headers: { location: 'http://127.0.0.1:1/callback?code=a' }, body: '' };
    await expect(byHttp()).rejects.toMatchObject({ code: 'LOGIN_FAILED' });
  });

  it('says that the client is refused', async () => {
    server.authorizeReply = { status: 400, headers: { 'content-type': 'text/html' }, body: '<p>' };
    await expect(byHttp()).rejects.toMatchObject({ message: 'The server refused the authorization request (400).' });
  });
});

describe('the token endpoint’s odd answers', () => {
  const odd: [string, () => void, string][] = [
    [
      'text/html',
      () => (server.tokenReply = { headers: { 'content-type': 'text/html' }, body: '{"access_token":"a"}' }),
      'BAD_ANSWER',
    ],
    ['expires_in as text', () => (server.token = { expires_in: '3600' }), 'BAD_ANSWER'],
    ['expires_in in the past', () => (server.token = { expires_in: -1 }), 'BAD_ANSWER'],
    ['another token type', () => (server.token = { token_type: 'mac' }), 'BAD_ANSWER'],
    ['a token that would split a header', () => (server.token = { access_token: 'a\r\nb: c' }), 'BAD_ANSWER'],
    ['no token', () => (server.token = { access_token: undefined }), 'BAD_ANSWER'],
    ['a refusal', () => (server.tokenReply = { status: 400, body: { error: 'invalid_grant' } }), 'LOGIN_FAILED'],
    ['a wrong secret', () => (server.tokenReply = { status: 401, body: { error: 'invalid_client' } }), 'LOGIN_FAILED'],
    [
      'too many tries',
      () => (server.tokenReply = { status: 429, body: { error: 'slow_down' } }),
      'RATE_LIMIT_EXCEEDED',
    ],
  ];
  it.each(odd)('%s', async (_, misbehave, code) => {
    misbehave();
    const error: unknown = await byHttp().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code });
    expect(JSON.stringify(error) + String(error)).not.toContain('a+b/c');
  });
});

/** Logins of devices without a browser: RFC 8628, and attacks on it. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  adminToken,
  createAuthorizationApp,
  form,
  putProductionClient,
  statusWith,
  testClient,
} from '../../support/authorization-app.ts';
import type { AuthorizationApp } from '../../support/authorization-app.ts';
import { createPageVisitor, origin } from '../../support/page-visitor.ts';

const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
type Fields = Readonly<Record<string, string>>;
interface Codes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
}

let server: AuthorizationApp;
let client: Awaited<ReturnType<typeof putProductionClient>>;
beforeEach(async () => {
  server = await createAuthorizationApp();
  client = await putProductionClient(server);
});

const post = (path: string, fields: Fields, remoteAddress = '127.0.0.1') =>
  server.app.inject({ method: 'POST', url: `/api/oauth/${path}`, remoteAddress, ...form(fields) });
const own = () => ({ client_id: client.client_id, client_secret: client.client_secret });
const begin = async (fields: Fields = {}, address = '10.0.0.5'): Promise<Codes> => {
  const answer = await post('device_authorization', { ...own(), ...fields }, address);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const ask = ({ device_code }: Pick<Codes, 'device_code'>, fields: Fields = {}) =>
  post('token', { ...own(), grant_type, device_code, ...fields });
const outcome = async (codes: Codes) => (await ask(codes)).json().error;
/** Five seconds later, as a device asks. */
const later = (seconds = 5) => server.clock.advance(seconds * 1000);

const visitor = (address?: string) => createPageVisitor(() => server.app, {}, address);
const type = (user_code: string, person = visitor()) => person.post('/device', { user_code });
/** Types the code, logs in, and stands before the decision. */
async function toConsent({ user_code }: Codes, person = visitor()) {
  await person.follow(await type(user_code, person));
  const consent = await person.follow(await person.logIn({ username: client.username, password: client.password }));
  return { person, consent };
}
const decide = async (codes: Codes, decision: 'approve' | 'deny') => {
  const { person } = await toConsent(codes);
  return person.post('/consent', { decision });
};

describe('a device', () => {
  test('gets two codes, and tokens once a person has approved', async () => {
    const codes = await begin({ scope: 'worklists:read jobs:read' });
    expect(codes).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${origin}/device`,
      verification_uri_complete: `${origin}/device?user_code=${codes.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    expect(await outcome(codes)).toBe('authorization_pending');
    const { person, consent } = await toConsent(codes);
    for (const words of [
      'RIS São Lucas',
      codes.user_code,
      'just now, from 10.0.0.5.',
      'Read worklist items',
      'Dra. Nunes',
    ])
      expect(consent.body).toContain(words);
    expect(consent.body).not.toContain('Read medical records');
    const end = await person.post('/consent', { decision: 'approve' });
    expect([end.statusCode, end.headers.location]).toEqual([200, undefined]);
    expect(end.body).toContain('The device is logged in');
    later();
    const answer = await ask(codes);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
    const tokens = answer.json();
    expect(tokens).toMatchObject({ scope: 'worklists:read jobs:read', refresh_token: expect.any(String) });
    const caller = await server.authenticator.bearer(tokens.access_token);
    expect(caller).toMatchObject({ user: { username: 'nunes' }, space: 'local' });
    const refresh = { ...own(), grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect((await post('token', refresh)).statusCode).toBe(200);
  });

  test('learns that the person refused, at the consent as at the login', async () => {
    const codes = await begin();
    expect((await decide(codes, 'deny')).body).toContain('The device is not logged in');
    expect(await outcome(codes)).toBe('access_denied');
    const others = await begin();
    const person = visitor();
    await person.follow(await type(others.user_code, person));
    await person.post('/login', { decision: 'deny' });
    expect(await outcome(others)).toBe('access_denied');
  });

  test('that polls too often is told to slow down, each time more', async () => {
    const codes = await begin();
    const after = (seconds: number) => (later(seconds), outcome(codes));
    expect(await outcome(codes)).toBe('authorization_pending');
    expect(await after(1)).toBe('slow_down');
    expect(await after(5)).toBe('slow_down');
    expect(await after(15)).toBe('authorization_pending');
    await decide(codes, 'approve');
    // Nobody waits for what is decided.
    expect((await ask(codes)).statusCode).toBe(200);
  });

  test('has ten minutes', async () => {
    const codes = await begin();
    later(599);
    expect(await outcome(codes)).toBe('authorization_pending');
    later(1);
    expect(await outcome(codes)).toBe('expired_token');
    expect((await type(codes.user_code)).statusCode).toBe(400);
  });

  test('is approved no more where its time passed between the code and the consent', async () => {
    const codes = await begin();
    later(590);
    const { person } = await toConsent(codes);
    later(20);
    expect((await person.post('/consent', { decision: 'approve' })).body).toContain('has expired');
    expect(await outcome(codes)).toBe('expired_token');
  });

  test('of a test client is approved at once, and by a person in manual mode', async () => {
    const { client_id, client_secret } = testClient;
    const codes = await begin({ client_id, client_secret });
    const tokens = await ask(codes, { client_id, client_secret });
    expect((await server.authenticator.bearer(tokens.json().access_token)).user?.username).toBe('test-physician');
    const manual = await begin({ client_id, client_secret, test_mode: 'manual' });
    expect((await ask(manual, { client_id, client_secret })).json().error).toBe('authorization_pending');
  });
});

describe('an attacker', () => {
  test('uses a device code a second time: what it gave ends', async () => {
    const codes = await begin();
    await decide(codes, 'approve');
    const { access_token } = (await ask(codes)).json();
    expect(await statusWith(server.app, access_token)).toBe(200);
    expect(await outcome(codes)).toBe('invalid_grant');
    expect(await statusWith(server.app, access_token)).toBe(401);
  });

  test('asks fifty times at once, and gets one token', async () => {
    const codes = await begin();
    await decide(codes, 'approve');
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(codes)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  test('brings the device code of another client, the code of the person, or none', async () => {
    const codes = await begin();
    await decide(codes, 'approve');
    const { client_id, client_secret } = testClient;
    expect((await ask(codes, { client_id, client_secret })).json().error).toBe('invalid_grant');
    expect((await ask({ device_code: codes.user_code })).json().error).toBe('invalid_grant');
    expect((await post('token', { ...own(), grant_type })).json().error).toBe('invalid_request');
    expect((await ask(codes)).statusCode).toBe(200);
  });

  test('is no client, asks for more than was registered, or names test mode', async () => {
    const refused = async (fields: Fields) =>
      (await post('device_authorization', { ...own(), ...fields })).json().error;
    expect(await refused({ client_secret: 'wrong' })).toBe('invalid_client');
    expect(await refused({ scope: 'jobs:read admin' })).toBe('invalid_scope');
    expect(await refused({ test_mode: 'manual' })).toBe('invalid_request');
    const payload = { scopes: ['jobs:read'] };
    const headers = { authorization: `Bearer ${adminToken}` };
    await server.app.inject({ method: 'PATCH', url: `/api/v1/admin/clients/${client.client_id}`, headers, payload });
    expect(await refused({ scope: 'jobs:read jobs:write' })).toBe('invalid_scope');
  });

  test('floods the codes: it ends its own logins, and the client goes on', async () => {
    const elsewhere = await begin({}, '10.0.0.6');
    const first = await begin();
    later(1);
    await Promise.all(Array.from({ length: 999 }, () => begin()));
    expect(await outcome(first)).toBe('invalid_grant');
    await begin({}, '10.0.0.7');
    expect(await outcome(elsewhere)).toBe('authorization_pending');
    expect((await decide(elsewhere, 'approve')).statusCode).toBe(200);
  });

  test('guesses codes: after five wrong ones the address waits, and a right one is not even looked at', async () => {
    const codes = await begin();
    const guesser = visitor('203.0.113.9');
    for (let tries = 0; tries < 5; tries++) expect((await type('BCDF-GHJK', guesser)).statusCode).toBe(400);
    const waiting = await type(codes.user_code, guesser);
    expect([waiting.statusCode, waiting.headers['retry-after']]).toEqual([429, '1']);
    expect((await type(codes.user_code)).statusCode).toBe(303);
    later();
    expect((await type(codes.user_code, guesser)).statusCode).toBe(303);
  });

  test('lets another page send the code, or the decision', async () => {
    const codes = await begin();
    const person = visitor();
    for (const headers of [
      { origin: 'http://localhost:81' },
      { origin: 'null' },
      { origin: undefined },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const forged = await person.post('/device', { user_code: codes.user_code }, headers);
      expect([forged.statusCode, forged.headers.location]).toEqual([403, undefined]);
    }
    const { person: victim } = await toConsent(codes);
    expect((await victim.post('/consent', { decision: 'approve', csrf: 'x' })).statusCode).toBe(403);
    expect((await visitor().post('/consent', { ...victim.fields(), decision: 'approve' })).statusCode).toBe(400);
    later();
    expect(await outcome(codes)).toBe('authorization_pending');
  });

  test('approves twice, or after another person refused', async () => {
    const codes = await begin();
    const [one, other] = [await toConsent(codes), await toConsent(codes)];
    await one.person.post('/consent', { decision: 'deny' });
    expect((await other.person.post('/consent', { decision: 'approve' })).body).toContain('has expired');
    expect(await outcome(codes)).toBe('access_denied');
  });

  test('finds neither code in the store', async () => {
    const codes = await begin();
    const kept = JSON.stringify(await server.services.store.find('devices', {}));
    for (const code of [codes.device_code, codes.user_code, codes.user_code.replace('-', '')])
      expect(kept).not.toContain(code);
  });

  test.each(['password', 'delete'])('approved, and then the user is gone (%s)', async (how) => {
    const codes = await begin();
    await decide(codes, 'approve');
    const url = '/api/v1/admin/users/usr_nunes';
    const headers = { authorization: `Bearer ${adminToken}` };
    if (how === 'delete') await server.app.inject({ method: 'DELETE', url, headers });
    else
      await server.app.inject({
        method: 'POST',
        url: `${url}/password`,
        headers,
        payload: { password: 'another one' },
      });
    expect(await outcome(codes)).toBe('invalid_grant');
  });
});

describe('the page', () => {
  test.each(['lower', 'spaces', 'no dash'])('takes the code as people type it: %s', async (how) => {
    const { user_code: code } = await begin();
    const typed = {
      lower: code.toLowerCase(),
      spaces: ` ${code.replace('-', ' ')} `,
      'no dash': code.replace('-', ''),
    };
    expect((await type(typed[how as keyof typeof typed])).statusCode).toBe(303);
  });

  test('is filled in by the complete address, and sends nothing by itself', async () => {
    const codes = await begin();
    const page = await visitor().get(
      new URL(codes.verification_uri_complete).pathname + new URL(codes.verification_uri_complete).search,
    );
    expect(page.body).toContain(`value="${codes.user_code}"`);
    expect(page.headers['content-security-policy']).toMatch(/form-action 'self';.*frame-ancestors 'none'/);
    expect(await outcome(codes)).toBe('authorization_pending');
  });

  test.each([
    ['pt-BR', 'Conectar um dispositivo'],
    ['es', 'Conectar un dispositivo'],
    ['de', 'Log a device in'],
  ])('speaks %s, and repeats no markup', async (tag, title) => {
    const person = createPageVisitor(() => server.app, { 'accept-language': tag });
    const page = await person.get(`/device?${new URLSearchParams({ user_code: '"><script>alert(1)</script>' })}`);
    expect(page.body).toContain(`<h1>${title}</h1>`);
    expect(page.body).not.toContain('<script>');
  });
});

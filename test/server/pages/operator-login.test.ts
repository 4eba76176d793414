/** Operators and auditors by name: their login by the provider, what each may do, and whom the audit trail names. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createServer } from '../../../server/index.ts';
import type { Server, ServerOptions } from '../../../server/index.ts';
import { cheapSecrets } from '../../support/cheap-secrets.ts';
import { providerClient, startLoginProvider } from '../../support/login-provider.ts';
import type { LoginProvider } from '../../support/login-provider.ts';
import { origin } from '../../support/page-visitor.ts';
import { portalCode as setupCode } from '../../support/portal-browser.ts';

let provider: LoginProvider;
let server: Server;

const start = async (options: Partial<NonNullable<ServerOptions['provider']>> = {}, more: object = {}) => {
  server = await createServer({
    version: '0.0.0-test',
    store: { use: 'memory' },
    secretCosts: cheapSecrets,
    setupCode,
    provider: { issuer: provider.issuer, ...providerClient, name: 'São Lucas', ...options },
    ...more,
  });
  onTestFinished(() => server.close());
};
beforeEach(async () => {
  provider = await startLoginProvider([`${origin}/portal/provider/callback`]);
  provider.accounts.set('sub-olga', { name: 'Olga Reis', preferred_username: 'olga', roles: ['operator', 'auditor'] });
  provider.accounts.set('sub-ana', { name: 'Ana Luz', preferred_username: 'ana', groups: ['/auditor'] });
  provider.accounts.set('sub-helena', { preferred_username: 'helena', roles: ['physician'] });
  await start();
});

/** A browser without scripts, with its cookies and the hidden fields of the last form. */
function createBrowser() {
  const jar = new Map<string, string>();
  let hidden: Record<string, string> = {};
  const send = async (method: 'GET' | 'POST', url: string, values: Record<string, string> = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const own = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
    const payload = new URLSearchParams({ ...hidden, ...values }).toString();
    const isForm = method === 'POST';
    const headers = { cookie, ...(isForm && own) };
    const answer = await server.inject({ method, url, headers, ...(isForm && { payload }) } as never);
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set)!;
      jar.set(name, value);
    }
    const inputs = [...answer.body.matchAll(/<input\s+type="hidden"\s+name="(\w+)"\s+value="([^"]*)"/g)];
    if (inputs.length > 0) hidden = Object.fromEntries(inputs.map(([, name, value]) => [name!, value!]));
    return answer;
  };
  const get = (url: string) => send('GET', url);
  return {
    get,
    post: (url: string, values?: Record<string, string>) => send('POST', url, values),
    /** The way to the provider; returns where the browser arrives. */
    async travel(subject: string | null, to = '/portal') {
      const sent = await get(`/portal/provider?to=${encodeURIComponent(to)}`);
      const back = new URL(await provider.visit(String(sent.headers.location), subject));
      return back.pathname + back.search;
    },
    async logIn(subject: string | null, to?: string) {
      return get(await this.travel(subject, to));
    },
  };
}
type Browser = ReturnType<typeof createBrowser>;

const call = async (url: string) =>
  (await server.inject({ url, headers: { authorization: `Bearer ${server.adminToken}` } } as never)).json().data;
const trail = async (action: string) =>
  (await call('/api/v1/admin/audit')).items.filter((each: { action: string }) => each.action === action);
const register = (browser: Browser) =>
  browser.post('/portal/new', {
    kind: 'web',
    name: 'RIS',
    redirect_uris: 'https://ris.example/callback',
    scopes: 'jobs:read',
  });

describe('an operator', () => {
  test('logs in by name, and the trail names them for what they do', async () => {
    const browser = createBrowser();
    expect((await browser.get('/portal')).body).toContain('Log in with São Lucas');
    const entered = await browser.logIn('sub-olga');
    // The session's cookie is withheld from a redirect that the provider's site began.
    expect([entered.statusCode, entered.headers['refresh']]).toEqual([200, '0; url=/portal']);
    expect(entered.headers['set-cookie']).toContainEqual(expect.stringMatching(/^laudio_owner_.*SameSite=Strict$/));
    expect((await browser.get('/portal')).body).toContain('Olga Reis');
    await browser.get('/portal/new?kind=web');
    expect((await register(browser)).statusCode).toBe(303);
    const [{ id }] = (await call('/api/v1/admin/users')).items.filter(
      (each: { username: string }) => each.username === 'olga',
    );
    expect(await trail('clients.create')).toMatchObject([{ by: 'operator', user_id: id }]);
    expect(await trail('operator_login')).toMatchObject([{ by: 'operator', user_id: id, outcome: 'done' }]);
  });

  test('is the last to whom the setup code matters', async () => {
    const first = createBrowser();
    expect((await first.post('/portal/enter', { code: setupCode })).statusCode).toBe(303);
    await createBrowser().logIn('sub-ana');
    expect((await createBrowser().post('/portal/enter', { code: setupCode })).statusCode).toBe(303);
    await createBrowser().logIn('sub-olga');
    for (const path of ['/portal/enter', '/inspector']) {
      const refused = await createBrowser().post(path, { code: setupCode });
      expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining('only for the first operator')]);
    }
  });

  test('keeps the setup code where the server is told so', async () => {
    await start({ keepsSetupCode: true });
    await createBrowser().logIn('sub-olga');
    expect((await createBrowser().post('/portal/enter', { code: setupCode })).statusCode).toBe(303);
  });

  test('logs in where there is no setup code', async () => {
    await start({}, { setupCode: undefined });
    const browser = createBrowser();
    expect((await browser.post('/portal/enter', { code: setupCode })).statusCode).toBe(403);
    await browser.logIn('sub-olga');
    expect((await browser.get('/inspector')).body).toContain('<h1>Calls</h1>');
  });
});

describe('an auditor', () => {
  let browser: Browser;
  beforeEach(async () => {
    browser = createBrowser();
    await browser.logIn('sub-ana');
  });

  test('sees the audit trail, with names', async () => {
    const { body } = await browser.get('/portal/trail');
    expect(body).toMatch(/<td>Ana Luz<\/td>\s*<td><code>operator_login<\/code><\/td>/);
    const older = /href="(\/portal\/trail\?before=\d+)"/.exec((await browser.get('/portal/trail?before=2')).body);
    expect(older).toBeNull();
    expect((await browser.get('/portal/trail?before=x')).statusCode).toBe(200);
  });

  test('sees applications, channels, messages, patients and calls', async () => {
    for (const path of ['/portal', '/portal/channels', '/portal/messages', '/portal/patients', '/inspector'])
      expect((await browser.get(path)).statusCode, path).toBe(200);
    expect((await browser.get('/portal')).body).toContain('Ana Luz · Auditor');
    expect((await browser.post('/portal/patients', { patient_id: 'P-1' })).statusCode).toBe(200);
    expect((await browser.post('/portal/messages', { patient_id: 'P-1' })).statusCode).toBe(200);
  });

  test.each([
    '/portal/new',
    '/portal/test_tc_local',
    '/portal/test_tc_local/secret',
    '/portal/test_tc_local/remove',
    '/portal/test_tc_local/webhook',
    '/portal/channels/chn_1/retry',
    '/portal/messages/retry',
    '/portal/patients/itm_1/erase',
    '/portal/patients/itm_1/restrict',
  ])('changes nothing at %s', async (path) => {
    await browser.get('/portal');
    const refused = await browser.post(path, { name: 'Other', redirect_uris: 'https://evil.example' });
    expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining('change nothing')]);
  });

  test('repeats no call, and takes no patient away', async () => {
    expect((await browser.post('/inspector/1/replay')).statusCode).toBe(403);
    expect((await browser.get('/portal/patients/itm_1/export')).statusCode).toBe(403);
  });

  test('logs out', async () => {
    await browser.get('/portal');
    expect((await browser.post('/portal/leave')).statusCode).toBe(303);
    expect((await browser.get('/portal')).body).toContain('name="code"');
  });
});

describe('nobody else', () => {
  test.each<[string | null, string]>([
    ['sub-helena', 'has no role for this'],
    [null, 'was canceled'],
  ])('%s gets in', async (subject, text) => {
    const browser = createBrowser();
    const refused = await browser.logIn(subject);
    expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining(text)]);
    expect((await browser.get('/portal')).body).toContain('name="code"');
    expect(await trail('operator_login')).toMatchObject([{ outcome: 'refused' }]);
  });

  test('waits for a provider that is down: the code goes on', async () => {
    await start({ issuer: 'http://127.0.0.1:9/realms/none' });
    const refused = await createBrowser().get('/portal/provider');
    expect([refused.statusCode, refused.body]).toEqual([503, expect.stringContaining('is not responding')]);
    expect((await createBrowser().post('/portal/enter', { code: setupCode })).statusCode).toBe(303);
  });

  test('comes back in another browser, or twice', async () => {
    const browser = createBrowser();
    const way = await browser.travel('sub-olga');
    const thief = createBrowser();
    await thief.get('/portal/provider');
    for (const other of [createBrowser(), thief]) expect((await other.get(way)).statusCode).toBe(403);
    expect((await browser.get(way)).statusCode).toBe(200);
    expect((await browser.get(way)).statusCode).toBe(403);
  });

  test('is led to another site', async () => {
    for (const to of ['https://evil.example/', '//evil.example', '/portal/../docs', '/portal;url=//evil.example'])
      expect((await createBrowser().logIn('sub-olga', to)).headers['refresh']).toBe('0; url=/portal');
  });

  test('names an operator by a header', async () => {
    const headers = {
      authorization: `Bearer ${server.adminToken}`,
      'x-laudio-operator': 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    };
    const payload = { name: 'RIS', redirect_uris: ['https://ris.example/callback'] };
    await server.inject({ method: 'POST', url: '/api/v1/admin/clients', headers, payload } as never);
    expect(await trail('clients.create')).toMatchObject([{ by: 'operator', user_id: null }]);
  });
});

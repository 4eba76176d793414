/** Logging in at the page in a browser, what keeps others out, and what is left after a crash. */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { otherPerson } from '../../../desktop/bridge/session.ts';
import { web as addresses } from '../../../desktop/bridge/carriers.ts';
import type { Transport } from '../../../src/client/transport.ts';
import { compressPage } from '../../../.build/compress.ts';
import { emptyPage, outsider, sendExam, setupCode, startWebServer } from '../../support/app-host.ts';
import type { WebServer } from '../../support/app-host.ts';
import { providerClient, startLoginProvider } from '../../support/login-provider.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { startTlsProxy, trustingFetch } from '../../support/tls-proxy.ts';
import { webBrowser } from '../../support/web-browser.ts';
import type { WebBrowser } from '../../support/web-browser.ts';
import { eventually } from '../../support/eventually.ts';

const person = { username: 'ana', display_name: 'Dra. Ana', password: 'correct horse battery' };
const first = { ...person, code: setupCode };

function browse({ server }: Pick<WebServer, 'server'>): WebBrowser {
  const browser = webBrowser(server.url);
  onTestFinished(() => browser.close());
  return browser;
}

/** Fills in the login page as a person does, and comes back to the page. */
async function logIn(
  browser: WebBrowser,
  origin: string,
  who: { username: string; password: string } = person,
): Promise<Response> {
  const { go_to } = await browser.bridge.call('session.start', { place: 'this-computer' });
  return goOn(browser, origin, go_to, who);
}

async function goOn(
  browser: WebBrowser,
  origin: string,
  address: string | null,
  who: { username: string; password: string } = person,
): Promise<Response> {
  const login = await browser.visit(String(address));
  return submit(browser, origin, '/login', await login.text(), who);
}

function submit(
  browser: WebBrowser,
  origin: string,
  path: string,
  page: string,
  values: Record<string, string>,
): Promise<Response> {
  const hidden = [...page.matchAll(/name="(request|csrf)" value="([^"]*)"/g)].map(
    ([, name, value]): [string, string] => [name!, value!],
  );
  return browser.visit(path, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams([...hidden, ...Object.entries(values)]).toString(),
  });
}

describe('at this computer', () => {
  test('a person logs in, is not asked whether Laudio may use Laudio, and comes back to the page', async () => {
    const web = await startWebServer();
    const browser = browse(web);
    await browse(web).bridge.call('session.first_user', first);
    const back = await logIn(browser, web.server.url);
    expect(back.status).toBe(200);
    expect(new URL(back.url).search).toBe('');
    expect(await browser.bridge.call('session.state', {})).toMatchObject({
      phase: 'ready',
      place: 'this-computer',
      user: 'Dra. Ana',
      test_mode: false,
      needs_first_user: false,
    });
    expect(await browser.bridge.call('worklist.list', {})).toMatchObject({ items: [] });
  });

  test('the first user types name and password once, and is in', async () => {
    const web = await startWebServer();
    const browser = browse(web);
    await browser.bridge.call('session.first_user', first);
    expect(await browser.bridge.call('session.state', {})).toMatchObject({
      phase: 'ready',
      place: 'this-computer',
      user: 'Dra. Ana',
      online: true,
    });
    expect(await browser.bridge.call('worklist.list', {})).toMatchObject({ items: [] });
    expect(JSON.stringify([...web.logged, ...browser.cookies])).not.toContain(person.password);
  });

  test('the first person comes by the login provider, and needs no setup code', async () => {
    const provider = await startLoginProvider(['http://127.0.0.1/oauth/provider/callback']);
    provider.accounts.set('sub-ana', { name: 'Dra. Ana', preferred_username: 'ana', roles: ['physician'] });
    const web = await startWebServer({ provider: { issuer: provider.issuer, ...providerClient } });
    const browser = browse(web);
    expect(await browser.bridge.call('session.state', {})).toMatchObject({ needs_first_user: false });
    const { go_to } = await browser.bridge.call('session.start', { place: 'this-computer' });
    const login = await (await browser.visit(String(go_to))).text();
    const link = /href="(\/login\/provider[^"]+)"/.exec(login)?.[1]?.replaceAll('&amp;', '&');
    const sent = await browser.visit(String(link));
    const back = new URL(await provider.visit(String(sent.headers.get('location')), 'sub-ana'));
    await browser.visit(back.pathname + back.search);
    expect(await browser.bridge.call('session.state', {})).toMatchObject({ phase: 'ready', user: 'Dra. Ana' });
  });

  test('a first user who could not be let in leaves nothing behind, and can try again', async () => {
    const web = await startWebServer();
    const browser = browse(web);
    // The session is the last that is kept of a login.
    const sessions = join(web.directory, 'sessions');
    await rm(sessions, { recursive: true });
    await writeFile(sessions, '');
    await expect(browser.bridge.call('session.first_user', first)).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
    });
    const kept = await readdir(web.directory, { recursive: true });
    expect(kept.filter((name) => name.includes('credentials/'))).toEqual([]);
    expect(await browser.bridge.call('session.state', {})).toMatchObject({
      phase: 'logged-out',
      needs_first_user: true,
    });
    await rm(sessions);
    await mkdir(sessions);
    await browser.bridge.call('session.first_user', { ...first, display_name: 'Dra. Ana Lima' });
    expect(await browser.bridge.call('session.state', {})).toMatchObject({ phase: 'ready', user: 'Dra. Ana Lima' });
    await expect(browse(web).bridge.call('session.first_user', first)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('a code for Laudio that would leave this server is asked about', async () => {
    const web = await startWebServer();
    const browser = browse(web);
    await browse(web).bridge.call('session.first_user', first);
    const { go_to } = await browser.bridge.call('session.start', { place: 'this-computer' });
    const elsewhere = new URL(String(go_to));
    elsewhere.searchParams.set('redirect_uri', `http://127.0.0.1:1${addresses.callback}`);
    const asked = await goOn(browser, web.server.url, elsewhere.href);
    expect([asked.status, new URL(asked.url).pathname]).toEqual([200, '/consent']);
  });

  test('there is one first user, however many ask at once', async () => {
    const web = await startWebServer();
    const asked = ['ana', 'eva', 'ida'].map((username) =>
      browse(web).bridge.call('session.first_user', { ...first, username }),
    );
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(browse(web).bridge.call('session.first_user', first)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('the first user is created only with access to the terminal of the server, from anywhere', async () => {
    const web = await startWebServer();
    const { bridge } = browse(web);
    expect(await bridge.call('session.state', {})).toMatchObject({ needs_first_user: true, asks_code: true });
    for (const code of [undefined, '', '00000-00000', setupCode.slice(0, -1), `${setupCode}0`]) {
      const user = { ...person, ...(code !== undefined && { code }) };
      await expect(bridge.call('session.first_user', user)).rejects.toMatchObject({
        code: 'FORBIDDEN',
        details: { reason: 'setup_code' },
      });
    }
    const answer = await browse(web).fetch('/app/call/session.first_user', {
      method: 'POST',
      headers: { 'x-laudio-app': '1', 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.7' },
      body: JSON.stringify({ ...person, code: '4f7k92qdxm' }),
    });
    expect(answer.status).toBe(200);
  });

  test('the login continues, whatever else arrives at its final address', async () => {
    const web = await startWebServer();
    const browser = browse(web);
    await browse(web).bridge.call('session.first_user', first);
    const { go_to } = await browser.bridge.call('session.start', { place: 'this-computer' });
    for (const query of ['', '?code=x', '?code=x&state=y', '?error=access_denied', '?state='])
      expect((await browser.fetch(`${addresses.callback}${query}`)).headers.get('location')).toBe(
        '/?login=login_failed',
      );
    await goOn(browser, web.server.url, go_to);
    expect(await browser.bridge.call('session.state', {})).toMatchObject({ phase: 'ready', user: 'Dra. Ana' });
  });

  test('a login is not displaced by others that are begun', async () => {
    const web = await startWebServer();
    const browser = browse(web);
    await browse(web).bridge.call('session.first_user', first);
    const { go_to } = await browser.bridge.call('session.start', { place: 'this-computer' });
    const others = Array.from({ length: 120 }, () =>
      browse(web).bridge.call('session.start', { place: 'this-computer' }),
    );
    await Promise.all(others);
    await goOn(browser, web.server.url, go_to);
    expect(await browser.bridge.call('session.state', {})).toMatchObject({ phase: 'ready' });
  });

  test('an answer that this browser did not ask for is refused', async () => {
    const web = await startWebServer();
    const [mine, theirs] = [browse(web), browse(web)];
    await browse(web).bridge.call('session.first_user', first);
    const { go_to } = await mine.bridge.call('session.start', { place: 'this-computer' });
    const state = new URL(String(go_to)).searchParams.get('state');
    await theirs.bridge.call('session.start', { place: 'this-computer' });
    const answer = await theirs.fetch(`${addresses.callback}?code=x&state=${state}`);
    expect(answer.headers.get('location')).toBe('/?login=login_failed');
    expect(await theirs.bridge.call('session.state', {})).toMatchObject({ phase: 'logged-out' });
  });

  test('a locked screen opens for the same person only', async () => {
    const web = await startWebServer();
    const browser = browse(web);
    await browse(web).bridge.call('session.first_user', first);
    await logIn(browser, web.server.url);
    await browser.bridge.call('session.lock', {});
    await expect(browser.bridge.call('session.start', { place: 'test' })).rejects.toMatchObject({
      code: 'LOGIN_FAILED',
    });
    expect(await browser.bridge.call('session.state', {})).toMatchObject({ phase: 'locked', user: 'Dra. Ana' });
    await logIn(browser, web.server.url);
    expect(await browser.bridge.call('session.state', {})).toMatchObject({ phase: 'ready', user: 'Dra. Ana' });
  });

  test('a tab that still shows another person does nothing in the name of the one who logged in elsewhere', async () => {
    const web = await startWebServer();
    const browser = browse(web);
    await browse(web).bridge.call('session.first_user', first);
    await logIn(browser, web.server.url);
    const hers = browser.openTab();
    hers.on('session', () => undefined);
    const ana = (await hers.call('session.state', {})).desk!;
    const typed = { kind: 'text', subject: 'wli_1', title: 'Words of Ana' } as const;
    await hers.call('typed.keep', typed, undefined, undefined, ana);

    await browser.bridge.call('session.start', { place: 'test' });
    const refused = { code: 'FORBIDDEN', details: { reason: otherPerson } };
    const asked = [
      hers.call('typed.keep', typed, undefined, undefined, ana),
      hers.call('typed.list', {}, undefined, undefined, ana),
      hers.call('worklist.import', {}, new ArrayBuffer(2), undefined, ana),
    ];
    for (const each of asked) await expect(each).rejects.toMatchObject(refused);
    expect(await browser.bridge.call('typed.list', {})).toEqual({ items: [] });

    // Once the tab has asked who is logged in, it is told what they are told.
    const isFollowed = new Promise<void>((resolve) => hers.onGap(resolve));
    const { desk, user } = await hers.call('session.state', {});
    expect(user).toBe('Dra. Teste');
    expect(await hers.call('typed.list', {}, undefined, undefined, desk!)).toEqual({ items: [] });
    await isFollowed;
    const heard = new Promise((resolve) => hers.on('session', resolve));
    await browser.bridge.call('session.lock', {});
    expect(await heard).toMatchObject({ phase: 'locked', desk });
  });
});

describe('a service elsewhere', () => {
  const service = {
    place: 'service',
    server: 'https://laudio.example.org',
    client_id: 'lc_x',
    client_secret: 's',
  } as const;

  /** A service that says who it is, and is asked no more. */
  function asked() {
    const urls: string[] = [];
    const transport: Transport = async ({ url }) => {
      urls.push(url);
      const text = JSON.stringify({ issuer: new URL(url).origin });
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: (async function* () {
          yield Buffer.from(text);
        })(),
        text: async () => text,
      };
    };
    return { urls, transport };
  }

  test.each([undefined, '00000-00000'])('is asked nothing without access to the terminal: %s', async (code) => {
    const { urls, transport } = asked();
    const web = await startWebServer({ transport });
    for (const server of ['https://laudio.example.org', 'https://127.0.0.1:1', 'http://127.0.0.1:1', 'https://[::1]'])
      await expect(
        browse(web).bridge.call('session.start', { ...service, server, ...(code !== undefined && { code }) }),
      ).rejects.toMatchObject({ code: 'FORBIDDEN', details: { reason: 'setup_code' } });
    expect(urls).toEqual([]);
  });

  test('is allowed once, by the code, and then for everybody here, also after a restart', async () => {
    const { urls, transport } = asked();
    const directory = await temporaryDirectory();
    const web = await startWebServer({ transport, directory });
    const { go_to } = await browse(web).bridge.call('session.start', { ...service, code: setupCode });
    expect(go_to).toMatch(/^https:\/\/laudio\.example\.org\/api\/oauth\/authorize\?/);
    await browse(web).bridge.call('session.start', service);
    await web.close();
    const again = await startWebServer({ transport, directory });
    await browse(again).bridge.call('session.start', { ...service, server: 'https://LAUDIO.example.org/' });
    expect(urls).toEqual(
      Array.from({ length: 3 }, () => 'https://laudio.example.org/.well-known/oauth-authorization-server'),
    );
    await expect(
      browse(again).bridge.call('session.start', { ...service, server: 'https://laudio.example.net' }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('is asked for so many at once and no more', async () => {
    const gate = Promise.withResolvers<void>();
    const { urls, transport } = asked();
    const web = await startWebServer({
      transport: async (request) => {
        const answer = await transport(request);
        await gate.promise;
        return answer;
      },
    });
    const begin = () => browse(web).bridge.call('session.start', { ...service, code: setupCode });
    const begun = Array.from({ length: 8 }, begin);
    await eventually(() => expect(urls).toHaveLength(8));
    await expect(begin()).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    gate.resolve();
    await Promise.all(begun);
    await begin();
  });
});

test('where the test client is off, the page offers no test data', async () => {
  const web = await startWebServer({ testClient: false });
  const { bridge } = browse(web);
  expect(await bridge.call('session.state', {})).toMatchObject({ places: ['this-computer', 'service'] });
  await expect(bridge.call('session.start', { place: 'test' })).rejects.toMatchObject({ code: 'CONFIGURATION' });
});

describe('behind a proxy that ends TLS', () => {
  test('a person logs in, receives events, and has cookies that never travel without TLS', async () => {
    const proxy = await startTlsProxy();
    const web = await startWebServer({ publicUrl: proxy.url });
    proxy.forwardTo(web.server.url);
    const browser = webBrowser(proxy.url, trustingFetch);
    onTestFinished(() => browser.close());
    await browse(web).bridge.call('session.first_user', first);
    await logIn(browser, proxy.url);
    expect(await browser.bridge.call('session.state', {})).toMatchObject({ phase: 'ready', user: 'Dra. Ana' });
    expect([...browser.cookies.keys()]).toEqual([expect.stringMatching(/^__Host-laudio_app_/)]);
    const heard = new Promise((resolve) => browser.bridge.on('session', resolve));
    await browser.bridge.call('session.lock', {});
    expect(await heard).toMatchObject({ phase: 'locked' });
  });
});

describe('the page', () => {
  test('is served with a policy that lets nothing foreign in', async () => {
    const web = await startWebServer();
    const page = await browse(web).visit('/');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(await page.text()).toContain('<title>Laudio</title>');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval(?<!wasm-unsafe-eval)|\*/);
    expect(page.headers.get('permissions-policy')).toContain('microphone=(self)');
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
    const script = await browse(web).visit('/assets/main-1.js');
    expect(script.headers.get('content-type')).toContain('text/javascript');
    expect((await browse(web).visit('/assets/../../package.json')).status).toBe(404);
  });

  test('is sent as the build has compressed it, to readers that take that, and once', async () => {
    const page = await emptyPage();
    const script = `export const words = '${'word '.repeat(1000)}';`;
    await writeFile(join(page, 'assets', 'main-1.js'), script);
    await compressPage(page);
    const { server } = await startWebServer({ page });
    const ask = (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
      server.inject({ method, url: '/assets/main-1.js', headers });

    const plain = await ask({ 'accept-encoding': 'br;q=0, gzip;q=0, identity' });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(plain.headers).toMatchObject({
      vary: 'Accept-Encoding',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(script.length),
    });
    for (const [coding, ending] of [
      ['br', '.br'],
      ['gzip', '.gz'],
    ] as const) {
      const built = await readFile(join(page, 'assets', `main-1.js${ending}`));
      const headers = { 'accept-encoding': `${coding}, *;q=0`, range: 'bytes=0-9' };
      const whole = await ask(headers);
      // A part of what is compressed helps nobody.
      expect([whole.statusCode, whole.headers['content-range']]).toEqual([200, undefined]);
      expect(whole.rawPayload.equals(built)).toBe(true);
      const expected = { 'content-encoding': coding, 'content-length': String(built.length), vary: 'Accept-Encoding' };
      expect(whole.headers).toMatchObject(expected);
      const head = await ask(headers, 'HEAD');
      expect(head.headers).toMatchObject({ ...expected, etag: whole.headers.etag });
      expect(head.rawPayload.length).toBe(0);
      const known = { ...headers, 'if-none-match': String(whole.headers.etag) };
      const same = await ask(known);
      expect([same.statusCode, same.rawPayload.length, same.headers.vary]).toEqual([304, 0, 'Accept-Encoding']);
      // The tag is of these bytes: whoever has them does not have the script as it is.
      expect((await ask({ 'if-none-match': String(whole.headers.etag) })).statusCode).toBe(200);
    }
    expect((await server.inject({ url: '/' })).headers['cache-control']).toBe('no-cache');
    expect((await server.inject({ url: '/assets/main-1.js.br' })).statusCode).toBe(404);
  });

  test.each<[string, Record<string, string>]>([
    ['another origin', { origin: 'http://127.0.0.1:1' }],
    ['no origin', { origin: '' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this host', { 'sec-fetch-site': 'same-site' }],
    ['without our header', { 'x-laudio-app': '' }],
    ['a form', { 'content-type': 'text/plain' }],
  ])('is the only one that may call: %s', async (_, headers) => {
    const { server } = await startWebServer();
    const browser = browse({ server });
    await browser.bridge.call('session.start', { place: 'test' });
    const good = { 'x-laudio-app': '1', 'content-type': 'application/json' };
    const call = (more: Record<string, string>) =>
      browser.fetch('/app/call/settings.get', { method: 'POST', headers: { ...good, ...more }, body: '{}' });
    expect((await call({})).status).toBe(200);
    expect((await call(headers)).status).toBeGreaterThanOrEqual(400);
  });

  test('has a cookie that scripts and other sites do not see, and never a token', async () => {
    const { server } = await startWebServer();
    const browser = browse({ server });
    const answer = await browser.fetch('/app/call/session.start', {
      method: 'POST',
      headers: { 'x-laudio-app': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ place: 'test' }),
    });
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    expect(await answer.text()).toBe('{"output":{"go_to":null}}');
  });
});

describe('after a crash', () => {
  test('the browser goes on where it was, and another server on the same port knows nothing of it', async () => {
    const [directory, dataDir] = [await temporaryDirectory(), await temporaryDirectory()];
    const first = await startWebServer({ directory, dataDir });
    const browser = browse(first);
    await browser.bridge.call('session.start', { place: 'test' });
    const item_id = await sendExam(await outsider(first.server));
    const { id } = await browser.bridge.call('dictation.start', {
      item_id,
      sample_rate: 16_000,
      language: 'en-US',
      template_id: null,
    });
    await browser.bridge.call('dictation.take', { id, take: 'one', mode: 'append', at: null });
    await browser.bridge.call('dictation.block', { id, take: 'one', from: 0 }, new Int16Array(1600).buffer);
    await first.close();

    const second = await startWebServer({ directory, dataDir, port: Number(new URL(first.server.url).port) });
    expect(await browser.bridge.call('session.state', {})).toMatchObject({ phase: 'ready', user: 'Dra. Teste' });
    await eventually(async () => {
      const { items } = await browser.bridge.call('worklist.list', { refresh: true });
      expect(items.map((item) => item.id)).toEqual([item_id]);
    });
    const { items } = await browser.bridge.call('dictation.list', {});
    expect(items).toMatchObject([{ id, seconds: 0.1 }]);
    await second.close();
  });

  test('stored files are readable by the owner alone, and do not contain the cookie', async () => {
    const { server, directory } = await startWebServer();
    const browser = browse({ server });
    await browser.bridge.call('session.start', { place: 'test' });
    const files = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    expect(files.length).toBeGreaterThan(2);
    for (const { parentPath, name } of files) {
      const path = join(parentPath, name);
      expect((await stat(path)).mode & 0o777, name).toBe(0o600);
      const content = await readFile(path, 'utf8').catch(() => '');
      for (const cookie of browser.cookies.values()) expect(`${name} ${content}`).not.toContain(cookie);
    }
  });
});

/** The server behind a proxy that ends TLS, as the operator's guide has it, and with what else reaches it. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { builtInTestClient, createServer, isShared } from '../../../server/index.ts';
import type { Server, ServerOptions } from '../../../server/index.ts';
import { contract } from '../../../src/contract/index.ts';
import { formEncode } from '../../../src/client/address.ts';
import { authorizeQuery, examFields } from '../../support/api.ts';
import { exchange, head } from '../../support/raw-socket.ts';
import { startTlsProxy, trustingFetch } from '../../support/tls-proxy.ts';
import type { TlsProxy, TlsProxyOptions } from '../../support/tls-proxy.ts';
import { webBrowser } from '../../support/web-browser.ts';

const { authorize, metadata, token, validate } = contract.oauth.endpoints;
const jobs = contract.jobs.endpoints.list.path;

interface Proxied {
  readonly proxy: TlsProxy;
  readonly server: Server;
  /** As somebody asks by the public URL. */
  ask(path: string, init?: RequestInit): Promise<Response>;
}

async function behindProxy(how: TlsProxyOptions = {}, options: Partial<ServerOptions> = {}): Promise<Proxied> {
  const proxy = await startTlsProxy(how);
  const server = await createServer({
    version: '0.0.0-test',
    store: { use: 'memory' },
    rateLimit: 0,
    port: 0,
    publicUrl: proxy.url,
    trustedProxies: ['127.0.0.1'],
    ...options,
  });
  onTestFinished(() => server.close());
  proxy.forwardTo(server.url);
  return {
    proxy,
    server,
    ask: (path, init = {}) => trustingFetch(new URL(path, proxy.url), { redirect: 'manual', ...init }),
  };
}

const hidden = (page: string) =>
  Object.fromEntries(
    Array.from(page.matchAll(/name="(request|csrf)" value="([^"]*)"/g), ([, name, value]) => [name, value]),
  );

const redeem = async (ask: Proxied['ask'], code: string) => {
  const { client_id, client_secret, redirect_uri } = builtInTestClient;
  const answer = await ask(token.path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: formEncode({ grant_type: 'authorization_code', code, client_id, client_secret, redirect_uri }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
};

describe.each([
  ['keeps the Host', {}],
  ['sends its own name for the server', { keepsHost: false }],
  ['keeps the Host and tells nothing else', { tells: false }],
] as const)('a proxy that %s', (_name, how) => {
  test('a person logs in, by forms and cookies that are the public URL’s alone', async () => {
    const { proxy, server, ask } = await behindProxy(how);
    const described = (await (await ask(metadata.path)).json()) as Record<string, string>;
    expect(described).toMatchObject({ issuer: proxy.url, token_endpoint: proxy.url + token.path });
    const browser = webBrowser(proxy.url, trustingFetch);
    const query = formEncode({ ...authorizeQuery(), test_mode: 'manual' });
    const login = await browser.visit(`${authorize.path}?${query}`);
    expect([...browser.cookies.keys()]).toEqual([expect.stringMatching(/^__Host-laudio_login_/)]);
    expect(login.headers.get('strict-transport-security')).toBe('max-age=31536000');
    const post = (path: string, fields: Record<string, string>, origin: string) =>
      browser.visit(path, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: formEncode(fields),
      });
    const person = { username: 'test-physician', password: 'test-physician' };
    const form = hidden(await login.text());
    for (const origin of [server.url, proxy.url.replace('https', 'http'), 'https://evil.test', 'null'])
      expect((await post('/login', { ...form, ...person }, origin)).status).toBe(403);
    const consent = await post('/login', { ...form, ...person }, proxy.url);
    const decision = { ...hidden(await consent.text()), decision: 'approve' };
    const approved = await post('/consent', decision, proxy.url);
    const back = new URL(approved.headers.get('location') ?? '').searchParams;
    expect(back.get('iss')).toBe(proxy.url);
    expect(browser.cookies.size).toBe(0);
    const access = await redeem(ask, back.get('code') ?? '');
    const claims = JSON.parse(Buffer.from(access.split('.')[1]!, 'base64url').toString()) as object;
    expect(claims).toMatchObject({ iss: proxy.url, aud: proxy.url });
    const headers = { authorization: `Bearer ${access}` };
    expect((await ask(validate.path, { headers })).status).toBe(200);
    // On the computer itself the same token works by the address that its programs know.
    expect((await fetch(server.url + validate.path, { headers })).status).toBe(200);
  });

  test('events arrive as they happen', async () => {
    const { ask } = await behindProxy(how);
    const approved = await ask(`${authorize.path}?${formEncode(authorizeQuery())}`);
    const code = new URL(approved.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const headers = { authorization: `Bearer ${await redeem(ask, code)}` };
    const leaving = new AbortController();
    const stream = await ask(contract.worklists.endpoints.events.path, { headers, signal: leaving.signal });
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    const reader = stream.body!.pipeThrough(new TextDecoderStream() as never).getReader();
    expect((await reader.read()).value).toMatch(/^:\nid: /);
    const ingested = await ask(contract.worklists.endpoints.ingest.path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(examFields()),
    });
    expect(ingested.status).toBe(200);
    expect((await reader.read()).value).toContain('event: item');
    leaving.abort();
  });
});

describe('the address by which somebody came', () => {
  test('on the computer itself stays what it was: plain, with cookies that are not Secure', async () => {
    const { server } = await behindProxy();
    const described = (await (await fetch(server.url + metadata.path)).json()) as { issuer: string };
    expect(described.issuer).toBe(server.url);
    const query = formEncode({ ...authorizeQuery(), test_mode: 'manual' });
    const begun = await fetch(`${server.url}${authorize.path}?${query}`, { redirect: 'manual' });
    expect(begun.headers.get('set-cookie')).toMatch(/^laudio_login_.*SameSite=Lax$/);
    expect(begun.headers.has('strict-transport-security')).toBe(false);
  });

  test.each([
    ['the public name with another port', (url: URL) => `${url.hostname}:1`, 403],
    ['the public name with its port', (url: URL) => url.host, 200],
    ['in capitals', (url: URL) => url.host.toUpperCase(), 200],
    ['with a dot at its end', (url: URL) => `${url.hostname}.:${url.port}`, 403],
    ['another name', () => 'evil.test', 403],
  ])('as Host, %s', async (_name, hostOf, status) => {
    const { proxy, server } = await behindProxy();
    const answer = await exchange(server.url, head('GET', '/healthz', { Host: hostOf(new URL(proxy.url)) }));
    expect(answer.status).toBe(status);
  });

  test('is not what somebody says who is no proxy of ours', async () => {
    const { server } = await behindProxy({}, { trustedProxies: ['192.0.2.1'] });
    const { host } = new URL(server.url);
    const headers = { Host: host, 'X-Forwarded-For': '192.0.2.9', 'X-Forwarded-Proto': 'https' };
    const answer = await exchange(server.url, head('GET', metadata.path, headers));
    expect(JSON.parse(answer.body)).toMatchObject({ issuer: server.url });
  });

  test('without a public URL, a page over https is refused with the missing setting', async () => {
    const proxy = await startTlsProxy();
    const server = await createServer({ version: '0', store: { use: 'memory' }, port: 0, allowedHosts: ['localhost'] });
    onTestFinished(() => server.close());
    proxy.forwardTo(server.url);
    const answer = await trustingFetch(new URL(jobs, proxy.url), { headers: { origin: proxy.url } });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('--public-url');
  });

  test('is unknown if the proxy sends no header at all, and the answer names the missing ones', async () => {
    const { proxy, ask } = await behindProxy({ keepsHost: false, tells: false });
    const answer = await ask(jobs, { headers: { origin: proxy.url } });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('Let the proxy pass on Host');
  });

  test.runIf(process.platform === 'linux')('may be the number of the computer where it listens there', async () => {
    const server = await createServer({ version: '0', store: { use: 'memory' }, host: '127.0.0.2', port: 0 });
    onTestFinished(() => server.close());
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const { port } = new URL(server.url);
    for (const name of [`127.0.0.3:${port}`, '127.0.0.2', `127.0.0.2:${Number(port) + 1}`])
      expect((await exchange(server.url, head('GET', '/healthz', { Host: name }))).status).toBe(403);
  });

  test.each([
    ['publicUrl', { publicUrl: 'http://laudio.example.com' }],
    ['publicUrl', { publicUrl: 'https://laudio.example.com/path' }],
    ['publicUrl', { publicUrl: 'laudio.example.com' }],
    ['publicUrl', { publicUrl: 'https://ana:secret@laudio.example.com' }],
    ['trustedProxies', { trustedProxies: ['proxy.local'] }],
    ['trustedProxies', { trustedProxies: ['10.0.0.0/33'] }],
    ['allowedHosts', { allowedHosts: ['laudio.example.com:8742'] }],
    ['allowedHosts', { allowedHosts: ['https://laudio.example.com'] }],
  ])('is refused where nobody could come by it: %s %o', async (_name, options) => {
    await expect(createServer({ version: '0', store: { use: 'memory' }, ...options })).rejects.toMatchObject({
      code: 'CONFIGURATION',
    });
  });
});

test.each([
  [{}, false],
  [{ host: '127.0.0.1' }, false],
  [{ host: '127.0.0.2' }, false],
  [{ host: '::1' }, false],
  [{ host: 'localhost' }, false],
  [{ publicUrl: 'https://localhost:8443' }, false],
  [{ host: '0.0.0.0' }, true],
  [{ host: '::' }, true],
  [{ host: '10.0.0.5' }, true],
  [{ host: '127.evil.test' }, true],
  [{ publicUrl: 'https://laudio.example.com' }, true],
  [{ host: '127.0.0.1', publicUrl: 'https://laudio.example.com' }, true],
])('others reach a server by %o: %s; then nobody has the published test client', async (reach, shared) => {
  expect(isShared(reach)).toBe(shared);
  const server = await createServer({ version: '0', store: { use: 'memory' }, ...reach });
  onTestFinished(() => server.close());
  const begun = await server.inject({ url: `${authorize.path}?${formEncode(authorizeQuery())}` });
  expect(begun.statusCode).toBe(shared ? 400 : 303);
});

describe('whom a proxy speaks for', () => {
  /** How many of three requests get past a limit of one a minute and address. */
  const passed = async (options: Partial<ServerOptions>, senders: readonly string[]): Promise<number> => {
    const { ask } = await behindProxy({}, { rateLimit: 1, ...options });
    const statuses: number[] = [];
    for (const sender of senders) {
      const headers: Record<string, string> = sender === '' ? {} : { 'x-forwarded-for': sender };
      statuses.push((await ask(jobs, { headers })).status);
    }
    return statuses.filter((status) => status === 401).length;
  };
  const three = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];

  test('is limited by itself, where proxies on the way are trusted', async () => {
    // The tests' own address is that of the proxy, so it is one more on the way.
    expect(await passed({ trustedProxies: ['127.0.0.1'] }, three)).toBe(3);
    const chain = three.map((address) => `${address}, 198.51.100.7`);
    expect(await passed({ trustedProxies: ['127.0.0.0/8', '198.51.100.0/24'] }, chain)).toBe(3);
  });

  test('is not what the sender writes there', async () => {
    expect(await passed({ trustedProxies: [] }, three)).toBe(1);
    expect(await passed({ trustedProxies: ['192.0.2.99'] }, three)).toBe(1);
    const invented = three.map((address) => `${address}, 203.0.113.5`);
    expect(await passed({ trustedProxies: ['127.0.0.1'] }, invented)).toBe(1);
    expect(await passed({ trustedProxies: ['127.0.0.0/8'] }, ['no address', 'x', '<script>'])).toBe(1);
  });
});

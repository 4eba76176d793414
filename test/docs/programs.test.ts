/** The configurations of other programs in the guides, read by these programs; the proxies pass calls of a server. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../src/contract/audit.ts';
import { pageOf } from '../../docs/site/pages.ts';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { root } from '../support/modules.ts';
import { run } from '../support/process.ts';

const block = (page: string, file: string): string =>
  pageOf(page).blocks.find(({ marks }) => marks === `file=${file}`)?.text ?? '';

/** Programs of administrators are not in everybody's path. */
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };
const certificate = join(root, 'test/support/tls/proxy.pem');
const key = join(root, 'test/support/tls/proxy.key');

let cli: Cli;
let url: string;
beforeAll(async () => {
  cli = await createCli();
  const { ready } = await cli.serveHere(
    '--trust-proxy',
    '127.0.0.1',
    '--allow-host',
    'laudio.example.com',
    '--rate-limit',
    '0',
  );
  ({ url } = ready);
});
afterAll(() => cli.close());

/** The answer of the proxy to a call from somewhere else; the body as it comes. */
async function call(
  port: number,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
) {
  const { method = 'GET', headers = {}, body } = options;
  const asked = request({
    host: '127.0.0.1',
    // Not the address of the proxy, which the server trusts.
    localAddress: '127.0.0.2',
    port,
    path,
    method,
    servername: 'laudio.example.com',
    rejectUnauthorized: false,
    headers: { host: 'laudio.example.com', 'x-forwarded-for': '203.0.113.7', ...headers },
  });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  // An answer that comes before the whole body has gone may end the connection.
  asked.on('error', () => undefined);
  return answer;
}

const proxies = [
  {
    name: 'nginx',
    program: 'nginx',
    async words(port: number) {
      const directory = join(cli.directory, 'nginx');
      await mkdir(directory, { recursive: true });
      const server = block('docs/guide-operator.md', 'nginx.conf')
        .replaceAll(/ {2}listen \[::\]:.*\n/g, '')
        .replace('listen 443', `listen 127.0.0.1:${port}`)
        .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
        .replace('http://127.0.0.1:8742', url)
        .replace('/etc/laudio/tls/laudio.pem', certificate)
        .replace('/etc/laudio/tls/laudio.key', key);
      const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${directory}/${kind};`,
      );
      const whole = `daemon off; pid ${directory}/pid; error_log stderr; events {}\nhttp { access_log off; ${places.join(' ')}\n${server}}`;
      await writeFile(join(directory, 'nginx.conf'), whole);
      return ['-e', 'stderr', '-p', directory, '-c', join(directory, 'nginx.conf')];
    },
  },
  {
    name: 'Caddy',
    program: 'caddy',
    async words(port: number) {
      const site = block('docs/guide-operator.md', 'Caddyfile')
        .replace('laudio.example.com {', `https://laudio.example.com:${port} {\n  bind 127.0.0.1`)
        .replace('127.0.0.1:8742', new URL(url).host)
        .replace('/etc/laudio/tls/laudio.pem', certificate)
        .replace('/etc/laudio/tls/laudio.key', key);
      await writeFile(join(cli.directory, 'Caddyfile'), `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`);
      return ['run', '--config', join(cli.directory, 'Caddyfile'), '--adapter', 'caddyfile'];
    },
  },
] as const;

describe.runIf(process.platform === 'linux').each(proxies)('$name as the guide has it', ({ program, words }) => {
  let proxy: ChildProcess;
  let port: number;
  let printed = '';
  beforeAll(async () => {
    port = await freePort();
    const home = { HOME: cli.directory, XDG_DATA_HOME: cli.directory, XDG_CONFIG_HOME: cli.directory };
    proxy = spawn(program, await words(port), { env: { ...env, ...home }, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [proxy.stdout, proxy.stderr])
      stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await eventually(async () => expect((await call(port, '/healthz')).statusCode, printed).toBe(200));
  });
  afterAll(async () => {
    const ended = once(proxy, 'close');
    proxy.kill('SIGTERM');
    await ended;
  });

  it('passes calls with the address of the caller', async () => {
    const answer = await call(port, '/api/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(`grant_type=client_credentials&client_id=test_tc_local&client_secret=${program}`),
    });
    expect([answer.statusCode, await text(answer)]).toEqual([401, expect.stringContaining('invalid_client')]);
    const [refused] = await cli.json<AuditEntry[]>(['server', 'audit', '--limit', '1', '--client', 'test_tc_local']);
    // The proxy says from where it was called; what the caller claims counts for nothing.
    expect(refused).toMatchObject({ action: 'client_login', address: '127.0.0.2' });
  });

  it('passes events at once, and bodies as large as audio may be', async () => {
    const file = await readFile(join(cli.directory, 'data', 'server.json'), 'utf8');
    const { admin_token: token } = JSON.parse(file) as { admin_token: string };
    const stream = await call(port, '/api/v1/admin/audit/events', {
      headers: { authorization: `Bearer ${token}`, 'last-event-id': '0' },
    });
    expect(stream.statusCode).toBe(200);
    // The stream stays open: what a proxy holds back never comes. It begins with where it stands.
    let passed = '';
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      passed += chunk.toString();
      if (passed.includes('id: 1:')) break;
    }
    expect(passed).toContain('id: 1:');
    stream.destroy();
    const large = Buffer.alloc(12 * 2 ** 20);
    const answer = await call(port, '/api/v1/jobs', {
      method: 'POST',
      body: large,
      headers: { 'content-type': 'audio/wav' },
    });
    // Refused by Laudio, not by the proxy.
    expect(await text(answer)).toContain('request_id');
  });
});

it.runIf(process.platform === 'linux')('logrotate reads its block', async () => {
  const file = join(cli.directory, 'logrotate.conf');
  const rules = block('docs/guide-monitoring.md', 'logrotate.conf');
  expect(rules).toContain('su laudio laudio');
  // This machine need not have the account.
  await writeFile(file, rules.replace('su laudio laudio', 'su root root').replace('/var/log/laudio', cli.directory));
  const words = ['--debug', '--state', join(cli.directory, 'logrotate.state'), file];
  const { code, stderr } = await run('logrotate', words, { env, cwd: cli.directory });
  expect([code, stderr]).toEqual([0, expect.stringContaining('after 1 days (30 rotations)')]);
  expect(stderr).not.toMatch(/error/i);
});

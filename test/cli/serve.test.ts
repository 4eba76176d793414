/** `laudio serve`: the ready line, where it listens, what it leaves. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createCli()));
afterAll(() => cli.close());

describe('serve', () => {
  it('says that it is ready, keeps its address in a private file, and ends with 0', async () => {
    const { ready, server } = await cli.serve('--data-dir', 'one');
    const directory = join(cli.directory, 'one');
    expect(ready).toEqual({
      event: 'ready',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      pid: server.pid,
      data_dir: directory,
      test_client: {
        client_id: 'test_tc_local',
        client_secret: 'test_tcs_local',
        redirect_uri: 'http://127.0.0.1/callback',
        grants: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      },
    });
    expect((await fetch(`${ready.url}/healthz`)).status).toBe(200);
    const file = join(directory, 'server.json');
    const { admin_token: token } = JSON.parse(await readFile(file, 'utf8')) as { admin_token: string };
    for (const path of process.platform === 'win32' ? [] : await readdir(directory)) {
      expect((await stat(join(directory, path))).mode & 0o077, path).toBe(0);
    }
    const { code, stdout, stderr } = await server.end('SIGTERM');
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout + stderr).not.toContain(token);
    expect(await readdir(directory)).not.toContain('server.json');
    expect(await readdir(join(cli.directory, 'state', 'servers'))).toEqual([]);
  });

  it('writes a line of JSON for each call to --log, and numbers for a monitor with its token', async () => {
    const token = 'a-token-for-the-monitor';
    await writeFile(join(cli.directory, 'monitor'), `${token}\n`);
    const options = ['--log', 'calls.log', '--metrics-token-file', 'monitor'];
    const { ready, server } = await cli.serve('--data-dir', 'logged', ...options);
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'mine-1' };
    const page = await fetch(`${ready.url}/metrics`, { headers });
    expect(await page.text()).toContain('laudio_build_info{');
    expect((await fetch(`${ready.url}/metrics`)).status).toBe(401);
    expect((await server.end('SIGTERM')).code).toBe(0);
    const text = await readFile(join(cli.directory, 'calls.log'), 'utf8');
    // A busy machine also writes that its loop was held, and the end of one call after that of the next.
    const calls = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; status: number })
      .filter(({ event }) => event === 'call');
    expect(calls).toHaveLength(2);
    expect(calls.find(({ status }) => status === 200)).toMatchObject({ request_id: 'mine-1', route: '/metrics' });
    expect(calls.find(({ status }) => status === 401)).toMatchObject({
      time: expect.any(String),
      code: 'UNAUTHORIZED',
    });
    expect(text).not.toContain(token);
  });

  it('refuses a log that cannot be written, and a token that is soon guessed', async () => {
    await writeFile(join(cli.directory, 'short'), 'secret');
    const serve = (...options: string[]) => cli.call(['serve', '--port', '0', '--data-dir', 'refused', ...options]);
    expect(await serve('--log', 'no/such/place')).toMatchObject({ code: 2, stderr: expect.stringContaining('place') });
    expect(await serve('--metrics-token-file', 'short')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('openssl rand -hex 32'),
    });
  });

  it('refuses a login provider that cannot be asked, and says what is missing', async () => {
    const serve = (...options: string[]) => cli.call(['serve', '--port', '0', '--data-dir', 'refused', ...options]);
    const provider = ['--provider', 'https://login.example.com', '--provider-client', 'laudio'];
    for (const [options, why] of [
      [['--provider-name', 'São Lucas'], 'need --provider'],
      [provider.slice(0, 2), 'Register Laudio at the provider'],
      [[...provider, '--provider-role', 'chief=boss'], 'physician, attending, resident, operator, auditor'],
      [[...provider, '--provider-secret-file', 'nowhere'], '--provider-secret-file'],
      [['--provider', 'http://login.example.com', '--provider-client', 'laudio'], 'https://'],
    ] as const)
      expect(await serve(...options)).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  });

  it('refuses a hub that cannot be joined, or at which people would share their exams', async () => {
    const serve = (...options: string[]) => cli.call(['serve', '--port', '0', '--data-dir', 'refused', ...options]);
    const hub = ['--hub', 'https://pacs.example.com/fhircast', '--hub-client', 'laudio', '--hub-token-url'];
    const token = 'https://pacs.example.com/token';
    await writeFile(join(cli.directory, 'hub-secret'), 'a secret');
    for (const [options, why] of [
      [['--hub-topic', '{username}'], 'need --hub'],
      [hub.slice(0, 4), '--hub-token-url'],
      [[...hub, token], '--hub-secret-file'],
      [[...hub, token, '--hub-topic', 'reading-room'], 'topic of their own'],
      [[...hub, 'http://pacs.example.com/token', '--hub-secret-file', 'hub-secret'], 'not encrypted'],
    ] as const)
      expect(await serve(...options)).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  });

  it('runs --alarm-command when a channel is stuck, and refuses alarms that cannot be delivered', async () => {
    const file = join(cli.directory, 'alarms');
    const { server } = await cli.serveHere('--data-dir', 'alarmed', '--alarm-command', `cat >> "${file}"`);
    const channel = (...words: string[]) => cli.call(['channel', ...words, '--data-dir', 'alarmed']);
    await channel('add', 'hl7-in', 'orders', '--set', 'port=0', '--space', 'test_tc_local');
    const bad = 'MSH|^~\\&|RIS|HSL|L|H|20260302||ORM^O01|BAD1|P|2.5.1\rPID|||CANARIO||TESTE^PACIENTE\rORC|NW\rOBR|1\r';
    await writeFile(join(cli.directory, 'bad.hl7'), bad);
    await channel('simulate', 'hl7-in', '--channel', 'orders', '--file', 'bad.hl7');
    await channel('set', 'orders', '--set', 'alarm_stuck_minutes=1');
    const told = await eventually(async () => JSON.parse(await readFile(file, 'utf8')) as unknown);
    expect(told).toMatchObject({ type: 'channel_stuck', data: { channel: 'orders', kind: 'hl7-in', refused: 1 } });
    expect(JSON.stringify(told)).not.toMatch(/CANARIO|PACIENTE/);
    expect((await server.end('SIGTERM')).code).toBe(0);
    const serve = (...options: string[]) => cli.call(['serve', '--port', '0', '--data-dir', 'refused', ...options]);
    for (const [options, why] of [
      [['--alarm-webhook', 'ftp://pager.example'], 'The address of the alarm cannot be used'],
      [['--alarm-webhook', 'https://pager.example', '--alarm-secret-file', 'nowhere'], 'openssl rand -base64 32'],
      [['--alarm-secret-file', 'nowhere'], 'goes with --alarm-webhook'],
    ] as const) {
      expect(await serve(...options)).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
    }
  });

  it('keeps nothing with --store memory, and says so', async () => {
    const { ready, server } = await cli.serveHere('--data-dir', 'brief', '--store', 'memory');
    expect(ready).toMatchObject({ not_kept: ['documents', 'audio'] });
    const refused = await cli.call(['server', 'check', '--data-dir', 'brief', '--store', 'memory']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('has no files to check or repair') });
    expect((await server.end('SIGTERM')).code).toBe(0);
    expect((await readdir(join(cli.directory, 'brief'))).filter((name) => name.endsWith('.laudio'))).toEqual([]);
    const wrong = await cli.call(['serve', '--data-dir', 'other', '--store', 'nowhere']);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Choose with --store: lowdb, memory, postgres.'),
    });
  });

  it('has a setup code for the reader of its terminal, and creates no first user without it', async () => {
    const { ready, server } = await cli.serveHere('--data-dir', 'fresh');
    const person = { username: 'ana', display_name: 'Dra. Ana', password: 'correct horse' };
    const create = async (body: object) => {
      const headers = { origin: ready.url, 'x-laudio-app': '1', 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await fetch(`${ready.url}/app/call/session.first_user`, init)).status;
    };
    expect(await create(person)).toBe(403);
    await server.heard('Setup code');
    const file = join(cli.directory, 'fresh', 'server.json');
    const { setup_code: code } = JSON.parse(await readFile(file, 'utf8')) as { setup_code: string };
    expect(await create({ ...person, code })).toBe(200);
    expect(await create({ ...person, username: 'eva', code })).toBe(403);
    const { stdout, stderr } = await server.end('SIGTERM');
    expect(stderr).toContain(`Setup code     ${code} `);
    expect(stdout).not.toContain(code);
  });

  it('explains the next step to a person, and ends with Ctrl-C', async () => {
    const server = cli.start(['serve', '--port', '0', '--no-test-client', '--data-dir', 'person']);
    await server.heard('Ctrl-C stops it.');
    const { code, stdout, stderr } = await server.end('SIGINT');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^Laudio is ready at http:\/\/127\.0\.0\.1:\d+\n/);
    expect(stderr).not.toContain('test_tcs_local');
    expect(stderr).toMatch(/Stopped\.\n$/);
  });

  it('refuses a second one on the same data, naming the first', async () => {
    const { ready, server } = await cli.serve('--data-dir', 'shared');
    const second = await cli.call(['serve', '--port', '0', '--data-dir', 'shared']);
    expect(second).toMatchObject({ code: 2, stdout: '' });
    expect(second.stderr).toContain(
      `A server already runs on this data directory: ${ready.url} (process ${server.pid}).`,
    );
    // As a terminal does that is closed.
    expect(await server.end('SIGHUP')).toMatchObject({ code: 0, stderr: expect.stringContaining('Stopped.') });
  });

  it.runIf(process.platform === 'linux')('says so where the data directory cannot be made', async () => {
    const { code, stderr } = await cli.call(['serve', '--port', '0', '--data-dir', '/proc/laudio']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('The data directory cannot be used')]);
  });

  it('says which recognisers there are where another one was chosen, and leaves no directory behind', async () => {
    const { code, stderr } = await cli.call(['serve', '--port', '0', '--data-dir', 'clod', '--recogniser', 'clod']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no recogniser "clod".')]);
    expect(stderr).toContain('Choose with --recogniser: none, local, openai');
    expect(await readdir(cli.directory)).not.toContain('clod');
  });

  it('lists the running servers if there are several, and uses --data-dir to choose', async () => {
    const [one, two] = await Promise.all([cli.serveHere('--data-dir', 'a'), cli.serveHere('--data-dir', 'b')]);
    const lost = await cli.call(['client', 'list'], { env: { LAUDIO_DATA_DIR: '' } });
    expect(lost.code).toBe(2);
    for (const { ready } of [one, two]) expect(lost.stderr).toContain(`${ready.url} (${ready.data_dir})`);
    expect((await cli.call(['client', 'list', '--data-dir', 'b'])).code).toBe(0);
    await Promise.all([one.server.end('SIGTERM'), two.server.end('SIGTERM')]);
    expect(await cli.call(['client', 'list', '--data-dir', 'b'])).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('laudio serve'),
    });
  });

  it('reports a busy port', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await cli.call(['serve', '--port', String(port), '--data-dir', 'taken']);
    expect(code).toBe(2);
    expect(stderr).toContain(`Port ${port} is in use.`);
    await new Promise((resolve) => other.close(resolve));
  });

  it('warns when others can reach it, and has no test client then', async () => {
    const { ready, server } = await cli.serveHere('--host', '0.0.0.0', '--data-dir', 'open');
    expect(ready).not.toHaveProperty('test_client');
    expect((await cli.call(['client', 'list', '--data-dir', 'open'])).stdout).not.toContain('test_tc_local');
    const { stderr } = await server.end('SIGTERM');
    expect(stderr).toContain('Listening on 0.0.0.0: other computers can reach this server.');
    expect(stderr).toContain('The built-in test client is off');
  });

  it.each([
    [['--public-url', 'https://laudio.example.com'], false],
    [['--host', '0.0.0.0', '--test-client'], true],
    [['--no-test-client'], false],
  ])('has the test client where nobody else comes, or where it is asked for: %j %s', async (words, isThere) => {
    // A data directory that had it before: what is off is taken away.
    const { ready, server } = await cli.serveHere(...words, '--data-dir', 'reached');
    expect('test_client' in ready).toBe(isThere);
    const query = 'response_type=code&client_id=test_tc_local&redirect_uri=http://127.0.0.1/callback&scope=jobs:read';
    const answer = await fetch(`${ready.url}/api/oauth/authorize?${query}&state=a`, { redirect: 'manual' });
    expect(answer.status).toBe(isThere ? 303 : 400);
    const { stderr } = await server.end('SIGTERM');
    expect(stderr.includes('the secret of the test client is public')).toBe(words.includes('--test-client'));
  });

  it('names its address for browsers behind a proxy, and refuses an invalid one', async () => {
    const { ready, server } = await cli.serveHere(
      '--public-url',
      'https://Laudio.Example.com/',
      '--data-dir',
      'proxied',
    );
    expect(ready).toMatchObject({
      public_url: 'https://laudio.example.com',
      url: expect.stringContaining('127.0.0.1'),
    });
    await server.end('SIGTERM');
    const set = { env: { LAUDIO_PUBLIC_URL: 'https://laudio.example.com', LAUDIO_TRUST_PROXY: '10.0.0.2, ::1' } };
    const person = cli.startHere(['serve', '--port', '0', '--data-dir', 'proxied'], set);
    await person.heard('For browsers   https://laudio.example.com');
    await person.end('SIGTERM');
    for (const [words, said] of [
      [['--public-url', 'http://laudio.example.com'], '--public-url must be an address such as https'],
      [['--public-url', 'https://laudio.example.com/ris'], '--public-url must be an address such as https'],
      [['--trust-proxy', 'proxy.local'], '--trust-proxy must be IP addresses or ranges'],
      [['--allow-host', 'https://laudio.example.com'], 'Write it like laudio.example.com'],
    ] as const) {
      const refused = await cli.call(['serve', '--port', '0', '--data-dir', 'never', ...words]);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
    }
  });

  it('lets webhooks go to private addresses that the operator names, and to no other', async () => {
    const { ready, server } = await cli.serveHere('--allow-webhook', '10.1.0.0/16', '--data-dir', 'private');
    const { admin_token: token } = JSON.parse(
      await readFile(join(cli.directory, 'private', 'server.json'), 'utf8'),
    ) as { admin_token: string };
    const register = async (url: string) => {
      const answer = await fetch(`${ready.url}/api/v1/admin/clients/test_tc_local/webhook`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url, enabled: false }),
      });
      return answer.status;
    };
    expect(await register('https://10.1.2.3/events')).toBe(201);
    expect(await register('https://10.2.2.3/events')).toBe(400);
    await server.end('SIGTERM');
    const wrong = await cli.call(['serve', '--port', '0', '--allow-webhook', 'ris.local', '--data-dir', 'wrong']);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('`ris.local` is not an IP address') });
  });

  it('does not start on a data directory that is a file, or on an invalid port', async () => {
    await writeFile(join(cli.directory, 'file'), 'x');
    expect((await cli.call(['serve', '--port', '0', '--data-dir', 'file'])).code).toBe(2);
    expect((await cli.call(['serve', '--port', '99999', '--data-dir', 'port'])).code).toBe(2);
    expect((await cli.call(['serve', '--port', 'x'])).stderr).toContain('--port takes a whole number.');
  });
});

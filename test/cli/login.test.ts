/** Logging in as a process does it: without a person, with a real browser, with a real keychain; and no secret told. */
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createCli, entry } from '../support/cli.ts';
import { approveDevice } from '../support/person-token.ts';
import type { Cli } from '../support/cli.ts';
import { run } from '../support/process.ts';
import { startTlsProxy, trustingEnvironment } from '../support/tls-proxy.ts';
import type { Ready } from '../support/process.ts';

const password = 'canary-password-7461';

let cli: Cli;
let ready: Ready;
let client: { id: string; secret: string };
beforeAll(async () => {
  cli = await createCli();
  ({ ready } = await cli.serveHere('--rate-limit', '0'));
  client = await cli.json(['client', 'create', '--name', 'Test RIS']);
  await cli.json(['user', 'create', 'doctor', '--secret-stdin', '--display-name', 'Dr Test'], {
    input: `${password}\n`,
  });
  // Registering shows the secret once; from here on nobody may.
  cli.written.length = 0;
});
afterAll(() => cli.close());

// Each test has told no secret, token or password to anybody.
afterEach(() => {
  const all = cli.written.join('');
  for (const canary of [client.secret, password, 'canary-refresh', 'eyJ']) expect(all).not.toContain(canary);
  expect(all).not.toMatch(/[?&](code|access_token|client_secret)=/);
});

const storedAt = () => join(cli.directory, 'state', 'credentials', 'default.json');
const stored = async () =>
  JSON.parse(await readFile(storedAt(), 'utf8')) as { access_token: string; refresh_token: string; expires_at: number };

describe('a test client', () => {
  it('needs no argument with a server on this computer, and warns of the file', async () => {
    const { code, stdout, stderr } = await cli.call(['login']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Server\t${ready.url}\n`);
    expect(stderr).toContain('Tokens are kept unencrypted');
  });

  it('renews an access token that has expired, unasked', async () => {
    await cli.json(['login']);
    const before = await stored();
    await writeFile(storedAt(), JSON.stringify({ ...before, expires_at: 1 }));
    expect((await cli.call(['whoami'])).code).toBe(0);
    const after = await stored();
    expect(after.access_token).not.toBe(before.access_token);
    expect(after.expires_at).toBeGreaterThan(Date.now());
  });

  it('asks for a new login when the refresh token is good no more', async () => {
    await cli.json(['login']);
    await writeFile(
      storedAt(),
      JSON.stringify({ ...(await stored()), expires_at: 1, refresh_token: 'canary-refresh' }),
    );
    expect(await cli.call(['whoami'])).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(
        /^laudio: The login has ended\.\n {2}Run "laudio login"\.\n {2}Request id: req_\w+\n$/,
      ),
    });
    expect((await cli.call(['login'])).code).toBe(0);
  });

  it('is logged out: tokens revoked and gone', async () => {
    await cli.json(['login']);
    const { access_token: token } = await stored();
    expect(await cli.call(['logout'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('the tokens are revoked'),
    });
    expect(await readdir(join(cli.directory, 'state', 'credentials'))).toEqual([]);
    expect(await cli.call(['whoami'])).toMatchObject({
      code: 4,
      stderr: 'laudio: You are not logged in.\n  Run "laudio login".\n',
    });
    const old = await cli.call(['whoami'], { env: { LAUDIO_TOKEN: token, LAUDIO_SERVER: ready.url } });
    expect(old.code).toBe(4);
    expect(old.stderr).not.toContain(token);
  });
});

describe('through a proxy that ends TLS', () => {
  it('logs in, works, renews its tokens and logs out, as at any server by https', async () => {
    const proxy = await startTlsProxy();
    const { ready: proxied, server } = await cli.serveHere('--public-url', proxy.url, '--data-dir', 'proxied');
    proxy.forwardTo(proxied.url);
    const { client_id, client_secret } = proxied.test_client!;
    const env = { ...trustingEnvironment, LAUDIO_CLIENT_SECRET: client_secret, LAUDIO_PROFILE: 'proxied' };
    const said = await cli.json(['login', '--server', proxy.url, '--client-id', client_id], { env });
    expect(said).toMatchObject({ server: proxy.url, test_mode: true });
    const path = storedAt().replace('default', 'proxied');
    await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), expires_at: 1 }));
    expect(await cli.json(['whoami'], { env })).toMatchObject({ test_mode: true });
    expect((await cli.call(['logout'], { env })).stderr).toContain('the tokens are revoked');
    // By the other of its two names it is another server, and says so.
    const other = { ...env, LAUDIO_SERVER: proxy.url.replace('localhost', '127.0.0.1') };
    expect(await cli.call(['login', '--client-id', client_id], { env: other })).toMatchObject({ code: 5 });
    await server.end('SIGTERM');
  });
});

describe('a partner application', () => {
  const login = (...words: string[]) => ['login', '--client-id', client.id, ...words];
  const secret = () => ({ LAUDIO_CLIENT_SECRET: client.secret });

  /** `$BROWSER`, which xdg-open starts; on other systems the browser is not ours to choose. */
  async function browser(): Promise<NodeJS.ProcessEnv> {
    const script = fileURLToPath(new URL('../support/browser-login-scenario.ts', import.meta.url));
    const path = join(cli.directory, 'browser');
    await writeFile(path, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
    await chmod(path, 0o755);
    return {
      BROWSER: path,
      DISPLAY: '',
      WAYLAND_DISPLAY: '',
      XDG_CURRENT_DESKTOP: 'none',
      TEST_USERNAME: 'doctor',
      TEST_PASSWORD: password,
    };
  }

  it.runIf(process.platform === 'linux')('logs in by a real browser', async () => {
    const { code, stdout, stderr } = await cli.run(login('--json'), { env: { ...secret(), ...(await browser()) } });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('Opening the browser.');
    expect(JSON.parse(stdout)).toMatchObject({ client_id: client.id, user: 'Dr Test', test_mode: false });
    expect(await cli.json(['whoami'])).toMatchObject({ user: { username: 'doctor' } });
  });

  it.runIf(process.platform === 'linux')('reports that the person declined', async () => {
    const env = { ...secret(), ...(await browser()), TEST_DECISION: 'deny' };
    const { code, stderr } = await cli.run(login(), { env });
    expect(code).toBe(4);
    expect(stderr).toContain('laudio: The login was declined.');
  });

  it('logs in by a code that a person types in a browser elsewhere', async () => {
    const running = cli.startHere(login('--device', '--json'), { env: secret() });
    await running.heard('type the code');
    const code = /^[A-Z]{4}-[A-Z]{4}$/m.exec(cli.written.join(''))![0];
    const end = await approveDevice(ready.url, code, { username: 'doctor', password });
    expect(await end.text()).toContain('The device is logged in');
    const { code: exit, stdout, stderr } = await running.ended;
    expect(exit, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ client_id: client.id, user: 'Dr Test', test_mode: false });
  });

  it('needs no person for a device if a test client is approved at once', async () => {
    expect(await cli.json(['login', '--device'])).toMatchObject({ test_mode: true });
  });

  it('names the missing flags if no terminal is there to ask', async () => {
    expect(await cli.call(login())).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--secret-stdin or LAUDIO_CLIENT_SECRET is needed.'),
    });
    expect(await cli.call(login('--secret-stdin'), { input: '' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Standard input contained no secret.'),
    });
    expect(await cli.call(['login', '--no-browser'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--no-browser needs a terminal'),
    });
    expect(await cli.call(['login', '--server', 'https://api.example.com'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--client-id ID is needed.'),
    });
    expect((await cli.call(login('--client-secret', 'canary'))).code).toBe(2);
    expect((await cli.call(['user', 'create', 'somebody'])).stderr).toContain('--secret-stdin is needed.');
    expect((await cli.call(['client', 'create'])).stderr).toContain('--name NAME is needed.');
  });
});

describe('the keychain', () => {
  const inSession = (words: string[], unlock: boolean) => {
    const unlocked = unlock ? 'printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; ' : '';
    const lines = words.map((line) => `"$0" "$1" ${line} || exit $?`).join('; ');
    const env = {
      ...cli.env,
      LAUDIO_CREDENTIAL_STORE: '',
      XDG_DATA_HOME: join(cli.directory, 'keyring'),
      XDG_RUNTIME_DIR: cli.directory,
    };
    return run('dbus-run-session', ['--', 'sh', '-c', unlocked + lines, process.execPath, entry], {
      env,
      cwd: cli.directory,
    });
  };

  it.runIf(process.platform === 'linux')('keeps the key of the tokens', async () => {
    const { code, stdout, stderr } = await inSession(
      ['login --profile kept', 'whoami --profile kept --json', 'logout --profile kept'],
      true,
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('encrypted with a key in the keychain');
    expect(stderr).not.toContain('unencrypted');
    expect(stderr).toContain('the tokens are revoked');
  });

  it.runIf(process.platform === 'linux')('explains the remedy if there is none', async () => {
    const { code, stderr } = await inSession(['login --profile none'], false);
    expect(code).toBe(2);
    expect(stderr).toMatch(/The keychain of this system did not work: [^]*LAUDIO_CREDENTIAL_STORE=file/);
  });
});

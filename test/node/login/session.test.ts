import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Credentials } from '../../../src/node/login/credential-store.ts';
import { createHttpCall } from '../../../src/node/http/http-call.ts';
import { createSessions } from '../../../src/node/login/session.ts';
import type { LoginRequest } from '../../../src/node/login/session.ts';
import { resolveSettings } from '../../../src/node/settings.ts';
import type { SettingsFile } from '../../../src/node/settings.ts';
import { waitingClock } from '../../../src/node/clock.ts';
import { startAuthorizationServer } from '../../support/fake-authorization-server.ts';
import type { FakeAuthorizationServer } from '../../support/fake-authorization-server.ts';
import { failed } from '../../support/http-server.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

let server: FakeAuthorizationServer;
let directory: string;

beforeEach(async () => {
  server = await startAuthorizationServer();
  directory = await temporaryDirectory();
});

afterEach(() => server.close());

function sessions(env: Record<string, string> = {}, files: SettingsFile[] = []) {
  const http = createHttpCall({ timeout: 60_000 });
  onTestFinished(() => http.close());
  const warnings: string[] = [];
  return {
    warnings,
    ...createSessions({
      settings: resolveSettings({ flags: { credential_store: 'file', retries: 0 }, env, cwd: directory, files }),
      env,
      paths: { config: directory, data: directory, state: directory, cache: directory },
      clock: waitingClock,
      transport: http.transport,
      keychain: {
        get: () => Promise.reject(new Error('not to be asked')),
        set: () => Promise.reject(new Error('not to be asked')),
        delete: () => Promise.reject(new Error('not to be asked')),
      },
      onRetry: () => undefined,
      warn: (message) => void warnings.push(message),
    }),
  };
}

const request = (): LoginRequest => ({
  server: server.url,
  client: { client_id: 'test_tc_local', client_secret: 'test_tcs_local' },
  scope: 'jobs:read',
  userAgent: { kind: 'http' },
  notify: () => undefined,
});

const tokenFile = () => join(directory, 'credentials', 'default.json');
const stored = async () => JSON.parse(await readFile(tokenFile(), 'utf8')) as Credentials;
const change = async (part: Partial<Credentials>) =>
  writeFile(tokenFile(), JSON.stringify({ ...(await stored()), ...part }));
const revocations = () => server.asked.filter(({ path }) => path.endsWith('/revoke')).map(({ body }) => body);
const validations = () => server.asked.filter(({ path }) => path.endsWith('/validate'));

describe('a login', () => {
  it('is kept as a profile without secrets, and used by the next process', async () => {
    const { start, warnings } = sessions();
    const { profile, tokenFrom } = await start(request());
    expect(profile).toEqual({
      name: 'default',
      server: server.url,
      client_id: 'test_tc_local',
      scope: 'jobs:read',
      user: 'Dr. Test',
      test_mode: true,
      credential_store: 'file',
    });
    expect(tokenFrom).toContain(tokenFile());
    expect(warnings.join()).toContain(tokenFile());
    const visible = await readFile(join(directory, 'profiles.json'), 'utf8');
    for (const secret of ['access-1', 'refresh-1', 'test_tcs_local']) expect(visible).not.toContain(secret);

    const session = await sessions().open();
    await session.client.oauth.validate();
    expect(validations().at(-1)?.headers['authorization']).toBe('Bearer access-1');
  });

  it('is needed first', async () => {
    await expect(sessions().open()).rejects.toMatchObject({ code: 'LOGIN_REQUIRED' });
  });

  it('sends its tokens to no other server, whatever the settings say', async () => {
    await sessions().start(request());
    const other = sessions({ LAUDIO_SERVER: 'https://evil.example' });
    await expect(other.open()).rejects.toMatchObject({
      code: 'LOGIN_REQUIRED',
      message: 'You are not logged in at https://evil.example.',
    });
  });

  it('ends at the server and here', async () => {
    await sessions().start(request());
    expect(await sessions().end()).toMatchObject({ revoked: true, profile: { name: 'default' } });
    const revocation = server.asked.find(({ path }) => path.endsWith('/revoke'));
    expect(Object.fromEntries(new URLSearchParams(revocation?.body))).toEqual({
      token: 'refresh-1',
      token_type_hint: 'refresh_token',
      client_id: 'test_tc_local',
      client_secret: 'test_tcs_local',
    });
    expect(await readdir(join(directory, 'credentials'))).toEqual([]);
    await expect(sessions().open()).rejects.toMatchObject({ code: 'LOGIN_REQUIRED' });
  });

  it('ends here even when the server is away, and says so', async () => {
    await sessions().start(request());
    await server.close();
    expect(await sessions().end()).toMatchObject({ revoked: false, queued: true, error: { code: 'NETWORK' } });
    await expect(sessions().open()).rejects.toMatchObject({ code: 'LOGIN_REQUIRED' });
    const list = await readFile(join(directory, 'revocations.json'), 'utf8');
    expect(list).toContain(server.url);
    for (const secret of ['access-1', 'refresh-1', 'test_tcs_local']) expect(list).not.toContain(secret);
  });

  it('that ended while the server failed is revoked there by the next that begins', async () => {
    await sessions().start(request());
    server.revokeReply = failed(503, 'SERVER_BUSY');
    expect(await sessions().end()).toMatchObject({ revoked: false, queued: true });
    const before = revocations().length;
    server.revokeReply = undefined;
    await sessions().start(request());
    expect(revocations().slice(before)).toEqual([expect.stringContaining('token=refresh-1&')]);
    await sessions().open();
    expect(revocations()).toHaveLength(before + 1);
    expect(await readdir(join(directory, 'credentials'))).toEqual(['default.json']);
    expect(await readdir(directory)).not.toContain('revocations.json');
  });
});

describe('LAUDIO_TOKEN', () => {
  it('is used as it is', async () => {
    const session = await sessions({ LAUDIO_TOKEN: 'from-env', LAUDIO_SERVER: server.url }).open();
    await session.client.oauth.validate();
    expect(validations().at(-1)?.headers['authorization']).toBe('Bearer from-env');
    expect(session.tokenFrom).toBe('the environment (LAUDIO_TOKEN)');
  });

  it('goes nowhere by the word of a project’s file', async () => {
    const files: SettingsFile[] = [
      { from: 'project', path: join(directory, 'laudio.config.json'), values: { server: server.url } },
    ];
    await expect(sessions({ LAUDIO_TOKEN: 'from-env' }, files).open()).rejects.toMatchObject({ code: 'CONFIGURATION' });
    expect(server.asked).toEqual([]);
  });
});

describe('an access token', () => {
  beforeEach(() => sessions().start(request()));

  it('that has ended is renewed before it is used, and the new refresh token kept', async () => {
    await change({ expires_at: Date.now() + 1000 });
    const session = await sessions().open();
    await session.client.oauth.validate();
    expect(validations().at(-1)?.headers['authorization']).toBe('Bearer access-2');
    expect(await stored()).toMatchObject({
      access_token: 'access-2',
      refresh_token: 'refresh-2',
      client_secret: 'test_tcs_local',
    });
  });

  it('that the server refuses is renewed once, whatever its time', async () => {
    server.revoked.add('access-1');
    const session = await sessions().open();
    const before = validations().length;
    await session.client.oauth.validate();
    expect(
      validations()
        .slice(before)
        .map(({ headers }) => headers['authorization']),
    ).toEqual(['Bearer access-1', 'Bearer access-2']);
    expect(server.grants('refresh_token')).toHaveLength(1);
  });

  it('that another process has renewed is read again, not renewed again', async () => {
    const session = await sessions().open();
    await session.client.oauth.validate();
    await change({ expires_at: 0 });
    await (await sessions().open()).client.oauth.validate();
    server.revoked.add('access-1');
    await session.client.oauth.validate();
    expect(validations().at(-1)?.headers['authorization']).toBe('Bearer access-2');
    expect(server.grants('refresh_token')).toHaveLength(1);
  });

  it('whose refresh is refused asks for a login, and nothing is deleted', async () => {
    await change({ expires_at: 0, refresh_token: 'used' });
    const session = await sessions().open();
    await expect(session.client.oauth.validate()).rejects.toMatchObject({
      code: 'LOGIN_REQUIRED',
      message: 'The login has ended.',
    });
    expect(await stored()).toMatchObject({ refresh_token: 'used' });
  });

  it('that ends while the server fails stays renewable', async () => {
    await change({ expires_at: 0 });
    server.tokenReply = failed(503, 'SERVER_BUSY');
    const session = await sessions().open();
    await expect(session.client.oauth.validate()).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    server.tokenReply = undefined;
    await session.client.oauth.validate();
    expect(await stored()).toMatchObject({ access_token: 'access-2' });
  });

  it('that ends under four processes at once is renewed by one request', async () => {
    await change({ expires_at: 0 });
    const script = fileURLToPath(new URL('../../support/token-user.ts', import.meta.url));
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'pipe'] });
        const [output, errors, [code]] = await Promise.all([
          text(child.stdout),
          text(child.stderr),
          once(child, 'exit'),
        ]);
        return { output, errors, code: code as number };
      }),
    );
    expect(outcomes).toEqual(outcomes.map(() => ({ output: 'Dr. Test', errors: '', code: 0 })));
    expect(server.grants('refresh_token')).toHaveLength(1);
    expect(await readdir(join(directory, 'locks'))).toEqual([]);
  });

  it('that ends under twenty calls of one process is renewed by one request', async () => {
    await change({ expires_at: 0 });
    const session = await sessions().open();
    await Promise.all(Array.from({ length: 20 }, () => session.client.oauth.validate()));
    expect(server.grants('refresh_token')).toHaveLength(1);
  });
});

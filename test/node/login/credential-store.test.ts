import { manualClock } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createServer } from 'node:net';
import { readdir, readFile, stat, writeFile, chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCredentialStore } from '../../../src/node/login/credential-store.ts';
import type { Credentials } from '../../../src/node/login/credential-store.ts';
import { createKeychain } from '../../../src/node/login/keychain.ts';
import type { Keychain } from '../../../src/node/login/keychain.ts';
import { waitingClock } from '../../../src/node/clock.ts';
import { runWithKeyring } from '../../support/keyring.ts';
import { memoryKeychain } from '../../support/memory-keychain.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const credentials: Credentials = {
  access_token: 'canary-access',
  expires_at: 1_700_000_000_000,
  scope: 'jobs:read',
  refresh_token: 'canary-refresh',
  client_secret: 'canary-secret',
};

describe('tokens in a file', () => {
  const fileStore = (stateDirectory: string, warn = vi.fn()) =>
    createCredentialStore({ kind: 'file', stateDirectory, keychain: memoryKeychain(), warn });

  it('come back, after one warning that names the file', async () => {
    const directory = await temporaryDirectory();
    const warn = vi.fn();
    const store = fileStore(directory, warn);
    expect(await store.load('default')).toBeUndefined();
    await store.save('default', credentials);
    await store.save('default', credentials);
    expect(await fileStore(directory).load('default')).toEqual(credentials);
    const path = join(directory, 'credentials', 'default.json');
    expect(warn.mock.calls).toEqual([[`Tokens are kept unencrypted in ${path}; only you can read that file.`]]);
    expect(store.describe('default')).toContain(path);
    await store.remove('default');
    expect(await readdir(join(directory, 'credentials'))).toEqual([]);
  });

  it.runIf(process.platform !== 'win32')('can be read by their owner only, even when others could before', async () => {
    const directory = await temporaryDirectory();
    const store = fileStore(directory);
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    await store.save('default', credentials);
    const path = join(directory, 'credentials', 'default.json');
    const modeOf = async (file: string) => (await stat(file)).mode & 0o777;
    expect([await modeOf(path), await modeOf(join(directory, 'credentials'))]).toEqual([0o600, 0o700]);
    await chmod(path, 0o644);
    await store.load('default');
    expect(await modeOf(path)).toBe(0o600);
  });

  it('that are damaged are reported, without being quoted', async () => {
    const directory = await temporaryDirectory();
    const store = fileStore(directory);
    await store.save('default', credentials);
    for (const content of ['{"access_token": "canary', '[]', '{"access_token": 7}']) {
      await writeFile(join(directory, 'credentials', 'default.json'), content);
      await expect(store.load('default')).rejects.toMatchObject({
        code: 'CREDENTIAL_STORE',
        message: 'The stored login is damaged.',
      });
    }
  });

  it('never leave their folder by a profile’s name', async () => {
    const store = fileStore(await temporaryDirectory());
    await expect(store.load('../../etc/passwd')).rejects.toMatchObject({ code: 'CONFIGURATION' });
  });
});

describe('tokens under a key', () => {
  const sealedStore = (stateDirectory: string, keychain: Keychain) =>
    createCredentialStore({ kind: 'keychain', stateDirectory, keychain, warn: () => undefined });

  it('are unreadable on disk, and bound to their profile and key', async () => {
    const directory = await temporaryDirectory();
    const keychain = memoryKeychain();
    const store = sealedStore(directory, keychain);
    await store.save('a', credentials);
    await store.save('b', { ...credentials, scope: 'other' });
    const path = (name: string) => join(directory, 'credentials', `${name}.sealed`);
    const sealed = await readFile(path('a'), 'utf8');
    expect(sealed).not.toContain('canary');
    expect(await store.load('a')).toEqual(credentials);

    await writeFile(path('b'), sealed);
    await expect(store.load('b')).rejects.toMatchObject({ code: 'CREDENTIAL_STORE' });
    const bent = JSON.parse(sealed) as { data: string };
    await writeFile(
      path('a'),
      JSON.stringify({ ...bent, data: `${bent.data.startsWith('A') ? 'B' : 'A'}${bent.data.slice(1)}` }),
    );
    await expect(store.load('a')).rejects.toMatchObject({ code: 'CREDENTIAL_STORE' });

    keychain.entries.clear();
    expect(await store.load('a')).toBeUndefined();
  });

  it('stay when the keychain fails', async () => {
    const directory = await temporaryDirectory();
    const keychain = memoryKeychain();
    await sealedStore(directory, keychain).save('default', credentials);
    const broken = createKeychain({ clock: waitingClock, stateDirectory: directory });
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', 'unix:path=/nonexistent');
    onTestFinished(() => void vi.unstubAllEnvs());
    if (process.platform === 'linux') {
      const store = sealedStore(directory, broken);
      const calls = [
        () => store.load('default'),
        () => store.save('default', credentials),
        () => store.remove('default'),
        () => store.prepare('new'),
      ];
      for (const call of calls) {
        await expect(call()).rejects.toMatchObject({
          code: 'CREDENTIAL_STORE',
          hint: expect.stringContaining('LAUDIO_CREDENTIAL_STORE=file'),
        });
      }
    }
    expect(await sealedStore(directory, keychain).load('default')).toEqual(credentials);
  });
});

describe.runIf(process.platform === 'linux')('the keychain of the system', () => {
  it('keeps the key, across processes and for ten of them at once, until logout', async () => {
    const directory = await temporaryDirectory();
    const seen = await runWithKeyring('keychain-scenario.ts', [join(directory, 'state')], {
      directory,
      unlocked: true,
    });
    expect(seen).toEqual({
      same: true,
      file: 'default.sealed',
      isEnoughForAll: true,
      readable: false,
      after: null,
      left: [],
      key: null,
    });
  });

  it('that is not unlocked is an error, and nothing else takes its place', async () => {
    const directory = await temporaryDirectory();
    const run = runWithKeyring('keychain-scenario.ts', [join(directory, 'state')], { directory, unlocked: false });
    await expect(run).rejects.toThrow('CREDENTIAL_STORE');
  });

  it('that hangs is given up after three seconds', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'bus');
    const { promise: asked, resolve: connected } = Promise.withResolvers<void>();
    const bus = createServer((socket) => {
      socket.on('error', () => undefined);
      connected();
    });
    await new Promise<void>((resolve) => void bus.listen(path, resolve));
    onTestFinished(() => void bus.close());
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', `unix:path=${path}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    // The limit passes as soon as the silent bus has been asked.
    let limit = 0;
    const clock: Clock = {
      ...manualClock(0),
      schedule(at, task) {
        limit = at;
        let isOff = false;
        void asked.then(() => isOff || task());
        return () => void (isOff = true);
      },
    };
    const call = createKeychain({ clock, stateDirectory: join(directory, 'state') }).get('default');
    await expect(call).rejects.toMatchObject({
      code: 'CREDENTIAL_STORE',
      message: 'The keychain of this system did not answer within 3 seconds.',
    });
    expect(limit).toBe(3000);
  });
});

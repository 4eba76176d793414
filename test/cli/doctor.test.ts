/** What is wrong with a computer, and that looking changes nothing. */
import { chmod, chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/node/clock.ts';
import { createProfiles } from '../../src/node/login/profiles.ts';
import { createCli } from '../support/cli.ts';
import type { CallOptions, Cli } from '../support/cli.ts';
import { noSmallDisk, smallDisk } from '../support/small-disk.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createCli()));
afterAll(() => cli.close());

interface Row {
  readonly check: string;
  readonly state: string;
  readonly message: string;
}

async function examined(options: CallOptions = {}) {
  const { code, stdout, stderr } = await cli.call(['doctor', '--json'], options);
  const rows = JSON.parse(stdout) as Row[];
  return {
    code,
    rows,
    states: Object.fromEntries(rows.map(({ check, state }) => [check, state])),
    all: stdout + stderr,
  };
}
const nowhere = { LAUDIO_SERVER: 'http://127.0.0.1:9' };

describe('doctor', () => {
  it('finds nothing bad on a new computer, says how to begin, and makes nothing', async () => {
    const { code, states } = await examined();
    expect({ code, states }).toEqual({
      code: 0,
      states: {
        Program: 'ok',
        Packages: 'ok',
        Settings: 'ok',
        Directories: 'ok',
        Disk: 'ok',
        Data: 'ok',
        Keychain: 'note',
        Tokens: 'ok',
        Proxy: 'ok',
        'Server here': 'note',
        Connection: 'note',
        Clock: 'ok',
        Login: 'note',
      },
    });
    expect(await readdir(cli.directory)).toEqual([]);
    expect((await cli.call(['doctor'])).stdout).toContain('Login\tnote\tYou are not logged in.');
  });

  it('describes the server, the login and the proxy, without secrets', async () => {
    const { server } = await cli.serveHere();
    await cli.json(['login']);
    const { code, states, rows, all } = await examined({
      env: { HTTPS_PROXY: 'http://user:canary@proxy.example:3128' },
    });
    expect(code).toBe(0);
    expect(states).toMatchObject({ 'Server here': 'ok', Connection: 'ok', Login: 'ok', Proxy: 'ok' });
    expect(rows.find(({ check }) => check === 'Proxy')!.message).toBe('proxy.example:3128; not for this computer');
    expect(rows.find(({ check }) => check === 'Login')!.message).toContain('Dra. Teste, as default: ');
    expect(all).not.toContain('canary');
    await server.end('SIGTERM');
    expect(await examined({ env: { LAUDIO_RETRIES: '0' } })).toMatchObject({
      code: 8,
      states: { Connection: 'bad', Login: 'bad', 'Server here': 'note', Settings: 'ok' },
    });
  });

  it.skipIf(noSmallDisk() !== undefined)('names a full disk, also that of a server here, with a remedy', async () => {
    const disk = await smallDisk(4 * 1024 * 1024);
    const { server } = await cli.serveHere('--data-dir', disk.directory);
    await disk.fill();
    const { code, rows } = await examined();
    expect(code).toBe(8);
    const said = expect.stringMatching(/^The disk of .+ is full: .+ of 4 MiB are free$/);
    expect(rows).toContainEqual(expect.objectContaining({ check: 'Disk', state: 'bad', message: said }));
    const { stdout, stderr } = await cli.call(['server', 'status', '--data-dir', disk.directory]);
    expect(stdout).toMatch(/^Disk\t.+ of 4 MiB free$/m);
    expect(stderr).toContain('Make room on it');
    // The server stores its data elsewhere here: it is the file that finds no room.
    const { server: other } = await cli.serveHere();
    const file = join(disk.directory, 'evening.tar');
    const backup = await cli.call(['server', 'backup', file]);
    expect([backup.code, backup.stderr]).toEqual([
      2,
      expect.stringMatching(/The disk of .+ has too little room: .+ of 4 MiB are free/),
    ]);
    expect(await readdir(disk.directory)).not.toContainEqual(expect.stringContaining('evening'));
    await other.end('SIGTERM');
    await server.end('SIGTERM');
  });

  it.each([
    ['a byte-order mark', '\uFEFF{"timeout": 60}', 0, ''],
    ['nothing', '', 2, 'is empty, as a power loss can leave it'],
    ['zeros', '\0'.repeat(4096), 2, 'is empty, as a power loss can leave it'],
  ])('reads settings that begin with %s, or explains their state', async (_what, content, code, why) => {
    const path = join(cli.directory, 'config', 'config.json');
    await mkdir(join(cli.directory, 'config'), { recursive: true });
    await writeFile(path, content);
    const found = await examined({ env: { LAUDIO_SERVER: '' } });
    expect(found.rows.find(({ check }) => check === 'Settings')).toMatchObject({
      state: code === 0 ? 'ok' : 'bad',
      message: expect.stringContaining(why),
    });
    await rm(path);
  });

  it.runIf(process.platform === 'linux')(
    'takes no keychain for a fault before a login keeps anything in it',
    async () => {
      const config = join(cli.directory, 'another-config');
      const env = {
        DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
        LAUDIO_CREDENTIAL_STORE: 'keychain',
        LAUDIO_CONFIG_DIR: config,
      };
      const doctor = async () => {
        const { code, stdout } = await cli.run(['doctor', '--json'], { env });
        return { code, keychain: (JSON.parse(stdout) as Row[]).find(({ check }) => check === 'Keychain') };
      };
      const message = expect.stringContaining('The keychain of this system did not work');
      expect(await doctor()).toMatchObject({ code: 0, keychain: { state: 'note', message } });
      await createProfiles(config, systemClock).save({
        name: 'default',
        server: 'http://127.0.0.1:9',
        client_id: 'lc_desk',
        scope: '',
        user: null,
        test_mode: false,
        credential_store: 'keychain',
      });
      expect(await doctor()).toMatchObject({ keychain: { state: 'bad', message } });
      await rm(config, { recursive: true });
    },
  );

  it.runIf(process.getuid?.() === 0)('lets root look at the directory of a service’s account', async () => {
    const directory = join(cli.directory, 'service');
    const look = async (mode: number) => {
      await mkdir(directory, { recursive: true });
      await chmod(directory, mode);
      await chown(directory, 12_345, 12_345);
      const { stdout } = await cli.call(['doctor', '--json', '--data-dir', directory]);
      return (JSON.parse(stdout) as Row[]).find(({ check }) => check === 'Directories')?.state;
    };
    expect(await look(0o700)).toBe('ok');
    expect(await look(0o750)).toBe('note');
    await rm(directory, { recursive: true });
  });

  it('looks at the rest where one thing is broken', async () => {
    await mkdir(join(cli.directory, 'config'), { recursive: true });
    await writeFile(join(cli.directory, 'config', 'config.json'), '{canary');
    const { code, states, all } = await examined({ env: { ...nowhere, http_proxy: 'ftp://canary' } });
    expect(code).toBe(2);
    expect(states).toMatchObject({ Program: 'ok', Settings: 'bad', Directories: 'ok', Proxy: 'bad' });
    expect(all).not.toContain('canary');
  });
});

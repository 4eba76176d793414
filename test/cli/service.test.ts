/** `laudio service`: what it writes is judged by the programs that read it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';

const execute = promisify(execFile);

let cli: Cli;
beforeAll(async () => void (cli = await createCli()));
afterAll(() => cli.close());

const service = (...words: string[]) => cli.call(['service', ...words]);
const print = async (...words: string[]) => (await service('install', '--print', ...words)).stdout;

/** Words that mean something to a shell, to systemd or to XML. */
const letterhead = `Hospital "São José" 100% $HOME; O'Brien <& \\ sons>`;

describe.runIf(process.platform === 'linux')('service install', () => {
  const unit = () => join(cli.directory, 'image', 'etc', 'systemd', 'system', 'laudio.service');

  it('writes a unit that systemd takes, and that holds few rights and no secret', async () => {
    await mkdir(join(cli.directory, 'backups'));
    const options = [
      '--public-url',
      'https://laudio.example.com',
      '--trust-proxy',
      '127.0.0.1',
      '--letterhead',
      letterhead,
    ];
    const files = [
      '--backup-to',
      'backups',
      '--metrics-token-file',
      '/etc/laudio/monitor',
      '--writable',
      '/srv/ex change',
    ];
    const installed = await service('install', '--kind', 'systemd', '--root', 'image', ...options, ...files);
    expect(installed).toMatchObject({ code: 0, stderr: expect.stringContaining('systemctl enable') });
    expect(await execute('systemd-analyze', ['verify', '--man=no', unit()])).toMatchObject({ stderr: '' });
    // 0 is a service without rights, 10 one with all of them.
    await execute('systemd-analyze', ['security', '--offline=yes', '--threshold=25', '--no-pager', unit()]);
    const lines = (await readFile(unit(), 'utf8')).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'User=laudio',
        'UMask=0077',
        'StateDirectory=laudio laudio/data laudio/state',
        'LoadCredential=metrics-token-file:/etc/laudio/monitor',
        `ReadWritePaths=-${join(cli.directory, 'backups')}`,
        'ReadWritePaths="-/srv/ex change"',
        'WantedBy=multi-user.target',
      ]),
    );
    const start = lines.find((line) => line.startsWith('ExecStart='));
    expect(start).toContain('--metrics-token-file "${CREDENTIALS_DIRECTORY}/metrics-token-file"');
    expect(start).toContain('--port 8742');
    const users = await readFile(join(cli.directory, 'image', 'etc', 'sysusers.d', 'laudio.conf'), 'utf8');
    expect(users).toContain('u laudio - "Laudio" /var/lib/laudio');
  });

  it('replaces and removes its own file alone', async () => {
    const at = ['--kind', 'systemd', '--root', 'replaced'];
    const path = join(cli.directory, 'replaced', 'etc', 'systemd', 'system', 'laudio.service');
    expect(await service('status', ...at)).toMatchObject({ code: 3, stdout: expect.stringContaining('Installed\tno') });
    await service('install', ...at);
    await service('install', ...at, '--time-zone', 'America/Sao_Paulo');
    expect(await readFile(path, 'utf8')).toContain('--time-zone America/Sao_Paulo');
    expect(await service('status', ...at)).toMatchObject({
      code: 8,
      stdout: expect.stringContaining('Installed\tyes'),
    });
    await writeFile(path, '[Service]\nExecStart=/bin/true\n');
    for (const verb of ['install', 'remove'])
      expect(await service(verb, ...at)).toMatchObject({ code: 5, stderr: expect.stringContaining('somebody else') });
    expect(await readFile(path, 'utf8')).toContain('/bin/true');
    await writeFile(path, await print('--kind', 'systemd'));
    expect(await service('remove', ...at)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('The data stays'),
    });
    expect(await readdir(join(path, '..'))).toEqual([]);
    expect(await service('remove', ...at)).toMatchObject({ code: 3 });
  });

  it('makes the directories that launchd would miss, for the account', async () => {
    const { code, stderr } = await service('install', '--kind', 'launchd', '--root', 'mac', '--account', 'lau');
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(
        /install -d -m 0700 -o lau -g lau '\/Library\/Application Support\/laudio' && .* \/Library\/Logs\/laudio && launchctl bootstrap system /,
      ),
    ]);
  });

  it('starts the server with the very words that were given', async () => {
    const port = String(await freePort());
    const text = await print('--kind', 'openrc', '--port', port, '--letterhead', letterhead, '--no-test-client');
    expect(await print('--kind', 'launchd', '--letterhead', letterhead)).toContain(
      `<string>Hospital "São José" 100% $HOME; O'Brien &lt;&amp; \\ sons&gt;</string>`,
    );
    await writeFile(join(cli.directory, 'laudio'), text);
    // As OpenRC does: the script is read, and the arguments are split by a shell.
    const script = `. ./laudio; export HOME="$1"; eval "set -- $command_args"
      for word; do printf '%s\\n' "$word"; done; LAUDIO_CONFIG_DIR=$HOME/c LAUDIO_STATE_DIR=$HOME/s LAUDIO_DATA_DIR=$HOME/d exec "$command" "$@"`;
    const server = spawn('sh', ['-c', script, 'sh', join(cli.directory, 'service')], { cwd: cli.directory });
    const ended = once(server, 'close');
    let printed = '';
    server.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const health = () => fetch(`http://127.0.0.1:${port}/healthz`);
    await eventually(async () => expect((await health()).status).toBe(200));
    expect(printed.split('\n')).toContain(letterhead);
    server.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it.each([
    [['--encrypt'], 2, '--passphrase-file'],
    [['--user', '--kind', 'openrc'], 2, 'no services of a user'],
    [['--kind', 'upstart'], 2, 'systemd, openrc or launchd'],
    [['--ephemeral'], 2, 'nknown option'],
    [['--root', 'image', '--hearing', 'x'], 2, 'whole number'],
  ])('refuses %j', async (words, code, why) => {
    expect(await service('install', '--print', ...words)).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringContaining(why),
    });
  });
});

describe('a port that is taken', () => {
  it('ends the start of a server that others call, and only of that', async () => {
    const taken = createServer().listen(8742, '127.0.0.1');
    // Another server of this computer does as well.
    await Promise.race([once(taken, 'listening'), once(taken, 'error')]);
    try {
      for (const option of ['--public-url=https://laudio.example.com', '--host=127.0.0.1', '--trust-proxy=127.0.0.1']) {
        const refused = await cli.call(['serve', '--data-dir', 'taken', option]);
        expect(refused, option).toMatchObject({ code: 2, stderr: expect.stringContaining('Port 8742 is in use') });
      }
      const server = cli.startHere(['serve', '--data-dir', 'taken', '--json']);
      expect(JSON.parse(await server.firstLine())).toMatchObject({ event: 'ready' });
      expect(await server.end('SIGTERM')).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('Port 8742 is taken'),
      });
    } finally {
      taken.close();
    }
  });
});

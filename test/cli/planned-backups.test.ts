/** `laudio serve --backup-to`: what a plan may say, and where an operator reads how its backups are. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createCli()));
afterAll(() => cli.close());

async function examine() {
  const { stdout } = await cli.call(['doctor', '--json']);
  const rows = JSON.parse(stdout) as { check: string; state: string; message: string }[];
  return rows.find(({ check }) => check === 'Backup');
}

describe('serve --backup-to', () => {
  it('makes encrypted backups of which status and doctor give the age', async () => {
    await mkdir(join(cli.directory, 'backups'));
    await writeFile(join(cli.directory, 'passphrase'), 'the words of these backups\n');
    const plan = ['--backup-to', 'backups', '--backup-every', '12h', '--backup-keep', '2d'];
    const { server } = await cli.serveHere(...plan, '--backup-passphrase-file', 'passphrase');
    await eventually(async () => expect((await cli.call(['server', 'status'])).stdout).toMatch(/Last backup.*\d/));
    expect(await readdir(join(cli.directory, 'backups'))).toEqual([
      expect.stringMatching(/^laudio-[0-9a-f]{8}-.*Z\.tar$/),
    ]);
    expect(await examine()).toMatchObject({ state: 'ok', message: expect.stringContaining('the last one is of') });
    const { stdout, stderr, code } = await server.end('SIGTERM');
    expect(code).toBe(0);
    expect(stdout + stderr).toContain('backup_written');
    expect(stdout + stderr).not.toContain('the words of these backups');
    const [name = ''] = await readdir(join(cli.directory, 'backups'));
    const file = join('backups', name);
    const restored = await cli.serveHere();
    const secret = { env: { LAUDIO_BACKUP_PASSPHRASE: 'the words of these backups' } };
    expect(await cli.call(['server', 'restore', file, '--yes'], secret)).toMatchObject({ code: 0 });
    expect(await examine()).toMatchObject({ state: 'note', message: expect.stringContaining('none by schedule') });
    await restored.server.end('SIGTERM');
  });

  it('starts without the disk of the backups, and doctor names the failure', async () => {
    await rm(join(cli.directory, 'unmounted'), { recursive: true, force: true });
    const { server } = await cli.serveHere('--backup-to', 'unmounted');
    await eventually(async () => expect(await examine()).toMatchObject({ state: 'bad' }));
    expect((await examine())?.message).toContain('ENOENT');
    expect((await cli.call(['server', 'status'])).stdout).toContain('Backup failed');
    expect((await server.end('SIGTERM')).code).toBe(0);
    expect(await readdir(cli.directory)).not.toContain('unmounted');
  });

  it.each([
    ['--backup-every 1h', '--backup-to'],
    ['--backup-to backups --backup-every 1s', 'ten minutes or more'],
    ['--backup-to backups --backup-keep all', '7d,4w,12m'],
    ['--backup-to refused/backups', 'is in the data directory'],
    ['--backup-to backups --backup-passphrase-file nowhere', 'cannot be read'],
    ['--backup-to backups --backup-passphrase-file short', 'characters or more'],
  ])('refuses %s', async (options, why) => {
    await writeFile(join(cli.directory, 'short'), 'short\n');
    const refused = await cli.call(['serve', '--port', '0', '--data-dir', 'refused', ...options.split(' ')]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  });
});

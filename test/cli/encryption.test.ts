/** `laudio serve --encrypt`: said once, with a passphrase that is never an argument, and with the system's keychain. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

const passphrase = 'canary in a coal mine';
/** No session bus is there: nor is a keychain. */
const withoutKeychain = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };

let cli: Cli;
beforeAll(async () => void (cli = await createCli(withoutKeychain)));
afterAll(() => cli.close());

const serve = (directory: string, ...words: string[]): string[] => [
  'serve',
  '--port',
  '0',
  '--json',
  '--data-dir',
  directory,
  ...words,
];

describe('serve --encrypt', () => {
  it('with a passphrase: needs it at every start, and never shows it', async () => {
    const server = cli.startHere(serve('secret', '--encrypt', '--passphrase-stdin'), { input: `${passphrase}\n` });
    expect(JSON.parse(await server.firstLine())).toMatchObject({ event: 'ready', encrypted_by: 'passphrase' });
    await server.end('SIGTERM');

    const without = await cli.call(serve('secret'));
    expect(without).toMatchObject({ code: 2, stdout: '' });
    expect(without.stderr).toContain('--passphrase-stdin or LAUDIO_PASSPHRASE is needed.');
    const wrong = await cli.call(serve('secret'), { env: { LAUDIO_PASSPHRASE: `${passphrase}!` } });
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('The passphrase is wrong.');

    const again = cli.startHere(serve('secret'), { env: { LAUDIO_PASSPHRASE: passphrase } });
    expect(JSON.parse(await again.firstLine())).toMatchObject({ encrypted_by: 'passphrase' });
    await again.end('SIGTERM');
    const kept = await readFile(join(cli.directory, 'secret', 'encryption.json'), 'utf8');
    for (const text of [kept, ...cli.written]) expect(text).not.toContain(passphrase);
  });

  it('with a passphrase that is too short: refused, and nothing is there', async () => {
    const { code, stderr } = await cli.call(serve('short', '--encrypt'), { env: { LAUDIO_PASSPHRASE: 'canary' } });
    expect(code).toBe(2);
    expect(stderr).toContain('A passphrase has at least 12 characters.');
    expect(await readdir(join(cli.directory, 'short'))).toEqual(['lock.held']);
  });

  it.runIf(process.platform === 'linux')('without a keychain: refused, with an alternative', async () => {
    const { code, stderr } = await cli.call(serve('plain', '--encrypt'));
    expect(code).toBe(2);
    expect((JSON.parse(stderr) as { error: unknown }).error).toMatchObject({
      code: 'CREDENTIAL_STORE',
      message: expect.stringMatching(/^The keychain of this system did not work: .+\.$/),
      hint: 'Unlock it and try again; or encrypt with a passphrase, with --passphrase-file, --passphrase-stdin or LAUDIO_PASSPHRASE. Nothing was changed.',
    });
    expect(await readdir(join(cli.directory, 'plain'))).toEqual(['lock.held']);
  });
});

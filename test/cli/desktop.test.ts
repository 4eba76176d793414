/** `laudio desktop --browser`: opens the page of the server that runs, where the page is built. */
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtPage, isBuilt } from '../../desktop/web/index.ts';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createCli()));
afterAll(() => cli.close());

it.runIf(process.platform === 'linux')('opens the app of the server on this computer', async () => {
  const { ready } = await cli.serveHere();
  const [browser, opened] = [join(cli.directory, 'browser'), join(cli.directory, 'opened')];
  await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`);
  await chmod(browser, 0o755);
  const env = { BROWSER: browser, DISPLAY: '', WAYLAND_DISPLAY: '', XDG_CURRENT_DESKTOP: 'none' };
  const { code, stdout, stderr } = await cli.run(['desktop', '--browser'], { env });
  expect(stdout).toBe('');
  if (isBuilt(builtPage)) {
    expect(code, stderr).toBe(0);
    // The code is for the person to read and type: an address would stand in an argument list, for all to see.
    expect(await readFile(opened, 'utf8')).toBe(`${ready.url}/`);
    expect(stderr).toMatch(/Setup code +[0-9A-Z]{5}-[0-9A-Z]{5} /);
  } else {
    expect(code).toBe(2);
    expect(stderr).toMatch(/^laudio: The app’s page is not built\.\n {2}Build it with /);
  }
});

describe.runIf(process.platform === 'linux' && isBuilt(builtPage))('without a keychain', () => {
  const words = ['desktop', '--browser', '--data-dir', 'own'];
  const noBus = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent', BROWSER: 'true', DISPLAY: '' };

  it('refuses to keep patients’ data unencrypted, and says how to', async () => {
    const { code, stderr } = await cli.run(words, { env: { ...noBus, LAUDIO_CREDENTIAL_STORE: 'keychain' } });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^laudio: The keychain of this system did not work: /);
    expect(stderr).toContain('set the variable LAUDIO_CREDENTIAL_STORE to file. Nothing was changed.');
    // The lock's file stays for whoever comes next (storage/data-directory/lock.ts).
    expect(await readdir(join(cli.directory, 'own'))).toEqual(['lock.held']);
  });

  it('does so for whoever chose that, and says it', async () => {
    const app = cli.start(words, { env: noBus });
    await app.heard('Ctrl-C stops it.');
    const { code, stderr } = await app.end('SIGTERM');
    expect(code).toBe(0);
    expect(stderr).toContain(`The data in ${join(cli.directory, 'own')} is not encrypted; only you can read it.`);
  });
});

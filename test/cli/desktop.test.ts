/** `laudio desktop --browser`: opens the page of the server that runs, where the page is built. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtPage, isBuilt } from '../../desktop/web/index.ts';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createCli()));
afterAll(() => cli.close());

it.runIf(process.platform === 'linux')('opens the app of the server on this computer', async () => {
  const { ready } = await cli.serve();
  const [browser, opened] = [join(cli.directory, 'browser'), join(cli.directory, 'opened')];
  await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`);
  await chmod(browser, 0o755);
  const env = { BROWSER: browser, DISPLAY: '', WAYLAND_DISPLAY: '', XDG_CURRENT_DESKTOP: 'none' };
  const { code, stdout, stderr } = await cli.run(['desktop', '--browser'], { env });
  expect(stdout).toBe('');
  if (isBuilt(builtPage)) {
    expect(code, stderr).toBe(0);
    expect(await readFile(opened, 'utf8')).toBe(`${ready.url}/`);
  } else {
    expect(code).toBe(2);
    expect(stderr).toMatch(/^laudio: The app’s page is not built\.\n {2}Build it with /);
  }
});

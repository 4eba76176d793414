/** A power loss left the user's file of settings empty: what can't mean something else goes on by the defaults. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createCli()));
afterAll(() => cli.close());

const why = 'config.json is empty, as a power loss can leave it.';
/** The default data directory is one without anything. */
const unnamed = () => ({ LAUDIO_DATA_DIR: '', XDG_DATA_HOME: join(cli.directory, 'data') });
async function lose(content = '\0'.repeat(512)): Promise<string> {
  const path = join(cli.directory, 'config', 'config.json');
  await mkdir(join(cli.directory, 'config'), { recursive: true });
  await writeFile(path, content);
  return path;
}

test.each(['', '\0'.repeat(512), '\uFEFF\n'])(
  'a command that needs no lost setting goes on, and says so (%j)',
  async (content) => {
    await lose(content);
    const { code, stdout, stderr } = await cli.call(['config', 'get', 'retries']);
    expect([code, stdout, stderr]).toEqual([0, '3\n', expect.stringContaining(why)]);
  },
);

test('no server opens another data directory than was set, unless that is named or the default one has data', async () => {
  await lose();
  const env = unnamed();
  const refused = await cli.call(['server', 'check'], { env });
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Name the data directory (--data-dir)')]);
  expect((await cli.call(['serve', '--port', '0'], { env })).stderr).toContain('Name the data directory');
  const named = await cli.call(['server', 'check', '--data-dir', cli.directory], { env });
  expect(named.stderr).not.toContain('Name the data directory');
  const directory = join(env.XDG_DATA_HOME, 'laudio');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'journal-0000000000000001.laudio'), '');
  expect((await cli.call(['server', 'check'], { env })).stderr).not.toContain('Name the data directory');
});

test('of several logins one has to be named', async () => {
  const { server } = await cli.serveHere();
  for (const name of ['one', 'two']) await cli.json(['profile', 'create', name]);
  await lose();
  const call = (...words: string[]) => cli.call(['whoami', ...words], { env: { LAUDIO_SERVER: '' } });
  expect(await call()).toMatchObject({ code: 2, stderr: expect.stringContaining('Name the login (--profile)') });
  expect(await call('--profile', 'one')).toMatchObject({ code: 0 });
  await server.end('SIGTERM');
});

test('later settings begin a new file, and the lost one stays next to it', async () => {
  const path = await lose();
  const { code, stderr } = await cli.call(['config', 'set', 'retries', '4']);
  expect([code, stderr]).toEqual([0, expect.stringContaining('Its other settings are lost')]);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ retries: 4 });
  expect(await readFile(`${path}.lost`, 'utf8')).toBe('\0'.repeat(512));
});

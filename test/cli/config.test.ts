/** Settings and logins by name: read, changed, and mended where they are broken. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createCli()));
afterAll(() => cli.close());

const file = (...names: string[]) => join(cli.directory, ...names);
const stored = async (): Promise<unknown> => JSON.parse(await readFile(file('config', 'config.json'), 'utf8'));
const write = async (content: string): Promise<void> => {
  await mkdir(file('config'), { recursive: true });
  await writeFile(file('config', 'config.json'), content);
};

describe('config', () => {
  it('writes values in the form in which they are read, and takes them out again', async () => {
    await write('{"retries":2}');
    for (const [name, value] of [
      ['timeout', '30'],
      ['input', 'false'],
      ['keep-audio', '30d'],
      ['data_dir', 'here'],
      ['recogniser', 'local:model threads=2'],
      ['trust_proxy', '10.0.0.1,10.0.0.2'],
    ]) {
      expect((await cli.call(['config', 'set', name!, value!])).code, name).toBe(0);
    }
    expect(await stored()).toEqual({
      retries: 2,
      timeout: 30,
      input: false,
      keep_audio: '30d',
      data_dir: file('here'),
      recogniser: 'local:model threads=2',
      trust_proxy: '10.0.0.1,10.0.0.2',
    });
    const { stdout } = await cli.call(['config', 'list', '--show-origin'], { env: { LAUDIO_DATA_DIR: '' } });
    expect(stdout).toContain(`recogniser\tlocal:model threads=2\t${file('config', 'config.json')}\n`);
    expect(stdout).toContain(`data_dir\t${file('here')}\t`);
    for (const name of ['timeout', 'input', 'keep_audio', 'data_dir', 'recogniser', 'trust_proxy'])
      await cli.call(['config', 'set', name, '--unset']);
    expect(await stored()).toEqual({ retries: 2 });
  });

  it.each([
    [['set', 'timeout', 'soon'], 2, 'timeout must be a whole number from 1 to 3600.'],
    [['set', 'timeot', '3'], 2, 'timeot is not a setting.'],
    [['set', 'timeout'], 2, 'Give either a value or --unset.'],
    [['set', 'timeout', '3', '--unset'], 2, 'Give either a value or --unset.'],
    [['get', 'language'], 3, 'language is not set.'],
  ] as const)('%j is refused', async (words, exitCode, said) => {
    await write('{}');
    expect(await cli.call(['config', ...words])).toMatchObject({
      code: exitCode,
      stderr: expect.stringContaining(said),
    });
    expect(await stored()).toEqual({});
  });

  it('shows which settings override the file, and no password of an address', async () => {
    await write('{}');
    const env = { LAUDIO_TIMEOUT: '9', LAUDIO_RECOGNISER: 'openai url=https://user:canary@example.com' };
    expect((await cli.call(['config', 'set', 'timeout', '30'], { env })).stderr).toContain(
      'LAUDIO_TIMEOUT also sets timeout',
    );
    expect((await cli.call(['config', 'get', 'timeout'], { env })).stdout).toBe('9\n');
    const { stdout } = await cli.call(['config', 'list'], { env });
    expect(stdout).toContain('openai url=https://user:…@example.com');
    expect(stdout).not.toContain('canary');
  });

  it('finds and fixes the file when no other command runs', async () => {
    await write('{"timeout":"soon"}');
    expect((await cli.call(['config', 'get', 'retries'])).code).toBe(2);
    expect((await cli.call(['config', 'path'])).stdout).toContain(file('config', 'config.json'));
    expect((await cli.call(['config', 'set', 'timeout', '--unset'])).code).toBe(0);
    expect((await cli.call(['config', 'get', 'retries'])).stdout).toBe('3\n');
  });
});

describe('profile', () => {
  it('keeps logins apart: made, used, listed and deleted', async () => {
    const { server } = await cli.serveHere();
    const names = async (): Promise<string[]> =>
      (await cli.json<{ name: string; current: boolean }[]>(['profile', 'list'])).map(({ name, current }) =>
        current ? `*${name}` : name,
      );
    await cli.json(['profile', 'create', 'one']);
    await cli.json(['profile', 'create', 'two']);
    expect(await names()).toEqual(['one', '*two']);
    expect(await cli.call(['profile', 'create', 'one'])).toMatchObject({ code: 11 });
    await cli.json(['profile', 'use', 'one']);
    expect((await cli.json<{ profile: string }>(['whoami'])).profile).toBe('one');
    expect(await cli.call(['profile', 'delete', 'one'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes is needed.'),
    });
    await cli.json(['profile', 'delete', 'one', '--yes']);
    expect(await names()).toEqual(['*two']);
    for (const verb of ['use', 'delete']) expect((await cli.call(['profile', verb, 'one'])).code).toBe(3);
    await server.end('SIGTERM');
  });
});

/** `laudio upgrade --check`, and what a program says that is newer than its server. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { compareVersions } from '../../src/domain/version-order.ts';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { startHttpServer } from '../support/http-server.ts';
import { programVersion } from '../../src/node/program-version.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createCli()));
afterAll(() => cli.close());

test('versions are in the order of Semantic Versioning', () => {
  const ordered = ['0.1.0-alpha', '0.1.0-alpha.1', '0.1.0-alpha.beta', '0.1.0-beta.2', '0.1.0-beta.11', '0.1.0-rc.1'];
  ordered.push('0.1.0', '0.1.1', '0.2.0', '0.10.0', '1.0.0');
  for (const [at, a] of ordered.entries()) {
    for (const [other, b] of ordered.entries())
      expect(Math.sign(compareVersions(a, b) ?? Number.NaN), `${a} ${b}`).toBe(Math.sign(at - other));
  }
  expect(compareVersions('0.1.0+4a0aa80f', '0.1.0+ffff')).toBe(0);
  expect(compareVersions('0.1', '0.1.0')).toBeUndefined();
});

const file = `laudio-9.0.0-${process.platform}-${process.arch}.tar.gz`;
const index = {
  version: '9.0.0',
  files: [
    { file, bytes: 1, sha256: 'a'.repeat(64) },
    { file: 'laudio-9.0.0-plan9-mips.tar.gz', bytes: 1, sha256: 'b'.repeat(64) },
  ],
};

describe('upgrade --check', () => {
  it('compares with the release that was named, and with the servers here', async () => {
    const { server } = await cli.serveHere();
    await mkdir(join(cli.directory, 'release'));
    await writeFile(join(cli.directory, 'release', 'laudio-release.json'), JSON.stringify(index));
    expect(await cli.json(['upgrade', '--check', '--from', 'release'])).toEqual({
      version: programVersion(),
      servers: [{ url: expect.stringMatching(/^http/), version: programVersion(), outdated: false }],
      release: '9.0.0',
      available: true,
      files: [index.files[0]],
    });
    expect((await cli.call(['upgrade', '--check'])).stdout).toMatch(/^This program\t.*\nServer\thttp[^]*--from\n$/);
    await server.end('SIGTERM');
    const former = { ...index, version: '0.0.9' };
    await writeFile(join(cli.directory, 'former.json'), JSON.stringify(former));
    expect(await cli.json(['upgrade', '--check', '--from', 'former.json'])).toMatchObject({ available: false });
  });

  it('reads a mirror, and refuses what could be changed on the way', async () => {
    const mirror = await startHttpServer(({ path }) => ({
      status: path === '/laudio/laudio-release.json' ? 200 : 404,
      body: index,
    }));
    expect(await cli.json(['upgrade', '--check', '--from', `${mirror.url}/laudio/`])).toMatchObject({
      release: '9.0.0',
    });
    await writeFile(join(cli.directory, 'wrong.json'), '{"version":1}');
    for (const [words, code, why] of [
      [['--check', '--from', `${mirror.url}/elsewhere`], 8, 'status 404'],
      [['--check', '--from', 'http://mirror.example/laudio'], 2, 'https'],
      [['--check', '--from', 'wrong.json'], 2, 'is no laudio-release.json'],
      [['--check', '--from', 'nowhere'], 2, 'nowhere'],
      [[], 2, '--check is needed'],
    ] as const) {
      expect(await cli.call(['upgrade', ...words])).toMatchObject({ code, stderr: expect.stringContaining(why) });
    }
    await mirror.close();
  });
});

it('says that the server is older, once, where it refuses a call', async () => {
  const older = await startHttpServer(({ path }) =>
    path === '/healthz'
      ? { body: { status: 'ok', version: '0.0.9', uptime_s: 1 } }
      : { status: 404, body: { success: false, error: { code: 'NOT_FOUND', message: 'Not found.' } } },
  );
  const env = { LAUDIO_TOKEN: 'a-token', LAUDIO_SERVER: older.url };
  const refused = await cli.call(['worklist', 'list'], { env });
  expect(refused).toMatchObject({ code: 8, stderr: expect.stringContaining('This server is Laudio 0.0.9') });
  expect(older.asked.filter(({ path }) => path === '/healthz')).toHaveLength(1);
  await older.close();
});

/** The packages of the program without Node, of a small program: the real one is packed in the same way. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeArchive, makeDebian, writeReleaseIndex } from '../../.build/packages/make.ts';
import { exploringTest } from '../support/exploring-test.ts';
import { isProgram } from '../support/is-program.ts';
import { run } from '../support/process.ts';
import { playOperatorDay } from './operator-day.ts';

let directory: string;
let options: { binary: string; output: string; version: string; isQuick: boolean };
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'laudio-packages-'));
  const binary = join(directory, 'binary');
  mkdirSync(join(binary, 'lib/node_modules/laudio'), { recursive: true });
  writeFileSync(join(binary, 'laudio'), '#!/bin/sh\necho the program\n');
  chmodSync(join(binary, 'laudio'), 0o755);
  writeFileSync(join(binary, 'lib/node_modules/laudio/LICENSE'), 'MIT License\n');
  options = { binary, output: join(directory, 'packages'), version: '0.2.0-beta.1+4a0aa80f1c2d', isQuick: true };
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const execute = (program: string, ...words: string[]) => run(program, words, { env: process.env, cwd: directory });

describe.runIf(process.platform === 'linux' && isProgram('dpkg-deb'))('a release', () => {
  test('has an archive, a Debian package and an index of both', async () => {
    const files = [await makeArchive(options), await makeDebian(options)];
    await writeReleaseIndex(options.output, options.version, files);
    const index = JSON.parse(readFileSync(join(options.output, 'laudio-release.json'), 'utf8')) as unknown;
    expect(index).toMatchObject({ version: options.version, files: [{ file: expect.stringContaining('linux') }, {}] });

    const [archive, debian] = files as [string, string];
    mkdirSync(join(directory, 'opt'));
    await execute('tar', '-xzf', archive, '-C', 'opt');
    expect(await execute(join(directory, 'opt/laudio/laudio'))).toMatchObject({ code: 0, stdout: 'the program\n' });

    const fields = await execute('dpkg-deb', '--field', debian, 'Package', 'Version', 'Conflicts');
    // A preview comes before its version.
    expect(fields.stdout).toBe('Package: laudio-server\nVersion: 0.2.0~beta.1+4a0aa80f1c2d\nConflicts: laudio\n');
    await execute('dpkg-deb', '--raw-extract', debian, 'debian');
    expect(await execute(join(directory, 'debian/usr/bin/laudio'))).toMatchObject({ code: 0, stdout: 'the program\n' });
    for (const name of ['postinst', 'prerm', 'postrm'])
      expect(await execute('sh', '-n', join(directory, 'debian/DEBIAN', name))).toMatchObject({ code: 0, stderr: '' });
    const unit = readFileSync(join(directory, 'debian/usr/lib/systemd/system/laudio.service'), 'utf8');
    expect(unit).toContain('ExecStart=/usr/bin/laudio serve --port 8742 --no-test-client\n');
    expect(unit).toContain('User=laudio\n');
    expect(readFileSync(join(directory, 'debian/usr/lib/sysusers.d/laudio.conf'), 'utf8')).toContain('u laudio');
  });
});

// The package above, with the real program, on a machine that has nothing else.
if (process.platform === 'linux') exploringTest('an operator has a whole day on a bare Debian', playOperatorDay);

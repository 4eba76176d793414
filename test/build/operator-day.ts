/** A day of an operator on a bare Debian (operator-day.sh). It needs root, `debootstrap`, and Debian's packages. */
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeDebian, writeReleaseIndex } from '../../.build/packages/make.ts';
import { pageOf } from '../../docs/site/pages.ts';
import { isProgram } from '../support/is-program.ts';
import { root } from '../support/modules.ts';
import { npm, run } from '../support/process.ts';

const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const versions = { first: '0.1.0+aaaaaaaaaaaa', second: '0.1.1+bbbbbbbbbbbb' };

/** Processes, network and mounts of its own, which end with it, so that its ports are nobody else's. */
const isolated = (machine: string): string => `
  mount -t proc proc '${machine}/proc'
  mount -t tmpfs -o size=200m,mode=755 none '${machine}/var/lib/laudio'
  ip link set lo up
  exec env -i PATH=${systemPath} HOME=/root LANG=C.UTF-8 chroot '${machine}' bash /day/operator-day.sh`;

const execute = (program: string, ...words: string[]) =>
  run(program, words, { env: { ...process.env, PATH: `${process.env['PATH']}:${systemPath}` } });

/** Makes the machine in an empty directory: the same release as here, from the same mirror, with what the day needs in /day. */
async function makeMachine(home: string): Promise<string> {
  const machine = join(home, 'machine');
  const day = join(machine, 'day');
  const codename = /VERSION_CODENAME=(\w+)/.exec(await readFile('/etc/os-release', 'utf8'))?.[1] ?? 'stable';
  const targets = await execute('apt-get', 'indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages');
  const [mirror = ''] = targets.stdout.split('\n');
  const packages = '--include=nginx-light,curl,openssl,ca-certificates,iproute2';
  const made = await execute('debootstrap', '--variant=minbase', packages, codename, machine, mirror);
  expect(made.code, made.stdout.slice(-2000)).toBe(0);
  await npm(['run', '--silent', 'build:binary'], { cwd: root });
  for (const directory of [day, join(machine, 'var/lib/laudio')]) await mkdir(directory, { recursive: true });
  for (const [name, version] of Object.entries(versions)) {
    const file = await makeDebian({ binary: join(root, 'dist/binary'), output: home, version, isQuick: true });
    await copyFile(file, join(day, `${name}.deb`));
  }
  await writeReleaseIndex(day, versions.second, [join(day, 'second.deb')]);
  await copyFile(new URL('operator-day.sh', import.meta.url), join(day, 'operator-day.sh'));
  const site = pageOf('docs/guide-operator.md').blocks.find(({ marks }) => marks === 'file=nginx.conf')?.text ?? '';
  await writeFile(join(day, 'nginx.conf'), site);
  return machine;
}

export async function playOperatorDay(): Promise<void> {
  if (process.getuid?.() !== 0 || !isProgram('debootstrap'))
    throw new Error('The day of an operator needs root and debootstrap: apt-get install debootstrap.');
  const home = await mkdtemp(join(tmpdir(), 'laudio-day-'));
  try {
    const machine = await makeMachine(home);
    const words = ['--mount', '--net', '--pid', '--fork', '--kill-child', 'sh', '-ec', isolated(machine)];
    const { code, stdout, stderr } = await execute('unshare', ...words);
    expect(code, `${stdout}\n${stderr}`.slice(-4000)).toBe(0);
    expect(stdout).toContain('A whole day.');
    // systemd, which that machine lacks, looks for the program here.
    const unit = join(home, 'laudio.service');
    const written = await readFile(join(machine, 'day/laudio.service'), 'utf8');
    await writeFile(unit, written.replaceAll('/usr/lib/laudio', join(machine, 'usr/lib/laudio')));
    expect(await execute('systemd-analyze', 'verify', '--man=no', unit)).toMatchObject({ code: 0, stderr: '' });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

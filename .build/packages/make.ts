/**
 * The packages of the program without Node (../binary): an archive for any system, and a Debian package with the service.
 * Both hold the same files, and the container's image is made of the archive (.docker/Dockerfile).
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, cp, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { systemDirectories } from '../../src/node/paths.ts';
import { defaultAccount } from '../../cli/serving/service/service.ts';
import { sysusersLine, systemdUnit } from '../../cli/serving/service/systemd.ts';
import { defaultPort } from '../../cli/serving/serving-process.ts';
import { control, scripts } from './debian.ts';

export interface PackageOptions {
  /** Directory of the program: `laudio` and `lib`. */
  readonly binary: string;
  /** Directory for the packages. */
  readonly output: string;
  readonly version: string;
  /** Whether to compress well, or quickly. */
  readonly isQuick?: boolean;
}

/** `laudio-0.1.0-linux-x64.tar.gz` with one directory, `laudio`. */
export async function makeArchive({ binary, output, version, isQuick }: PackageOptions): Promise<string> {
  await mkdir(output, { recursive: true });
  const file = join(output, `laudio-${version}-${process.platform}-${process.arch}.tar.gz`);
  const names = (await readdir(binary)).toSorted();
  // The same input gives the same archive where GNU's tar makes it.
  const isGnu = process.platform === 'linux';
  const same = isGnu ? ['--sort=name', '--owner=0', '--group=0', '--numeric-owner'] : [];
  const rename = isGnu ? ['--transform=flags=r;s,^,laudio/,'] : ['-s', ',^,laudio/,'];
  execFileSync('tar', ['-czf', file, ...same, ...rename, '-C', binary, ...names], {
    env: { ...process.env, GZIP: isQuick ? '-1' : '-9' },
    stdio: ['ignore', 'inherit', 'ignore'],
  });
  return file;
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** `laudio-server_0.1.0_amd64.deb`: the program, its service, and the account of that. Needs `dpkg-deb`. */
export async function makeDebian({ binary, output, version, isQuick }: PackageOptions): Promise<string> {
  const architecture = architectures[process.arch];
  if (architecture === undefined) throw new Error(`no Debian package for ${process.arch}`);
  const tree = join(output, 'debian');
  await rm(tree, { recursive: true, force: true });
  const write = async (path: string, text: string, mode = 0o644) => {
    await mkdir(join(tree, path, '..'), { recursive: true });
    await writeFile(join(tree, path), text);
    await chmod(join(tree, path), mode);
  };
  try {
    await cp(binary, join(tree, 'usr/lib/laudio'), { recursive: true, verbatimSymlinks: true });
    await mkdir(join(tree, 'usr/bin'), { recursive: true });
    await symlink('../lib/laudio/laudio', join(tree, 'usr/bin/laudio'));
    await write('usr/lib/systemd/system/laudio.service', packagedUnit());
    await write('usr/lib/sysusers.d/laudio.conf', sysusersLine());
    const licence = join(binary, 'lib/node_modules/laudio/LICENSE');
    await mkdir(join(tree, 'usr/share/doc/laudio-server'), { recursive: true });
    await cp(licence, join(tree, 'usr/share/doc/laudio-server/copyright'));
    await mkdir(join(tree, 'etc/laudio'), { recursive: true });
    // Debian sorts a preview before its version by a tilde.
    const number = version.replace('-', '~');
    await write('DEBIAN/control', control({ version: number, architecture, kibibytes: await sizeInKibibytes(tree) }));
    for (const [name, script] of Object.entries(scripts)) await write(`DEBIAN/${name}`, script, 0o755);
    const file = join(output, `laudio-server_${number}_${architecture}.deb`);
    const compression = isQuick ? ['-Zgzip', '-z1'] : ['-Zxz'];
    execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', tree, file], { stdio: 'pipe' });
    return file;
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}

/** The service as the package has it: on this computer alone, until "laudio service install" is told more. */
function packagedUnit(): string {
  const directories = systemDirectories('linux');
  if (!directories) throw new Error('Linux has no directories of a service');
  return systemdUnit({
    program: ['/usr/bin/laudio'],
    words: [{ option: '--port', value: String(defaultPort) }, { option: '--no-test-client' }],
    account: defaultAccount,
    directories,
    data: directories.data,
    writable: [],
  });
}

async function sizeInKibibytes(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1024);
}

/** What `laudio upgrade --check` reads: the version, and the packages with their checksums. */
export async function writeReleaseIndex(output: string, version: string, files: readonly string[]): Promise<void> {
  const listed = await Promise.all(
    files.map(async (file) => ({ file: basename(file), bytes: (await stat(file)).size, sha256: await hashFile(file) })),
  );
  await writeFile(join(output, 'laudio-release.json'), `${JSON.stringify({ version, files: listed }, undefined, 2)}\n`);
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** The lock file of the program without Node: what the project's lock file has of the packages that are shipped. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

export interface LockedPackage {
  /** Of a package that is installed under another name. */
  readonly name?: string;
  readonly version: string;
  readonly dev?: boolean;
  readonly peer?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** Path of a package that another one depends on: the nearest above it. */
function findPath(packages: LockedPackages, from: string, name: string): string | undefined {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))) {
    const path = `${place === '' ? '' : `${place}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (place === '') return undefined;
  }
}

/** Paths of the named packages and of all that they depend on. */
export function closure(packages: LockedPackages, names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const waiting = names.map((name) => ({ from: '', name }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const path = findPath(packages, next.from, next.name);
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) waiting.push({ from: path, name });
  }
  return found;
}

/** `package.json` and `package-lock.json` by which `npm ci` installs the archive, the additional packages, and what both need. */
export async function lockProgram(archive: string, packages: LockedPackages, additional: readonly string[]) {
  const { '': project } = packages;
  if (!project) throw new Error('the lock file has no project');
  const { version, dependencies = {} } = project;
  const resolved = `file:${basename(archive)}`;
  const integrity = `sha512-${createHash('sha512')
    .update(await readFile(archive))
    .digest('base64')}`;
  const wanted = Object.fromEntries(additional.map((name) => [name, packages[`node_modules/${name}`]?.version]));
  const root = { name: 'laudio-program', dependencies: { laudio: resolved, ...wanted } };
  const shipped = [...closure(packages, [...Object.keys(dependencies), ...additional])].toSorted().map((path) => {
    const { dev: _dev, peer: _peer, ...locked } = packages[path] ?? { version: '' };
    return [path, locked];
  });
  return {
    description: { private: true, ...root },
    lock: {
      ...root,
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': root,
        ...Object.fromEntries(shipped),
        'node_modules/laudio': { version, resolved, integrity, dependencies },
      },
    },
  };
}

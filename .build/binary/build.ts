/** `npm run build:binary`: makes dist/binary, the program for machines without Node, of this machine's kind (make.ts). */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { optionalPackages } from '../../src/node/optional-packages.ts';
import { npm } from '../../test/support/process.ts';
import { lockProgram } from './lock.ts';
import type { LockedPackages } from './lock.ts';
import { makeBinary } from './make.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const lib = join(root, 'dist', 'binary', 'lib');
const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: LockedPackages;
};

// npm 11 gives a list, npm 12 an object by package name.
const [packed] = Object.values(JSON.parse(await npm(['pack', '--json', '--silent'], { cwd: root })) as object) as {
  readonly filename: string;
}[];
const archive = join(lib, packed!.filename);
await mkdir(lib, { recursive: true });
await rename(join(root, packed!.filename), archive);
// Without Node there is no npm either that could add what the package leaves out.
const { description, lock } = await lockProgram(archive, packages, optionalPackages);
await writeFile(join(lib, 'package.json'), `${JSON.stringify(description)}\n`);
await writeFile(join(lib, 'package-lock.json'), `${JSON.stringify(lock)}\n`);
await npm(['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: lib });
await rm(archive);
await makeBinary(lib);

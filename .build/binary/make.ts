/**
 * The release binary: Node, with a snapshot of what a call of the command line loads (start.cjs), beside the package as npm
 * installs it. Whoever has it needs no Node.
 */
import { spawnSync } from 'node:child_process';
import { chmod, copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** By the names of their chunks: what every call loads, and the commands of short calls. */
const pieces = ['version', 'start', 'parse', 'command', 'call', 'api', 'list', 'show', 'token', 'whoami'];

const windows = process.platform === 'win32';

/** Follows links to itself, as a package manager or a person makes them in a directory of the path. */
const script = `#!/bin/sh
program=$0
while [ -h "$program" ]; do
  link=$(readlink "$program")
  case $link in /*) program=$link ;; *) program=$(dirname "$program")/$link ;; esac
done
case $program in */*) lib=\${program%/*}/lib ;; *) lib=lib ;; esac
exec "$lib/node" --snapshot-blob "$lib/start.blob" laudio "$@"
`;
const windowsScript = `@"%~dp0lib\\node.exe" --snapshot-blob "%~dp0lib\\start.blob" laudio %*\r\n`;

/**
 * Makes the program beside `lib`, the directory in whose `node_modules` the package is installed, for the Node that runs
 * this and its kind of machine. Returns its path.
 */
export async function makeBinary(lib: string): Promise<string> {
  const node = join(lib, windows ? 'node.exe' : 'node');
  await copyFile(process.execPath, node);
  await chmod(node, 0o755);

  const start = join(lib, 'start.cjs');
  const chunks = Array.from(await chunksOf(join(lib, 'node_modules', 'laudio', 'dist', 'cli')), asFunction);
  const code = await readFile(new URL('start.cjs', import.meta.url), 'utf8');
  await writeFile(start, `const chunks = {${chunks.join(',\n')}};\n${code}`);
  const args = ['--snapshot-blob', join(lib, 'start.blob'), '--build-snapshot', start];
  // Modules of Node's that nobody has tried in a snapshot yet are warned about; the tests try them.
  const { status, stderr } = spawnSync(node, ['--no-warnings', ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`no snapshot could be made: ${stderr}`);
  await rm(start);

  const program = join(dirname(lib), windows ? 'laudio.cmd' : 'laudio');
  await writeFile(program, windows ? windowsScript : script);
  await chmod(program, 0o755);
  return program;
}

/** Name and code of the chunks of the pieces, and of all that they load; without those that load packages. */
async function chunksOf(directory: string): Promise<Map<string, string>> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.js'));
  const codes = new Map<string, string>();
  for (const file of files) codes.set(file, await readFile(join(directory, file), 'utf8'));
  const add = (file: string, needed: Set<string>): Set<string> => {
    if (!needed.has(file)) {
      needed.add(file);
      for (const [, name] of (codes.get(file) ?? '').matchAll(/^(?:const|let) \w+ = require\("([^"]+)"\)/gm))
        if (!name!.startsWith('node:')) add(name!.replace('./', ''), needed);
    }
    return needed;
  };
  const chosen = files
    .filter((file) => pieces.some((piece) => new RegExp(`^${piece}-[\\w-]{8}\\.js$`).test(file)))
    .map((file) => add(file, new Set()))
    .filter((needed) => [...needed].every((file) => codes.has(file)));
  return new Map(['main.js', ...chosen.flatMap((needed) => [...needed])].map((file) => [file, codes.get(file)!]));
}

/** The chunk as a function. In a snapshot there is no `import()`, and no directory before the program runs. */
const asFunction = ([file, code]: [file: string, code: string]): string =>
  `${JSON.stringify(file)}: function (exports, require, module, directory, load) {${code
    .replace(/^#!.*/, '')
    .replaceAll('__dirname', 'directory()')
    .replaceAll(/\bimport\((?=")/g, 'load(')}\n}`;

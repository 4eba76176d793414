/**
 * `npm run build`: makes dist/ from the sources. The compiler makes everything but the page, which Vite bundles into
 * dist/renderer, and which is compressed there; what is not TypeScript is copied beside what is; the command line is
 * bundled, and its entry becomes executable. The doors of the library have their types beside them.
 */
import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { Rolldown } from 'vite';
import { bundleCommand, writeNotices } from './bundle.ts';
import { bundleModules } from './bundle-modules.ts';
import { compressPage } from './compress.ts';
import { declareDoors } from './declarations.ts';
import { writeVersion } from './version.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const entry = join(dist, 'cli', 'main.js');
const page = join(root, 'desktop', 'renderer');

/** The compiler of the project, by its own list of programs. */
function compilerPath(): string {
  const description = createRequire(import.meta.url).resolve('typescript/package.json');
  return join(dirname(description), 'bin', 'tsc');
}

await rm(dist, { recursive: true, force: true });

/** `--no-check`: the types have been checked already, which is half of the compiler's work. */
const isChecked = process.argv.includes('--no-check');

const declarations = await mkdtemp(join(tmpdir(), 'laudio-declarations-'));
try {
  const options = ['--noEmitOnError', '--declaration', '--declarationDir', declarations];
  // Several checkers check much of the same.
  const checkers = ['--checkers', String(Math.ceil(availableParallelism() / 2))];
  const unchecked = isChecked ? ['--noCheck'] : [];
  const { status } = spawnSync(process.execPath, [compilerPath(), '-p', root, ...options, ...checkers, ...unchecked], {
    stdio: 'inherit',
  });
  if (status !== 0) {
    await rm(dist, { recursive: true, force: true });
    throw new Error('the sources do not compile');
  }
  await declareDoors(declarations, dist);
} finally {
  await rm(declarations, { recursive: true, force: true });
}

for (const folder of ['src', 'server', 'cli', 'desktop']) {
  await cp(join(root, folder), join(dist, folder), {
    recursive: true,
    filter: (path) => !/\.([cm]?ts|rs)$|^(tsconfig\.json|Cargo\..*)$/.test(basename(path)) && path !== page,
  });
}

const packages = new Set<string>();
await bundleCommand(dist, packages);
writeVersion(root);
if (!(await readFile(entry, 'utf8')).startsWith('#!/usr/bin/env node\n'))
  throw new Error('cli/main.ts must start with #!/usr/bin/env node');
await chmod(entry, 0o755);

await build({ configFile: join(page, 'vite.config.ts'), logLevel: 'warn' });
await compressPage(join(dist, 'renderer'));

// The library that fetches newer versions goes into the one file of the shell that uses it: the command line never has it.
const updater = join(dist, 'desktop', 'main', 'updater.js');
const { output } = (await build({
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: true },
  build: { ssr: updater, target: 'node24', write: false, rolldownOptions: { external: ['electron'] } },
})) as Rolldown.RolldownOutput;
const [bundle] = output;
await writeFile(updater, bundle.code);

await bundleModules(dist, packages);
await writeNotices(join(dist, 'cli', 'LICENSES.txt'), packages);

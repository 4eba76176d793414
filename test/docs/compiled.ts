/** The TypeScript that the guides show, as the compiler takes it in a project that has installed laudio. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from '../support/modules.ts';
import { run } from '../support/process.ts';
import type { Block } from '../../docs/site/pages.ts';

/** What the readers have of their own. */
const own = `
declare global {
  function sendDay(options: { env: object }): Promise<void>;
  const startServer: typeof import('laudio/testing').startServer;
  const exam: import('laudio').WorklistItemInput;
  const server: import('laudio/testing').TestServer;
}
export {};
`;

/** What the compiler has to say of the blocks; each is a file with the name of its page and line. */
export async function compilerSays(blocks: readonly Block[]): Promise<string> {
  const parent = join(root, 'node_modules', '.typed-blocks');
  await mkdir(parent, { recursive: true });
  const directory = await mkdtemp(join(parent, 'run-'));
  try {
    const names = blocks.map(({ page, line }) => `${page.replaceAll('/', '.')}.${line}.mts`);
    for (const [at, { text }] of blocks.entries()) await writeFile(join(directory, names[at]!), text);
    await writeFile(join(directory, 'own.d.mts'), own);
    const compilerOptions = {
      noEmit: true,
      rootDir: root,
      noUnusedLocals: false,
      paths: {
        laudio: [join(root, 'src/client/library/index.ts')],
        'laudio/testing': [join(root, 'server/testing/index.ts')],
      },
    };
    const project = { extends: join(root, 'test', 'tsconfig.json'), compilerOptions, include: ['.'], exclude: [] };
    await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(project));
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
    // Several checkers check much of the same.
    const args = [compiler, '-p', directory, '--checkers', '1'];
    const { code, stdout, stderr } = await run(process.execPath, args, { cwd: directory });
    return code === 0 ? '' : stdout + stderr;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

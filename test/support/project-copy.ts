/** The project in a directory of its own, to be built there without touching anybody's dist/. */
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './modules.ts';

const parts = [
  'src',
  'server',
  'cli',
  'desktop',
  'samples',
  'docs',
  '.build',
  'package.json',
  'tsconfig.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
];

export interface ProjectCopy extends AsyncDisposable {
  readonly directory: string;
}

/** Sources copied, installed packages linked. */
export async function copyProject(): Promise<ProjectCopy> {
  const directory = await mkdtemp(join(tmpdir(), 'laudio-copy-'));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    for (const part of parts) await cp(join(root, part), join(directory, part), { recursive: true });
    // A junction needs no right on Windows and is a plain link elsewhere.
    await symlink(join(root, 'node_modules'), join(directory, 'node_modules'), 'junction');
  } catch (error) {
    await remove();
    throw error;
  }
  return { directory, [Symbol.asyncDispose]: remove };
}

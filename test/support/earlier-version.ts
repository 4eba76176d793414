/** An earlier version of this project, out of its history, with the installed packages of this one. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './modules.ts';

export interface EarlierVersion extends AsyncDisposable {
  /** The file of its command line. */
  readonly program: string;
}

export async function extractVersion(commit: string): Promise<EarlierVersion> {
  const directory = await mkdtemp(join(tmpdir(), 'laudio-earlier-'));
  const archive = execFileSync('git', ['archive', commit, 'cli', 'server', 'src', 'desktop', 'package.json'], {
    cwd: root,
    maxBuffer: 2 ** 30,
  });
  execFileSync('tar', ['-x', '-C', directory], { input: archive });
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  return {
    program: join(directory, 'cli/main.ts'),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

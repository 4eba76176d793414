/** Names a build by its commit, so that two builds of one version can be told from each other. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

function git(root: string, ...words: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** `0.1.0` at its tag and without a repository; otherwise `0.1.0+COMMIT`, with `.changed` after uncommitted changes. */
export function buildVersion(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  // The directory may lie in the repository of another project.
  const isOwn = git(root, 'rev-parse', '--show-prefix') === '';
  const commit = isOwn ? git(root, 'rev-parse', '--short=12', 'HEAD') : undefined;
  if (commit === undefined) return version;
  const isChanged = git(root, 'status', '--porcelain', '--untracked-files=no') !== '';
  const tags = git(root, 'tag', '--points-at', 'HEAD')?.split('\n') ?? [];
  if (tags.includes(`v${version}`) && !isChanged) return version;
  return `${version}+${commit}${isChanged ? '.changed' : ''}`;
}

/** The program reads it from there (src/node/program-version.ts). */
export const writeVersion = (root: string): void =>
  writeFileSync(join(root, 'dist', 'build.json'), `${JSON.stringify({ version: buildVersion(root) })}\n`);

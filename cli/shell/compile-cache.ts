/** Caches the compiled modules of the program, so that the next command starts sooner. */
import { lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { userPaths } from '../../src/node/paths.ts';

/**
 * Node's default location is shared by all users of a computer, and its owner could inject code. So the cache is in a
 * directory that only this user can write; without one, nothing is cached.
 */
export function keepCompiledModules(): void {
  try {
    const { cache } = userPaths({ platform: process.platform, env: process.env, home: homedir() });
    const directory = join(cache, 'compiled');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if ([cache, directory].every(isPrivate)) module.enableCompileCache(directory);
  } catch {
    // Only the time of the next start depends on this.
  }
}

function isPrivate(directory: string): boolean {
  if (process.getuid === undefined) return true;
  const { uid, mode } = lstatSync(directory);
  return uid === process.getuid() && (mode & 0o022) === 0;
}

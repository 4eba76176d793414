/**
 * Keeps the files of a former version before the start rewrites them, so that the operator can go back to it. They are links:
 * they take no room until the rewritten files are there, and nobody writes to a file of a former format.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../../../src/node/files/replace-file.ts';
import { makePrivateDirectory, unlessMissing } from '../data-directory/private-files.ts';
import type { FileSystem } from '../data-directory/private-files.ts';
import { besideOf } from './header-copies.ts';
import { linkAs } from './quarantine.ts';

export const upgradeFolder = 'before-upgrade';

/** A way back is of use for some days; after that too much was changed that only the new version has. */
const keptMs = 14 * 24 * 3600 * 1000;

/** Replaces the files of an earlier upgrade. */
export async function keepFormerFiles(fs: FileSystem, directory: string, names: readonly string[]): Promise<void> {
  await removeFormerFiles(directory);
  const folder = join(directory, upgradeFolder);
  await makePrivateDirectory(fs, folder);
  await syncDirectory(directory, fs);
  for (const name of names) {
    await linkAs(fs, join(directory, name), join(folder, name));
    const beside = besideOf(name);
    await linkAs(fs, join(directory, beside), join(folder, beside)).catch(unlessMissing);
  }
}

/** They hold what was removed since, so that an erasure removes them too. */
export const removeFormerFiles = (directory: string): Promise<void> =>
  rm(join(directory, upgradeFolder), { recursive: true, force: true });

export async function removeExpiredFormerFiles(fs: FileSystem, directory: string, now: number): Promise<void> {
  const made = await fs.stat(join(directory, upgradeFolder)).catch(unlessMissing);
  if (made && now - made.mtimeMs > keptMs) await removeFormerFiles(directory);
}

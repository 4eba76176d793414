/** The quarantine keeps unreadable files for experts who may recover more. Laudio never deletes a file there. */
import { basename, dirname, join } from 'node:path';
import { syncDirectory } from '../../../src/node/files/replace-file.ts';
import { hasCode, makePrivateDirectory, unlessMissing } from '../data-directory/private-files.ts';
import type { FileSystem } from '../data-directory/private-files.ts';
import { besideOf } from './header-copies.ts';

const folder = 'quarantine';

/**
 * Links a data file into the quarantine, durably, with the copy of its header if there is one; returns the new name of the
 * file, relative to the directory.
 */
export async function keepInQuarantine(fs: FileSystem, directory: string, name: string): Promise<string> {
  await makePrivateDirectory(fs, join(directory, folder));
  await syncDirectory(directory, fs);
  const beside = besideOf(name);
  await linkAs(fs, join(directory, beside), join(directory, folder, beside)).catch(unlessMissing);
  return join(folder, basename(await linkAs(fs, join(directory, name), join(directory, folder, name))));
}

/** Links the file as `target`, durably, or as `target` with the first free number; returns the new name. */
export async function linkAs(fs: FileSystem, path: string, target: string): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? target : `${target}.${number}`;
    try {
      await fs.link(path, name);
      await syncDirectory(dirname(name), fs);
      return name;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
}

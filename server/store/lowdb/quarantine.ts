/** Where what cannot be read is kept for whoever can do more with it. Nothing is ever deleted there. */
import { basename, dirname, join } from 'node:path';
import { syncDirectory } from '../../../src/node/files/replaced-file.ts';
import { hasCode, makePrivateDirectory } from '../../data-directory/private-files.ts';
import type { FileSystem } from '../../data-directory/private-files.ts';

const folder = 'quarantine';

/** Gives a file of the data directory a further name in the quarantine, durably, and tells it. */
export async function keepInQuarantine(fs: FileSystem, directory: string, name: string): Promise<string> {
  await makePrivateDirectory(fs, join(directory, folder));
  await syncDirectory(directory, fs);
  return join(folder, basename(await linkAs(fs, join(directory, name), join(directory, folder, name))));
}

/** Gives the file that further name, durably, or that name with the first number that is free. */
export async function linkAs(fs: FileSystem, path: string, wanted: string): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}.${number}`;
    try {
      await fs.link(path, name);
      await syncDirectory(dirname(name), fs);
      return name;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
}

/** Files and directories that only their owner can read, whatever the umask: 0600 and 0700. */
import { chmod, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { noteChange } from './file-changes.ts';
import { replaceFile } from './replace-file.ts';
import { ofFile } from '../system-error.ts';
import { isSealed, openWhole, sealWhole } from './sealing.ts';
import type { Sealing } from './sealing.ts';

/** Whether the error says that there is no such file. */
export const isMissing = (error: unknown): boolean => Object(error).code === 'ENOENT';

/**
 * Creates the directory and its parents, 0700. Tightens an existing directory, unless it is somebody else's or a shared
 * one such as `/tmp` (sticky). CONFIGURATION if the directory cannot be created.
 */
export async function ensurePrivateDirectory(directory: string): Promise<void> {
  try {
    await makeDirectories(resolve(directory), (level) => mkdir(level, { mode: 0o700 }));
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new AppError('CONFIGURATION', {
      message: `The directory ${resolve(directory)} cannot be made.`,
      hint: 'Choose one on a disk that takes files.',
    });
  }
  const { mode, uid } = await stat(directory);
  const mine = process.getuid === undefined || uid === process.getuid();
  if (mine && (mode & 0o1000) === 0 && (mode & 0o777) !== 0o700) await chmod(directory, 0o700);
}

/**
 * Creates the directory and its missing parents, each with `make`; `directory` is absolute. Node's `recursive` never
 * ends in a directory that accepts no others, such as `/proc`: this rejects with its ENOENT.
 */
export async function makeDirectories(
  directory: string,
  make: (level: string) => Promise<unknown>,
  isParentThere = false,
): Promise<void> {
  try {
    await make(directory);
  } catch (error) {
    if (Object(error).code === 'EEXIST') return;
    const parent = dirname(directory);
    if (!isMissing(error) || isParentThere || parent === directory) throw error;
    await makeDirectories(parent, make);
    await makeDirectories(directory, make, true);
  }
}

/**
 * The file's text, or `undefined` for a missing file. Tightens a file that others could read; with `sealing`, seals a
 * plain file. Throws STORAGE_UNAVAILABLE for a changed file or another seal.
 */
export async function readPrivateFile(path: string, sealing?: Sealing): Promise<string | undefined> {
  try {
    const { mode } = await stat(path);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(path, 0o600);
    const content = await readFile(path);
    if (sealing && isSealed(content)) return openWhole(sealing, path, content);
    const text = content.toString('utf8');
    // On a full disk the file stays plain until the next read.
    if (sealing) await writePrivateFile(path, text, sealing).catch(() => undefined);
    return text;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw ofFile(path, error);
  }
}

/** Writes the whole file or nothing. */
export async function writePrivateFile(path: string, content: string | Uint8Array, sealing?: Sealing): Promise<void> {
  await ensurePrivateDirectory(dirname(path));
  await replaceFile(path, (file) => file.writeFile(sealing ? sealWhole(sealing, path, content) : content));
}

export async function removePrivateFile(path: string): Promise<void> {
  await rm(path, { force: true });
  noteChange({ kind: 'removed', path });
}

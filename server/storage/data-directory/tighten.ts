/** Makes a data directory private if others on the machine can enter or read it, as far as it holds files of Laudio alone. */
import { join } from 'node:path';
import type { Log } from '../../runtime/log.ts';
import type { DirectoryContents } from './contents.ts';
import { unlessMissing } from './private-files.ts';
import type { FileSystem } from './private-files.ts';

/** The files of a server in a data directory other than those of its stores; `lost+found` belongs to the file system of a separate volume. */
const files = /^(?:lock|lock\.held|encryption\.json|server\.json|\..*\.tmp)$/;
const folders = ['app', 'lost+found'];

/** Permissions of the group and of all others. */
const others = 0o077;
/** The mark of a directory such as `/tmp`, where everybody may put files. Made private, nobody else could use it. */
const sticky = 0o1000;

/**
 * Gives the directory the mode 0700 and Laudio's files in it 0600, and logs their names. Other people's files keep their modes, and
 * so does a directory that holds any; the log names those too. Windows has no such modes.
 */
export async function tighten(
  fs: FileSystem,
  directory: string,
  { log, contents }: { readonly log: Log; readonly contents: readonly DirectoryContents[] },
): Promise<void> {
  if (process.platform === 'win32') return;
  const isFolder = (name: string): boolean =>
    folders.includes(name) || contents.some((each) => each.folders?.includes(name));
  const isOurs = (name: string): boolean =>
    isFolder(name) || files.test(name) || contents.some((each) => each.files?.test(name));
  const names = await fs.readdir(directory);
  const tightened: string[] = [];
  const open: string[] = [];
  const look = async (name: string, mode: number, mayBe: boolean): Promise<void> => {
    const path = join(directory, name);
    // A process that was refused the directory removes its own files meanwhile.
    const found = await fs.stat(path).catch(unlessMissing);
    if (!found || (found.mode & others) === 0) return;
    const isPrivate =
      mayBe &&
      (found.mode & sticky) === 0 &&
      (await fs.chmod(path, mode).then(
        () => true,
        () => false,
      ));
    (isPrivate ? tightened : open).push(name);
  };
  await look('.', 0o700, names.every(isOurs));
  for (const name of names.filter((each) => isOurs(each) && each !== 'lost+found')) {
    await look(name, isFolder(name) ? 0o700 : 0o600, true);
  }
  if (tightened.length > 0) log({ level: 'warn', event: 'permissions_tightened', names: tightened });
  if (open.length > 0) log({ level: 'warn', event: 'permissions_open', names: open });
}

/**
 * Encrypts files that an earlier version of the app stored unencrypted: at startup, one by one, before anything reads
 * them.
 */
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openLineLog } from '../../../src/node/files/line-log.ts';
import { isMissing, writePrivateFile } from '../../../src/node/files/private-file.ts';
import { isSealed, sealedMark } from '../../../src/node/files/sealing.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';
import { sealSound } from '../dictations/sealed-sound.ts';
import type { Log } from '../service.ts';

/** How to seal each kind of file, by its name. Lock files and all other files stay as they are. */
const kinds: readonly (readonly [RegExp, (path: string, sealing: Sealing) => Promise<unknown>])[] = [
  [/\.json$/, sealWholeFile],
  [/\.log$/, async (path, sealing) => (await openLineLog(path, { sealing })).log.close()],
  [/^sound\.\w+$/, sealSound],
  // Copies of logs with the bad lines removed.
  [/\.damaged$/, sealWholeFile],
  // Unfinished files from a crash.
  [/\.(part|tmp)$/, (path) => rm(path, { force: true })],
];

async function sealWholeFile(path: string, sealing: Sealing): Promise<void> {
  await writePrivateFile(path, await readFile(path), sealing);
}

/**
 * Seals the files below the directory of the app. A file that can't be sealed now is logged and stays unchanged until
 * the next start.
 */
export async function sealPlainFiles(directory: string, sealing: Sealing, log: Log): Promise<void> {
  const paths = [join(directory, 'client.json')];
  for (const folder of ['sessions', 'desks']) paths.push(...(await filesBelow(join(directory, folder))));
  for (const path of paths) {
    const [, seal] = kinds.find(([name]) => name.test(path.split(/[/\\]/).at(-1) ?? '')) ?? [];
    try {
      if (seal && !(await isSealedFile(path))) await seal(path, sealing);
    } catch (error) {
      log({ level: 'warn', event: 'file_not_encrypted', code: Object(error).code });
    }
  }
}

async function filesBelow(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function isSealedFile(path: string): Promise<boolean> {
  try {
    const handle = await open(path, 'r');
    try {
      const mark = Buffer.alloc(sealedMark.length);
      await handle.read(mark, 0, mark.length, 0);
      return isSealed(mark);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
}

/**
 * Replaces files whole or not at all: writes a temporary file in the same directory, flushes it to disk, then renames
 * it.
 */
import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { noteChange } from './file-changes.ts';
import { isRunning, placeOfProcesses } from './processes.ts';
import { ofFile } from '../system-error.ts';
import { syncHandle } from './sync-handle.ts';

/** The unfinished file's name holds its writer, so that the remains of a killed writer can be recognised. */
const temporaryForm = /^\..+\.(?<place>[0-9a-f]{8})-(?<pid>\d+)-[0-9a-f-]{36}\.tmp$/s;

/** The files that this process is writing. */
const own = new Set<string>();
/** Directories that are already cleaned of earlier processes' files. */
const tidied = new Set<string>();

/**
 * Milliseconds without a write after which a temporary file counts as abandoned, on whatever machine its writer was.
 */
const abandonedMs = 24 * 3600 * 1000;

export interface Replacement {
  /** Open for writing, and for reading back. */
  readonly file: FileHandle;
  /** Replaces the previous file durably. If `publish` rejects, the caller must still call `discard`. */
  publish(): Promise<void>;
  /** Removes the unfinished file and leaves the previous file unchanged. Never rejects. */
  discard(): Promise<void>;
}

/** Begins a file, 0600, that will replace the one at `path`. */
export async function beginReplacing(path: string): Promise<Replacement> {
  const directory = dirname(resolve(path));
  if (!tidied.has(directory)) await removeAbandonedFiles(directory);
  const temporary = join(directory, `.${basename(path)}.${placeOfProcesses()}-${process.pid}-${randomUUID()}.tmp`);
  own.add(temporary);
  let file: FileHandle | undefined;
  const discard = async (): Promise<void> => {
    await file?.close().catch(() => undefined);
    await rm(temporary, { force: true }).catch(() => undefined);
    own.delete(temporary);
  };
  try {
    file = await open(temporary, 'wx+', 0o600);
    // Independent of the umask.
    await file.chmod(0o600);
    return { file, publish, discard };
  } catch (error) {
    await discard();
    throw ofFile(path, error);
  }

  async function publish(): Promise<void> {
    try {
      await (file && syncHandle(file));
      await file?.close();
      await rename(temporary, path);
      own.delete(temporary);
      await syncDirectory(directory);
    } catch (error) {
      throw ofFile(path, error);
    }
    noteChange({ kind: 'replaced', path });
  }
}

/**
 * Replaces the file at `path` with the content that `fill` writes. Rejects with the error of `fill` or the system; then
 * the file is unchanged.
 */
export async function replaceFile(path: string, fill: (file: FileHandle) => Promise<void>): Promise<void> {
  const { file, publish, discard } = await beginReplacing(path);
  try {
    await fill(file);
    await publish();
  } catch (error) {
    await discard();
    throw ofFile(path, error);
  }
}

/** Removes the unfinished files that killed processes left in the directory. Never rejects. */
export async function removeAbandonedFiles(directory: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const { place, pid } = temporaryForm.exec(name)?.groups ?? {};
    if (place === undefined) continue;
    const path = join(directory, name);
    const isHere = place === placeOfProcesses();
    const isLeft = isHere && (Number(pid) === process.pid ? !own.has(path) : !isRunning(Number(pid)));
    if (isLeft || (await isAbandoned(path))) await rm(path, { force: true }).catch(() => undefined);
  }
  tidied.add(directory);
}

/** Uses the machine's own time, which stamps files. */
const isAbandoned = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ mtimeMs }) => !own.has(path) && Date.now() - mtimeMs > abandonedMs,
    () => false,
  );

/**
 * A new name is on disk only after its directory is. Windows has no such call, and needs none. `fs` is for tests that
 * let it fail.
 */
export async function syncDirectory(directory: string, fs: { readonly open: typeof open } = { open }): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await fs.open(directory, 'r');
  try {
    await syncHandle(handle);
  } catch (error) {
    throw ofFile(directory, error);
  } finally {
    await handle.close();
  }
}

/**
 * A directory that lives as long as its process: temporary, private, and removed by the next one if the process was
 * killed.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { isRunning, placeOfProcesses } from './processes.ts';

export interface EphemeralDirectory extends AsyncDisposable {
  readonly path: string;
}

/** The process id follows, which is only valid in this place. */
const prefix = (): string => `laudio-ephemeral-${placeOfProcesses()}-`;

/** Makes the directory, which only this user can read. CONFIGURATION if the system's place for such is unusable. */
export async function makeEphemeralDirectory(within = tmpdir()): Promise<EphemeralDirectory> {
  // If the place is unusable, the next call says so.
  await sweep(within).catch(() => undefined);
  const path = await makeTemporaryDirectory(`${prefix()}${process.pid}-`, within);
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Makes a directory that stays, which only this user can read. CONFIGURATION if the system's place for such is unusable. */
export async function makeTemporaryDirectory(namePrefix: string, within = tmpdir()): Promise<string> {
  try {
    return await mkdtemp(join(within, namePrefix));
  } catch (error) {
    throw new AppError('CONFIGURATION', {
      message: `No temporary directory can be made in ${within} (${String(Object(error).code)}).`,
      hint: 'Set TMPDIR (on Windows TEMP) to a directory that you may write to.',
      cause: error,
    });
  }
}

/** Removes the directories of killed processes. Those of other users cannot be removed, and do not matter. */
async function sweep(within: string): Promise<void> {
  const start = prefix();
  for (const name of await readdir(within)) {
    const pid = name.startsWith(start) ? /^(\d+)-/.exec(name.slice(start.length))?.[1] : undefined;
    if (pid === undefined || isRunning(Number(pid))) continue;
    await rm(join(within, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

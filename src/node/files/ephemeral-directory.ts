/**
 * A directory that lives as long as its process: temporary, private, and removed by the next one if the process was
 * killed.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, placeOfProcesses } from './processes.ts';

export interface EphemeralDirectory extends AsyncDisposable {
  readonly path: string;
}

/** The process id follows, which is only valid in this place. */
const prefix = (): string => `laudio-ephemeral-${placeOfProcesses()}-`;

/** Makes the directory, which only this user can read. */
export async function makeEphemeralDirectory(within = tmpdir()): Promise<EphemeralDirectory> {
  await sweep(within);
  const path = await mkdtemp(join(within, `${prefix()}${process.pid}-`));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
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

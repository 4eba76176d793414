/** Gives a data directory one owner. The system locks the file `lock.held`; the file `lock` says who the owner is. */
import { accessSync, constants } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { namespaceOfPids } from '../../../src/node/files/processes.ts';
import { lockFile } from '../../../src/node/files/kernel-lock.ts';
import { foundAt, rememberPlace } from './place.ts';
import type { Place } from './place.ts';
import {
  createPrivateFile,
  discard,
  linked,
  removeTemporaries,
  temporaryBeside,
  unlessMissing,
} from './private-files.ts';
import type { FileSystem } from './private-files.ts';

/**
 * A person who removes the file takes the lock away, and the owner notices (place.ts). The file stays when the owner leaves: a disk
 * that is full by then may take no new file.
 */
const heldName = 'lock.held';
const holderName = 'lock';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** The namespace of the pid; `null` if the system has one only. */
  readonly namespace: string | null;
}

export interface Lock {
  /** The directory is where it was as long as its lock is. */
  readonly place: Place;
  /** Gives the directory up. May be called again. */
  release(): Promise<void>;
}

/** Takes the directory for this process. Rejects with AppError CONFIGURATION while another one, or this one, has it. */
export async function takeLock(directory: string, fs: FileSystem): Promise<Lock> {
  const path = join(directory, heldName);
  // A further attempt follows only if somebody removed the file meanwhile.
  for (let attempt = 0; attempt < 100; attempt++) {
    await makeFile(fs, path);
    const place = await rememberPlace(fs, path).catch(unlessMissing);
    if (!place) continue;
    const unlock = lock(path);
    if (!unlock) throw inUse(await readHolder(fs, directory));
    if (!foundAt(place)) {
      unlock();
      continue;
    }
    // SQLite makes one that is missing, for everybody to read.
    await fs.chmod(path, 0o600).catch(() => undefined);
    await removeTemporaries(fs, directory, holderName).catch(() => undefined);
    await tellHolder(fs, directory);
    return {
      place,
      async release() {
        if (foundAt(place)) await discard(fs, join(directory, holderName));
        unlock();
      },
    };
  }
  throw new AppError('CONFIGURATION', { message: 'Other processes keep taking the data directory.' });
}

/** Makes the file by a link, so that it is private from the beginning, and one file for all processes that come at once. */
async function makeFile(fs: FileSystem, path: string): Promise<void> {
  const isMissing = await fs.stat(path).then(() => false, Boolean);
  if (!isMissing) return;
  const temporary = temporaryBeside(path);
  await createPrivateFile(fs, temporary, async () => {});
  try {
    await linked(fs, temporary, path);
  } finally {
    await discard(fs, temporary);
  }
}

function lock(path: string): (() => void) | undefined {
  try {
    return lockFile(path);
  } catch (cause) {
    // Where the system refuses the file, its reason says more than SQLite's.
    accessSync(path, constants.R_OK | constants.W_OK);
    throw new AppError('CONFIGURATION', {
      message: `The file ${heldName} in the data directory cannot be locked (${String(Object(cause).errstr ?? 'unknown reason')}).`,
      hint: 'Its user has to be the one that runs this, and its file system has to keep locks: a local disk does.',
      cause,
    });
  }
}

const me = (): Holder => ({ pid: process.pid, host: hostname(), namespace: namespaceOfPids() });

/** Writes down the owner, as advice for others. If the disk has no room for that, no wrong advice stays. */
async function tellHolder(fs: FileSystem, directory: string): Promise<void> {
  const path = join(directory, holderName);
  const temporary = temporaryBeside(path);
  try {
    await createPrivateFile(fs, temporary, (handle) => handle.writeFile(JSON.stringify(me())));
    await fs.rename(temporary, path);
  } catch {
    await discard(fs, temporary);
    await discard(fs, path);
  }
}

async function readHolder(fs: FileSystem, directory: string): Promise<Holder | undefined> {
  try {
    const holder = JSON.parse(await fs.readFile(join(directory, holderName), 'utf8')) as Holder;
    return Number.isSafeInteger(holder.pid) && typeof holder.host === 'string' ? holder : undefined;
  } catch {
    return undefined;
  }
}

function inUse(holder: Holder | undefined): AppError {
  const { host, namespace } = me();
  const here = holder?.host === host && holder.namespace === namespace;
  const who = !holder ? 'another process' : `process ${holder.pid}${here ? '' : ` on ${holder.host}`}`;
  return new AppError('CONFIGURATION', {
    message: `The data directory is in use by ${who}.`,
    hint: here
      ? 'Stop that process first, or choose another directory.'
      : 'Stop it there first (it may be another container), or choose another directory.',
    ...(here && { details: { pid: holder.pid } }),
  });
}

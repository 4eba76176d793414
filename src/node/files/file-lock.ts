/**
 * Locks between processes. The system holds them (kernel-lock.ts), so that they end with their process, however that
 * ends, and apply across containers. The locked file is empty, and is deleted when nobody holds the lock.
 */
import { randomUUID } from 'node:crypto';
import { link, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { Clock } from '../../domain/clock.ts';
import { pause } from '../../domain/pause.ts';
import { lockFile } from './kernel-lock.ts';
import { ensurePrivateDirectory, isMissing } from './private-file.ts';

/** Milliseconds between two tries. */
const interval = 20;

/** Milliseconds to wait for another process that is just ending. */
export const lockPatience = 2000;

export interface LockOptions {
  readonly clock: Clock;
  /** Milliseconds to wait for another holder, then CONFIGURATION. */
  readonly timeout: number;
}

/** Does `work` while no other process, and nobody else in this one, holds the lock at `path`. */
export async function withFileLock<T>(path: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const release = await holdLock(path, options);
  try {
    return await work();
  } finally {
    await release();
  }
}

/** Holds the lock at `path` until the returned function is called. AppError CONFIGURATION if it is not available. */
export async function holdLock(path: string, { clock, timeout }: LockOptions): Promise<() => Promise<void>> {
  await ensurePrivateDirectory(dirname(path));
  const end = clock.elapsed() + timeout;
  for (;;) {
    const unlock = await take(path);
    if (unlock) {
      return async () => {
        // Removes the file before unlocking: afterwards the lock may be another's. A file that stays does no harm.
        await rm(path, { force: true }).catch(() => undefined);
        unlock();
      };
    }
    if (clock.elapsed() >= end) {
      throw new AppError('CONFIGURATION', {
        message: `Another process has held ${path} for too long.`,
        hint: 'End it: it is another laudio that works with the same files.',
      });
    }
    await pause(clock, interval);
  }
}

/** Returns `undefined` if somebody holds the lock, or its file was deleted meanwhile. */
async function take(path: string): Promise<(() => void) | undefined> {
  await makeFile(path);
  const before = await readInode(path);
  if (before === undefined) return undefined;
  const unlock = locked(path);
  if (!unlock) return undefined;
  // The previous holder may have removed the file before the lock: then we locked a file that nobody else will find.
  if ((await readInode(path)) === before) return unlock;
  unlock();
  return undefined;
}

function locked(path: string): ReturnType<typeof lockFile> {
  try {
    return lockFile(path);
  } catch (cause) {
    throw new AppError('CONFIGURATION', {
      message: `${path} cannot be locked (${String(Object(cause).errstr ?? 'unknown reason')}).`,
      hint: 'Delete that file if no laudio is running. It has to be on a file system that keeps locks, such as that of a local disk.',
      cause,
    });
  }
}

/**
 * Creates the file if it is missing, by a link to a file that is closed by then: closing the file itself would end a
 * lock that somebody else in this process has acquired meanwhile.
 */
async function makeFile(path: string): Promise<void> {
  if ((await readInode(path)) !== undefined) return;
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, '', { flag: 'wx', mode: 0o600 });
  try {
    await link(temporary, path);
  } catch (error) {
    if (Object(error).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function readInode(path: string): Promise<bigint | undefined> {
  try {
    return (await stat(path, { bigint: true })).ino;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

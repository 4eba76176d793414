/** A lock between processes: a file that says who holds it. */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../contract/errors.ts';
import type { Clock } from '../domain/clock.ts';
import { pause } from '../domain/pause.ts';
import { ensurePrivateDirectory, isMissing } from './private-file.ts';
import { isRunning } from './processes.ts';

/** Milliseconds after which a lock is no longer believed, even if a process has the number of its holder. */
const longestHold = 600_000;
/** Milliseconds between two tries. */
const interval = 20;

export interface LockOptions {
  readonly clock: Clock;
  /** Milliseconds to wait for another holder, then CONFIGURATION. */
  readonly timeout: number;
}

/** Does `work` while no other process holds the lock at `path`. A lock left behind by a dead process is taken away. */
export async function withFileLock<T>(
  path: string,
  { clock, timeout }: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  await ensurePrivateDirectory(dirname(path));
  const mine = `${process.pid} ${randomUUID()}`;
  const end = clock.elapsed() + timeout;
  while (!(await take(path, mine))) {
    await breakIfStale(path);
    if (clock.elapsed() >= end) {
      throw new AppError('CONFIGURATION', {
        message: `Another process has held ${path} for too long.`,
        hint: 'End it, or delete that file if no laudio is running.',
      });
    }
    await pause(clock, interval);
  }
  try {
    return await work();
  } finally {
    if ((await contentOf(path)) === mine) await rm(path, { force: true });
  }
}

/** A hard link appears at once and with its content, or not at all. */
async function take(path: string, mine: string): Promise<boolean> {
  const temporary = `${path}.${mine.split(' ')[1]}`;
  await writeFile(temporary, mine, { flag: 'wx', mode: 0o600 });
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if (Object(error).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function contentOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function isStale(path: string): Promise<boolean> {
  const content = await contentOf(path);
  if (content === undefined) return false;
  if (!isRunning(Number(content.split(' ')[0]))) return true;
  return (await ageOf(path)) > longestHold;
}

/** Milliseconds since the file was written, by the machine's own time, which is what stamps files. */
async function ageOf(path: string): Promise<number> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

/**
 * Only one process at a time may take a stale lock away, and it looks again once it may: otherwise the second one to
 * find it stale would take away the lock of the first.
 */
async function breakIfStale(path: string): Promise<void> {
  if (!(await isStale(path))) return;
  const right = `${path}.breaking`;
  try {
    await mkdir(right);
  } catch (error) {
    if (Object(error).code !== 'EEXIST') throw error;
    // Left behind by a crash between two system calls.
    if ((await ageOf(right)) > longestHold) await rmdir(right).catch(() => undefined);
    return;
  }
  try {
    if (await isStale(path)) await rm(path, { force: true });
  } finally {
    await rmdir(right);
  }
}

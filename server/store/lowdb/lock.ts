/** One owner per data directory: a lock file that names the process which has it. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { createPrivateFile, discard, hasCode, linked, removeTemporaries, temporaryBeside } from './private-files.ts';
import type { FileSystem } from './private-files.ts';

const lockName = 'lock';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Tells the process from a later one with the same pid, where the system says when a process began. */
  readonly started: string | null;
  /** Different for each lock ever taken. */
  readonly token: string;
}

/**
 * Takes the directory for this process until the function returned is called. Rejects with AppError CONFIGURATION while
 * another one, or this one, has it. The lock of a process that died is taken over.
 */
export async function takeLock(directory: string, fs: FileSystem): Promise<() => Promise<void>> {
  const path = join(directory, lockName);
  const token = randomBytes(8).toString('hex');
  const mine: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid), token };
  // Each further attempt means that another process took or left the lock meanwhile.
  for (let attempt = 0; attempt < 100; attempt++) {
    if (!(await tryLock(fs, path, mine))) continue;
    const release = async (): Promise<void> => {
      if ((await readHolder(fs, path))?.token === token) await discard(fs, path);
    };
    try {
      await removeTemporaries(fs, directory, lockName);
    } catch (error) {
      await release();
      throw error;
    }
    return release;
  }
  throw new AppError('CONFIGURATION', { message: 'Other processes keep taking the data directory.' });
}

/** A lock appears under its name complete, by a link, which fails where the name is taken, just as O_EXCL does. */
async function tryLock(fs: FileSystem, path: string, mine: Holder): Promise<boolean> {
  const temporary = temporaryBeside(path);
  await createPrivateFile(fs, temporary, (handle) => handle.writeFile(JSON.stringify(mine)));
  try {
    if (await linked(fs, temporary, path)) return true;
    const holder = await readHolder(fs, path);
    if (!holder) return false;
    refuseWhileRunning(holder);
    return await takeOver(fs, temporary, path, holder);
  } finally {
    await discard(fs, temporary);
  }
}

/**
 * Replaces the lock of a dead process. Who wants to has to claim the succession to that very lock (its token never
 * comes again) under a name that only one process gets, and then to find the dead lock still in place. Once it has been
 * replaced, no claim on it is worth anything, however late its owner wakes up. A claimant that died is skipped.
 */
async function takeOver(fs: FileSystem, temporary: string, path: string, dead: Holder): Promise<boolean> {
  const claims: string[] = [];
  for (;;) {
    const claim = `${path}.${dead.token}.${claims.length}`;
    if (await linked(fs, temporary, claim)) {
      try {
        if ((await readHolder(fs, path))?.token !== dead.token) return false;
        await fs.rename(claim, path);
      } finally {
        // Gone already where it became the lock.
        await discard(fs, claim);
      }
      for (const former of claims) await discard(fs, former);
      return true;
    }
    const claimant = await readHolder(fs, claim);
    if (!claimant) return false;
    refuseWhileRunning(claimant);
    claims.push(claim);
  }
}

async function readHolder(fs: FileSystem, path: string): Promise<Holder | undefined> {
  let text: string;
  try {
    text = await fs.readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  try {
    const holder = JSON.parse(text) as Holder;
    if (Number.isInteger(holder.pid) && /^[0-9a-f]{16}$/.test(holder.token)) return holder;
  } catch {
    // Said below.
  }
  throw new AppError('CONFIGURATION', {
    message: `The file ${lockName} in the data directory is damaged.`,
    hint: 'Remove it if no laudio server uses this directory.',
  });
}

function refuseWhileRunning({ pid, host, started }: Holder): void {
  const here = host === hostname();
  if (here && !isRunning(pid, started)) return;
  throw new AppError('CONFIGURATION', {
    message: `The data directory is in use by process ${pid}${here ? '' : ` on ${host}`}.`,
    hint: here
      ? 'Stop that process first, or choose another directory.'
      : `If it has ended for certain, remove the file ${lockName} in the data directory.`,
    details: { pid },
  });
}

function isRunning(pid: number, started: string | null): boolean {
  const start = startOf(pid);
  if (started !== null && start !== null && start !== started) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}

/** When the process began, in ticks of that run of the machine (proc(5)), so that no change of the clock matters. */
function startOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The second field is the name in parentheses, which may hold anything; `starttime` is the 22nd.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return ticks === undefined ? null : `${boot}/${ticks}`;
  } catch {
    return null;
  }
}

/** A lock that one process has for as long as it works, such as the one of a directory. */
import { utimes } from 'node:fs/promises';
import type { Clock } from '../domain/clock.ts';
import { withFileLock } from './file-lock.ts';

/** Milliseconds to wait for another process that is just ending. */
const lockPatience = 2000;
/** Milliseconds between signs of life: less than a lock is believed without one. */
const signOfLife = 120_000;

/** Has the lock at `path` until the function returned is called. CONFIGURATION while another process has it. */
export async function holdLock(path: string, clock: Clock): Promise<() => Promise<void>> {
  const taken = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const over = withFileLock(path, { clock, timeout: lockPatience }, () => {
    taken.resolve();
    return end.promise;
  });
  await Promise.race([taken.promise, over]);
  let callOff = () => {};
  const live = (): void => {
    callOff = clock.schedule(clock.now() + signOfLife, live);
    const now = new Date();
    void utimes(path, now, now).catch(() => undefined);
  };
  live();
  return async () => {
    callOff();
    end.resolve();
    await over;
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { holdLock, withFileLock } from '../../../src/node/files/file-lock.ts';
import { waitingClock } from '../../../src/node/clock.ts';
import { movingClock } from '../../support/moving-clock.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const options = { clock: waitingClock, timeout: 30_000 };

/** Adds one to the number in a file, so many times: each step is lost if two do it at once. */
const script = `
  const { readFile, writeFile } = await import('node:fs/promises');
  const { withFileLock } = await import(process.argv[1]);
  const { waitingClock } = await import(process.argv[2]);
  const [lock, counter] = process.argv.slice(3);
  for (let step = 0; step < 5; step++) {
    await withFileLock(lock, { clock: waitingClock, timeout: 30000 }, async () => {
      await writeFile(counter, String(Number(await readFile(counter, 'utf8')) + 1));
    });
  }`;

/** Has the lock until it is killed. */
const holder = `
  const { holdLock } = await import(process.argv[1]);
  const { waitingClock } = await import(process.argv[2]);
  await holdLock(process.argv[3], { clock: waitingClock, timeout: 0 });
  console.log('held');
  setInterval(() => {}, 1000);`;

const sources = ['files/file-lock', 'clock'].map(
  (name) => new URL(`../../../src/node/${name}.ts`, import.meta.url).href,
);

describe('withFileLock', () => {
  it.each([-50, 50])('ignores the clock: a lock file from %i hours away has no owner', async (hours) => {
    const path = join(await temporaryDirectory(), 'a.lock');
    await writeFile(path, '');
    const then = new Date(Date.now() + hours * 3_600_000);
    await utimes(path, then, then);
    expect(await withFileLock(path, options, async () => 'done')).toBe('done');
  });

  it('lets one process in at a time, even when a dead one left the lock behind', async () => {
    const directory = await temporaryDirectory();
    const [lock, counter] = [join(directory, 'a.lock'), join(directory, 'counter')];
    const dead = spawn(process.execPath, ['--input-type=module', '-e', holder, ...sources, lock]);
    await once(dead.stdout, 'data');
    dead.kill('SIGKILL');
    await once(dead, 'exit');
    expect(await readdir(directory)).toEqual(['a.lock']);
    await writeFile(counter, '0');
    const ends = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', script, ...sources, lock, counter], {
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
        return { errors, code: code as number };
      }),
    );
    expect(ends).toEqual(ends.map(() => ({ errors: '', code: 0 })));
    expect(await readFile(counter, 'utf8')).toBe('30');
    expect(await readdir(directory)).toEqual(['counter']);
  });

  it('is free again after a failure', async () => {
    const lock = join(await temporaryDirectory(), 'a.lock');
    const failing = withFileLock(lock, options, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await withFileLock(lock, options, async () => 1)).toBe(1);
  });

  it('gives up in time, naming the file', async () => {
    const lock = join(await temporaryDirectory(), 'a.lock');
    await withFileLock(lock, options, async () => {
      const second = withFileLock(lock, { clock: movingClock(), timeout: 1000 }, async () => 2);
      await expect(second).rejects.toMatchObject({ code: 'CONFIGURATION', message: expect.stringContaining(lock) });
      // Whoever was refused leaves the lock as it is.
      const [third] = await Promise.allSettled([withFileLock(lock, { ...options, timeout: 0 }, async () => 3)]);
      expect(third.status).toBe('rejected');
    });
  });

  it('is private, and leaves nothing behind', async () => {
    const directory = await temporaryDirectory();
    const lock = join(directory, 'locks', 'a.lock');
    const release = await holdLock(lock, options);
    expect((await stat(lock)).mode & 0o077).toBe(0);
    await release();
    expect(await readdir(join(directory, 'locks'))).toEqual([]);
  });

  it('says which file cannot be locked', async () => {
    const lock = join(await temporaryDirectory(), 'a.lock');
    await writeFile(lock, `${process.pid} of an earlier version`);
    await expect(holdLock(lock, options)).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: `${lock} cannot be locked (file is not a database).`,
    });
  });

  it('lets one in at a time within a process, however many come', async () => {
    const lock = join(await temporaryDirectory(), 'a.lock');
    let inside = 0;
    let most = 0;
    const works = Array.from({ length: 30 }, () =>
      withFileLock(lock, options, async () => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setImmediate(resolve));
        inside--;
      }),
    );
    await Promise.all(works);
    expect(most).toBe(1);
  });
});

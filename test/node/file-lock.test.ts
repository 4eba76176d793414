import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { withFileLock } from '../../src/node/file-lock.ts';
import { waitingClock } from '../../src/node/waiting-clock.ts';
import { movingClock } from '../support/moving-clock.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

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

describe('withFileLock', () => {
  it('lets one process in at a time, even when a dead one left the lock behind', async () => {
    const directory = await temporaryDirectory();
    const [lock, counter] = [join(directory, 'a.lock'), join(directory, 'counter')];
    const dead = spawn(process.execPath, ['-e', '0']);
    await once(dead, 'exit');
    await writeFile(lock, `${dead.pid} left-behind`);
    await writeFile(counter, '0');
    const sources = ['file-lock', 'waiting-clock'].map(
      (name) => new URL(`../../src/node/${name}.ts`, import.meta.url).href,
    );
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
    });
  });
});

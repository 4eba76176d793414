import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as fc from '../../../support/properties.ts';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { takeLock } from '../../../../server/storage/data-directory/lock.ts';
import { nodeFileSystem } from '../../../../server/storage/data-directory/private-files.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';
import { hookedFileSystem, systemError } from '../../../support/hooked-file-system.ts';

let directory: string;

const take = () => takeLock(directory, nodeFileSystem);
const holderFile = (): string => join(directory, 'lock');
const refusedBecauseOf = (who: string) => ({
  code: 'CONFIGURATION',
  message: `The data directory is in use by ${who}.`,
});

const moduleOf = (name: string): string =>
  new URL(`../../../../server/storage/data-directory/${name}`, import.meta.url).href;
const owner = `
  const { takeLock } = await import(${JSON.stringify(moduleOf('lock.ts'))});
  const { nodeFileSystem } = await import(${JSON.stringify(moduleOf('private-files.ts'))});
  const said = await takeLock(process.argv[1], nodeFileSystem).then(() => 'taken', ({ message }) => message);
  // Nothing here refers to the lock any more.
  globalThis.gc();
  console.log(said);
  if (said === 'taken') setInterval(() => {}, 1000);
`;

/** A process that takes the lock and keeps it, and what it said. */
async function owns(...before: string[]) {
  const [program, ...args] = [
    ...before,
    process.execPath,
    '--expose-gc',
    '--input-type=module',
    '-e',
    owner,
    directory,
  ];
  const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exit;
  };
  onTestFinished(end);
  let noise = '';
  child.stderr.on('data', (chunk: Buffer) => (noise += chunk.toString()));
  const [said] = (await Promise.race([once(child.stdout, 'data'), exit])) as [unknown];
  expect(noise).toBe('');
  return { pid: child.pid!, said: String(said).trim(), end };
}

beforeEach(async () => {
  directory = await temporaryDirectory();
});

test('refuses a second owner, naming the first, until that one has left', async () => {
  const lock = await take();
  expect(JSON.parse(await readFile(holderFile(), 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() });
  await expect(take()).rejects.toMatchObject({
    ...refusedBecauseOf(`process ${process.pid}`),
    details: { pid: process.pid },
  });
  // One that was refused leaves the lock as it is.
  await expect(take()).rejects.toMatchObject({ code: 'CONFIGURATION' });
  await lock.release();
  await lock.release();
  expect(await readdir(directory)).toEqual(['lock.held']);
  await (await take()).release();
});

test('is held between processes, and ends with the one that has it, however that ends', async () => {
  const first = await owns();
  expect(first.said).toBe('taken');
  await expect(take()).rejects.toMatchObject(refusedBecauseOf(`process ${first.pid}`));
  expect((await owns()).said).toContain(`in use by process ${first.pid}`);
  await first.end();
  const lock = await take();
  expect(JSON.parse(await readFile(holderFile(), 'utf8'))).toMatchObject({ pid: process.pid });
  expect((await readdir(directory)).toSorted()).toEqual(['lock', 'lock.held']);
  await lock.release();
});

test.each(['', '{}', 'null', '{"pid":"1","host":"here"}', '{"pid":1,"host":"elsewhere"}'])(
  'believes nobody but the system about who has it: %j',
  async (text) => {
    await writeFile(holderFile(), text);
    const lock = await take();
    await writeFile(holderFile(), text);
    const who = text.includes('elsewhere') ? 'process 1 on elsewhere' : 'another process';
    await expect(take()).rejects.toMatchObject({ ...refusedBecauseOf(who), details: undefined });
    await lock.release();
  },
);

test('of a process that has ended takes no room, and no new file, on a disk that has none', async () => {
  await writeFile(join(directory, 'lock.held'), '', { mode: 0o644 });
  const fs = hookedFileSystem((call) => {
    if (['link', 'open'].includes(call) || call.startsWith('handle.write')) throw systemError('ENOSPC');
  });
  const lock = await takeLock(directory, fs);
  expect((await stat(join(directory, 'lock.held'))).mode & 0o077).toBe(0);
  expect(await readdir(directory)).toEqual(['lock.held']);
  await lock.release();
});

test('says which file it cannot lock', async () => {
  await mkdir(join(directory, 'lock.held'));
  await expect(take()).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: 'The file lock.held in the data directory cannot be locked (unable to open database file).',
  });
});

test('notices when its file was replaced, and then removes nothing of another owner', async () => {
  const lock = await take();
  lock.place.check();
  await rm(join(directory, 'lock.held'));
  expect(() => lock.place.check()).toThrow(expect.objectContaining({ code: 'STORAGE_UNAVAILABLE' }));
  const second = await take();
  expect(() => lock.place.check()).toThrow(expect.objectContaining({ code: 'STORAGE_UNAVAILABLE' }));
  await lock.release();
  expect((await readdir(directory)).toSorted()).toEqual(['lock', 'lock.held']);
  await second.release();
});

test('has one owner when many come at once, however their steps fall', async () => {
  const delays = fc.array(fc.nat(4), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.array(delays, { minLength: 2, maxLength: 5 }), fc.boolean(), async (schedules, isLeft) => {
      if (isLeft) await writeFile(join(directory, 'lock.held'), '');
      const attempts = schedules.map((schedule) => {
        let step = 0;
        const fs = hookedFileSystem(async () => {
          const turns = schedule[step++ % schedule.length]!;
          for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
        });
        return takeLock(directory, fs);
      });
      const outcomes = await Promise.allSettled(attempts);
      const owners = outcomes.filter((outcome) => outcome.status === 'fulfilled');
      expect(owners).toHaveLength(1);
      owners[0]!.value.place.check();
      await owners[0]!.value.release();
      expect(await readdir(directory)).toEqual(['lock.held']);
      await rm(join(directory, 'lock.held'));
    }),
    { numRuns: 60 },
  );
});

/** A container as far as a lock knows: another table of processes, another name, the same directory. */
const containers = {
  'another name space of processes': ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'],
  'another host name': ['unshare', '--uts', 'sh', '-c', 'hostname remade-container && exec "$@"', 'sh'],
};
const missing =
  process.platform !== 'linux'
    ? 'name spaces are of Linux'
    : spawnSync('unshare', ['--pid', '--fork', '--mount-proc', '--uts', 'true']).status === 0
      ? undefined
      : 'only root may make name spaces';

describe('containers with one volume', () => {
  if (missing !== undefined) {
    process.stderr.write(`\nThe lock between containers is NOT tested on this machine: ${missing}.\n\n`);
    test('NOT TESTED', (context) => context.skip(missing));
    return;
  }
  test.each(Object.entries(containers))(
    '%s: one of them has it, and the next one once it was killed',
    async (name, before) => {
      const first = await owns(...before);
      expect(first.said).toBe('taken');
      const host = name.includes('host') ? 'remade-container' : hostname();
      await expect(take()).rejects.toMatchObject({
        message: expect.stringMatching(new RegExp(`in use by process \\d+ on ${host}\\.$`)),
        hint: expect.stringContaining('container'),
      });
      expect((await owns(...before)).said).toMatch(/^The data directory is in use by process \d+/);
      await first.end();
      const lock = await taken();
      expect((await owns(...before)).said).toContain(`in use by process ${process.pid}`);
      await lock.release();
      expect((await owns(...before)).said).toBe('taken');
    },
    20_000,
  );
});

/** What was killed outside may need a moment to be gone inside. */
async function taken(): ReturnType<typeof take> {
  for (;;) {
    try {
      return await take();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

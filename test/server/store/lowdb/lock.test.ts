import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { takeLock } from '../../../../server/store/lowdb/lock.ts';
import { nodeFileSystem } from '../../../../server/store/lowdb/private-files.ts';
import { hookedFileSystem } from './hooked-file-system.ts';

let directory: string;
let deadPid: number;

const lock = (): string => join(directory, 'lock');
const token = '00112233445566ff';
const writeLock = (holder: object, name = 'lock'): Promise<void> =>
  writeFile(join(directory, name), JSON.stringify({ pid: deadPid, host: hostname(), started: null, token, ...holder }));
const holder = async (): Promise<{ pid: number }> => JSON.parse(await readFile(lock(), 'utf8'));

beforeAll(async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  deadPid = child.pid!;
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'laudio-lock-'));
});
afterEach(() => rm(directory, { recursive: true }));

test('refuses a second owner, naming the first, until that one has left', async () => {
  const release = await takeLock(directory, nodeFileSystem);
  expect((await holder()).pid).toBe(process.pid);
  await expect(takeLock(directory, nodeFileSystem)).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: expect.stringContaining(`process ${process.pid}`),
    details: { pid: process.pid },
  });
  await release();
  expect(await readdir(directory)).toEqual([]);
  await (
    await takeLock(directory, nodeFileSystem)
  )();
});

test('takes over from a process that died', async () => {
  await writeLock({});
  const release = await takeLock(directory, nodeFileSystem);
  expect((await holder()).pid).toBe(process.pid);
  expect(await readdir(directory)).toEqual(['lock']);
  await release();
});

test('takes over although a process died while it did the same', async () => {
  await writeLock({});
  await writeLock({ token: 'aaaaaaaaaaaaaaaa' }, `lock.${token}.0`);
  await writeLock({ token: 'bbbbbbbbbbbbbbbb' }, `lock.${token}.1`);
  const release = await takeLock(directory, nodeFileSystem);
  expect(await readdir(directory)).toEqual(['lock']);
  await release();
});

test.runIf(process.platform === 'linux')('knows a later process with the same pid for another one', async () => {
  await writeLock({ pid: process.pid, started: 'another-boot/1' });
  await (
    await takeLock(directory, nodeFileSystem)
  )();
});

test('does not judge a process of another machine', async () => {
  await writeLock({ host: 'another-host' });
  await expect(takeLock(directory, nodeFileSystem)).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: expect.stringContaining('another-host'),
  });
});

test.each(['', '{}', 'null', '{"pid":1,"token":"../../x"}'])('does not pass over a damaged lock: %j', async (text) => {
  await writeFile(lock(), text);
  await expect(takeLock(directory, nodeFileSystem)).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: expect.stringContaining('lock'),
  });
  expect(await readFile(lock(), 'utf8')).toBe(text);
});

test('does not remove the lock of somebody else when it leaves', async () => {
  const release = await takeLock(directory, nodeFileSystem);
  await writeLock({});
  await release();
  expect(await readdir(directory)).toEqual(['lock']);
});

test('has one winner when many go for a stale lock, however their steps fall', async () => {
  const delays = fc.array(fc.nat(4), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.array(delays, { minLength: 2, maxLength: 5 }), fc.boolean(), async (schedules, deadClaim) => {
      await writeLock({});
      if (deadClaim) await writeLock({ token: 'aaaaaaaaaaaaaaaa' }, `lock.${token}.0`);
      const attempts = schedules.map((schedule) => {
        let step = 0;
        const fs = hookedFileSystem(async () => {
          const turns = schedule[step++ % schedule.length]!;
          for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
        });
        return takeLock(directory, fs);
      });
      const outcomes = await Promise.allSettled(attempts);
      const winners = outcomes.filter((outcome) => outcome.status === 'fulfilled');
      expect(winners).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ details: { pid: process.pid } });
      }
      expect(await readdir(directory)).toEqual(['lock']);
      await winners[0]!.value();
    }),
    { numRuns: 60 },
  );
}, 20_000);

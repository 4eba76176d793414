/** Files of which there is the whole, or none, and what killed writers leave. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { beginReplacing, removeAbandonedFiles, replaceFile } from '../../../src/node/files/replace-file.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const moduleOf = (name: string): string => new URL(`../../../src/node/files/${name}`, import.meta.url).href;
const writer = `
  const { beginReplacing } = await import(${JSON.stringify(moduleOf('replace-file.ts'))});
  const { file } = await beginReplacing(process.argv[1]);
  await file.writeFile('a secret, half of it');
  console.log('begun');
  setInterval(() => {}, 1000);
`;

/** A process that is writing the file, and what ends it at once. */
async function beganBy(path: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', writer, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exit;
  };
  onTestFinished(kill);
  await Promise.race([once(child.stdout, 'data'), exit]);
  return kill;
}

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
  path = join(directory, 'all.tar');
});

test('is there as a whole, for its owner alone, or as it was', async () => {
  await writeFile(path, 'before', { mode: 0o644 });
  await expect(
    replaceFile(path, async (file) => {
      await file.writeFile('half');
      throw new TypeError('no more');
    }),
  ).rejects.toThrow('no more');
  expect(await readFile(path, 'utf8')).toBe('before');
  await replaceFile(path, (file) => file.writeFile('after'));
  expect(await readFile(path, 'utf8')).toBe('after');
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(directory)).toEqual(['all.tar']);
});

test('says which file it is that has no place', async () => {
  const missing = join(directory, 'missing', 'all.tar');
  await expect(replaceFile(missing, async () => {})).rejects.toMatchObject({ code: 'ENOENT' });
});

test('of a writer that was killed goes with the next one; that of a writer at work stays', async () => {
  const kill = await beganBy(path);
  const [left] = await readdir(directory);
  expect(left).toMatch(/^\.all\.tar\..*\.tmp$/);
  const mine = await beginReplacing(path);
  await removeAbandonedFiles(directory);
  expect(await readdir(directory)).toHaveLength(2);
  await kill();
  await removeAbandonedFiles(directory);
  expect(await readdir(directory)).toHaveLength(1);
  await mine.file.writeFile('whole');
  await mine.publish();
  expect(await readdir(directory)).toEqual(['all.tar']);
});

test('of another computer is left alone for a day; what others call so, for ever', async () => {
  const foreign = '.all.tar.01234567-1-00000000-0000-4000-8000-000000000000.tmp';
  const names = [foreign, '.all.tar.tmp', 'all.tar.01234567-1-00000000-0000-4000-8000-000000000000.tmp'];
  for (const name of names) await writeFile(join(directory, name), '');
  await removeAbandonedFiles(directory);
  expect((await readdir(directory)).toSorted()).toEqual(names.toSorted());
  const old = new Date(Date.now() - 25 * 3600 * 1000);
  for (const name of names) await utimes(join(directory, name), old, old);
  await removeAbandonedFiles(directory);
  expect((await readdir(directory)).toSorted()).toEqual(names.slice(1).toSorted());
});

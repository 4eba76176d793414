import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeEphemeralDirectory } from '../../../src/node/files/ephemeral-directory.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

test('is private, and gone at its end with all that it holds', async () => {
  const within = await temporaryDirectory();
  const directory = await makeEphemeralDirectory(within);
  if (process.platform !== 'win32') expect((await stat(directory.path)).mode & 0o777).toBe(0o700);
  await writeFile(join(directory.path, 'server.json'), '{}');
  await directory[Symbol.asyncDispose]();
  expect(await readdir(within)).toEqual([]);
});

test('takes away what killed processes left, and nothing else', async () => {
  const within = await temporaryDirectory();
  const first = await makeEphemeralDirectory(within);
  // A process that has ended: its number is nobody's.
  const { pid } = spawnSync(process.execPath, ['--version']);
  const left = first.path.replace(`-${process.pid}-`, `-${pid}-`);
  const elsewhere = left.replace(/ephemeral-[0-9a-f]{8}/, 'ephemeral-00000000');
  for (const path of [left, elsewhere, join(within, 'other')]) await mkdir(path);
  const second = await makeEphemeralDirectory(within);
  expect(existsSync(left)).toBe(false);
  expect((await readdir(within)).toSorted()).toEqual(
    [first.path, second.path, elsewhere, 'other'].map((path) => basename(path)).toSorted(),
  );
});

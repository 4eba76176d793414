import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileBlobs } from '../../../../server/store/lowdb/blobs.ts';
import { hookedFileSystem, systemError } from './hooked-file-system.ts';
import type { Hook } from './hooked-file-system.ts';

const id = 'blb_01JNA0000000000000000000AA';
let directory: string;
let hook: Hook = () => {};
const fs = hookedFileSystem((call, path) => hook(call, path));
async function* audio(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a test patient speaks');
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'laudio-blobs-'));
  hook = () => {};
});
afterEach(() => rm(directory, { recursive: true }));

test('removes what interrupted writes left, and nothing else', async () => {
  for (const name of [`.${id}.0123456789abcdef.tmp`, id, 'notes.tmp']) await writeFile(join(directory, name), 'x');
  const blobs = await createFileBlobs(directory, fs);
  expect((await readdir(directory)).toSorted()).toEqual([id, 'notes.tmp']);
  expect(await blobs.list()).toEqual([id]);
});

test('leaves nothing of a blob at whatever call its writing fails', async () => {
  const blobs = await createFileBlobs(directory, fs);
  const calls: string[] = [];
  hook = (call) => void calls.push(call);
  await blobs.write(id, audio(), 100);
  await blobs.remove(id);
  // The last one was the removal.
  calls.pop();
  expect(calls).toEqual(expect.arrayContaining(['open', 'handle.writeFile', 'handle.sync', 'rename']));
  for (let at = 0; at < calls.length; at++) {
    let count = 0;
    hook = () => {
      if (count++ === at) throw systemError('ENOSPC');
    };
    await expect(blobs.write(id, audio(), 100), `${calls[at]}, call ${at}`).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    });
    hook = () => {};
    expect(await readdir(directory)).toEqual([]);
  }
});

test('says that the disk failed, not that nothing is there', async () => {
  const blobs = await createFileBlobs(directory, fs);
  await blobs.write(id, audio(), 100);
  hook = () => {
    throw systemError('EIO');
  };
  for (const call of [() => blobs.read(id), () => blobs.remove(id), () => blobs.list()]) {
    await expect(call()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  }
});

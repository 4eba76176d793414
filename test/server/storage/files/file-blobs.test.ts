import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Blobs } from '../../../../server/storage/blobs/blobs.ts';
import { createFileBlobs } from '../../../support/lowdb-store.ts';
import { createSealing } from '../../../../server/storage/sealing/sealing.ts';
import { hookedFileSystem, systemError } from '../../../support/hooked-file-system.ts';
import type { Hook } from '../../../support/hooked-file-system.ts';

const id = 'blb_01JNA0000000000000000000AA';
const other = 'blb_01JNA0000000000000000000AB';
const words = Buffer.from('a test patient speaks');
const refused = { code: 'STORAGE_UNAVAILABLE' };

let directory: string;
let hook: Hook = () => {};
const fs = hookedFileSystem((call, path) => hook(call, path));
async function* audio(content: Uint8Array = words): AsyncGenerator<Uint8Array> {
  yield content;
}
const contentOf = async (blobs: Blobs, blob: string, range?: { start: number; end: number }): Promise<Buffer> => {
  const found = await blobs.read(blob, range && { range });
  return buffer(found!.stream);
};
/** All that is readable in any file of the directory. */
const onDisk = async (): Promise<Buffer> => {
  const entries = await readdir(directory, { withFileTypes: true });
  return Buffer.concat(
    await Promise.all(entries.filter((entry) => entry.isFile()).map(({ name }) => readFile(join(directory, name)))),
  );
};

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'laudio-blobs-'));
  hook = () => {};
});
afterEach(() => rm(directory, { recursive: true }));

const sealing = createSealing(randomBytes(32));

describe.each([
  ['plain', undefined, ''],
  ['sealed', sealing, '.sealed'],
] as const)('%s audio', (_name, sealing, ending) => {
  const open = (): Promise<Blobs> => createFileBlobs(directory, { fs, sealing });

  test('loses what interrupted writes left, and nothing else', async () => {
    const blobs = await open();
    await blobs.write(id, audio(), 100);
    for (const name of [`.${id}.0123456789abcdef.tmp`, `.${id}.sealed.0123456789abcdef.tmp`, 'notes.tmp'])
      await writeFile(join(directory, name), 'x');
    const again = await open();
    expect((await readdir(directory)).toSorted()).toEqual([`${id}${ending}`, 'notes.tmp']);
    expect(await again.list()).toEqual([id]);
    expect((await stat(join(directory, `${id}${ending}`))).mode & 0o777).toBe(0o600);
  });

  test('leaves nothing of itself at whatever call its writing fails', async () => {
    const blobs = await open();
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
      await expect(blobs.write(id, audio(), 100), `${calls[at]}, call ${at}`).rejects.toMatchObject(refused);
      hook = () => {};
      expect(await readdir(directory)).toEqual([]);
    }
  });

  test('says that the disk failed, not that nothing is there', async () => {
    const blobs = await open();
    await blobs.write(id, audio(), 100);
    hook = () => {
      throw systemError('EIO');
    };
    for (const call of [() => blobs.read(id), () => blobs.remove(id), () => blobs.list()]) {
      await expect(call()).rejects.toMatchObject(refused);
    }
  });

  test.runIf(process.platform !== 'win32')(
    'is a regular file: no link leads elsewhere, and nothing else is waited for',
    async () => {
      const blobs = await open();
      const place = join(directory, `${id}${ending}`);
      const elsewhere = join(directory, 'elsewhere');
      await blobs.write(other, audio(), 100);
      await rename(join(directory, `${other}${ending}`), elsewhere);
      for (const lay of [
        () => symlink(elsewhere, place),
        () => symlink(join(directory, 'nowhere'), place),
        () => mkdir(place),
        () => execFileSync('mkfifo', [place]),
      ]) {
        await lay();
        await expect(blobs.read(id)).rejects.toMatchObject(refused);
        await rm(place, { recursive: true });
      }
      // What is written takes the place of a link, and does not go where it led.
      await symlink(elsewhere, place);
      const before = await readFile(elsewhere);
      await blobs.write(id, audio(), 100);
      expect(await readFile(elsewhere)).toEqual(before);
      expect(await contentOf(blobs, id)).toEqual(words);
    },
  );

  test('closes its file, also if its stream is abandoned', async () => {
    const blobs = await open();
    await blobs.write(id, audio(randomBytes(300_000)), Infinity);
    let opened = 0;
    hook = (call) => void (opened += { open: 1, 'handle.close': -1 }[call] ?? 0);
    for (const use of [(stream: Readable) => stream.destroy(), (stream: Readable) => stream.resume()]) {
      const { stream } = (await blobs.read(id))!;
      expect(opened).toBe(1);
      use(stream);
      await once(stream, 'close');
      expect(opened).toBe(0);
    }
  });

  test('that was changed in any way yields no byte, in whole or in part, and is reported by its name', async () => {
    const told: object[] = [];
    const blobs = await createFileBlobs(directory, { fs, sealing, log: (entry) => void told.push(entry) });
    const content = randomBytes(150_000);
    const { sha256 } = await blobs.write(id, audio(content), Infinity);
    const place = join(directory, `${id}${ending}`);
    const whole = await readFile(place);
    const flipped = (at: number): Buffer => {
      const changed = Buffer.from(whole);
      changed[at]! ^= 1;
      return changed;
    };
    const damages = [flipped(60), flipped(100_000), flipped(whole.length - 1), whole.subarray(0, -1), Buffer.alloc(0)];
    damages.push(Buffer.concat([whole, Buffer.from('x')]), Buffer.alloc(whole.length));
    for (const [n, damage] of damages.entries()) {
      await writeFile(place, damage);
      for (const range of [undefined, { start: 0, end: 9 }, { start: 140_000, end: 140_009 }]) {
        await expect(blobs.read(id, { sha256, ...(range && { range }) }), `damage ${n}`).rejects.toMatchObject({
          code: 'INTERNAL_ERROR',
          details: { blob: id },
        });
        expect(told.pop()).toEqual({ level: 'error', event: 'audio_damaged', blob: id });
      }
      await writeFile(place, whole);
      const part = await blobs.read(id, { sha256, range: { start: 140_000, end: 140_009 } });
      expect(await buffer(part!.stream)).toEqual(content.subarray(140_000, 140_010));
    }
    hook = (call) => {
      if (call === 'handle.read') throw Object.assign(systemError('EIO'), { syscall: 'read' });
    };
    await expect(blobs.read(id, { sha256: 'another' })).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  test('is read as a whole once, however many parts are asked for, until somebody writes to it', async () => {
    const blobs = await open();
    const content = randomBytes(1_000_000);
    const { sha256 } = await blobs.write(id, audio(content), Infinity);
    let read = 0;
    hook = (call) => void (read += Number(call === 'handle.read'));
    const part = async (): Promise<number> => {
      const before = read;
      await buffer((await blobs.read(id, { sha256, range: { start: 5, end: 9 } }))!.stream);
      return read - before;
    };
    const [first] = await Promise.all([part(), part(), part()]);
    expect(first).toBeGreaterThan(15);
    expect(await part()).toBeLessThan(5);
    await utimes(join(directory, `${id}${ending}`), 0, 0);
    expect(await part()).toBeGreaterThan(15);
  });

  test('that is put aside has no name from its beginning, and is private', async () => {
    const blobs = await open();
    const staged = await blobs.stage(
      (async function* () {
        expect(await readdir(directory)).toEqual([]);
        yield words;
      })(),
    );
    expect(staged.bytes).toBe(words.length);
    expect(await readdir(directory)).toEqual([]);
    expect(await buffer(staged.read())).toEqual(words);
    await staged.discard();
    await staged.discard();
    hook = (call) => {
      if (call === 'handle.writeFile') throw systemError('ENOSPC');
    };
    await expect(blobs.stage(audio())).rejects.toMatchObject(refused);
    expect(await readdir(directory)).toEqual([]);
  });
});

describe('sealed audio on disk', () => {
  const content = Buffer.alloc(200_000, Buffer.from([0x39, 0x05, 0xc7, 0xfa, 0x11]));
  const pattern = content.subarray(0, 20);
  const path = (blob = id): string => join(directory, `${blob}.sealed`);
  const open = (): Promise<Blobs> => createFileBlobs(directory, { fs, sealing });

  test('shows nothing of itself, and has the size and the hash of what came', async () => {
    const blobs = await open();
    expect(await blobs.write(id, audio(content), Infinity)).toEqual({
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    const found = await blobs.read(id);
    expect(found!.size).toBe(content.length);
    expect(await buffer(found!.stream)).toEqual(content);
    expect((await onDisk()).includes(pattern)).toBe(false);
    expect(await contentOf(blobs, id, { start: 70_000, end: 70_009 })).toEqual(content.subarray(70_000, 70_010));
  });

  test('is refused where it was cut off, swapped or is of another store', async () => {
    const blobs = await open();
    await blobs.write(id, audio(content), Infinity);
    await blobs.write(other, audio(content), Infinity);
    await expect(
      createFileBlobs(directory, { sealing: createSealing(randomBytes(32)) }).then((b) => b.read(id)),
    ).rejects.toMatchObject(refused);
    await copyFile(path(other), path());
    await expect(blobs.read(id)).rejects.toMatchObject(refused);
    const { size } = await stat(path(other));
    // The beginnings of blocks, a place within one, and a header alone.
    for (const length of [size - 1, 24 + 2 * 65_564, 24 + 65_564, 1000, 24, 0]) {
      await truncate(path(other), length);
      await expect(blobs.read(other), `${length} bytes`).rejects.toMatchObject(refused);
    }
  });

  test('gives out nothing that was changed', async () => {
    const blobs = await open();
    await blobs.write(id, audio(content), Infinity);
    const whole = await readFile(path());
    for (const at of [0, 10, 24, 40, 24 + 65_564 + 5, 24 + 2 * 65_564 + 70, whole.length - 1]) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 4;
      await writeFile(path(), changed);
      const given: Buffer[] = [];
      const read = async (): Promise<void> => {
        for await (const piece of (await blobs.read(id))!.stream) given.push(piece as Buffer);
      };
      await expect(read(), `byte ${at}`).rejects.toMatchObject(refused);
      const length = Buffer.concat(given).length;
      expect(length).toBeLessThan(content.length);
      expect(Buffer.concat(given)).toEqual(content.subarray(0, length));
    }
  });
});

describe('audio that was plain before', () => {
  const content = randomBytes(150_000);
  const lay = async (): Promise<void> => {
    const plain = await createFileBlobs(directory);
    for (const blob of [id, other]) await plain.write(blob, audio(content), Infinity);
  };

  test('is sealed at the start, and plain nowhere afterwards', async () => {
    await lay();
    const blobs = await createFileBlobs(directory, { sealing });
    expect((await readdir(directory)).toSorted()).toEqual([`${id}.sealed`, `${other}.sealed`]);
    expect((await blobs.list()).toSorted()).toEqual([id, other]);
    expect(await contentOf(blobs, other)).toEqual(content);
    expect((await onDisk()).includes(content.subarray(500, 520))).toBe(false);
  });

  test('is never lost, wherever that is interrupted', async () => {
    await lay();
    const calls: string[] = [];
    hook = (call) => void calls.push(call);
    await createFileBlobs(directory, { fs, sealing });
    for (let at = 0; at < calls.length; at++) {
      await rm(directory, { recursive: true });
      hook = () => {};
      await lay();
      let count = 0;
      // As a crash does: nothing works from then on, not even clearing up.
      hook = () => {
        if (count++ >= at) throw systemError('EIO');
      };
      await expect(createFileBlobs(directory, { fs, sealing }), `call ${at}`).rejects.toMatchObject({
        code: 'CONFIGURATION',
      });
      hook = () => {};
      const blobs = await createFileBlobs(directory, { fs, sealing });
      for (const blob of [id, other]) expect(await contentOf(blobs, blob)).toEqual(content);
      expect((await readdir(directory)).toSorted()).toEqual([`${id}.sealed`, `${other}.sealed`]);
    }
  });

  test('is named where it cannot be sealed', async () => {
    await mkdir(join(directory, id));
    await expect(createFileBlobs(directory, { sealing })).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining(`The audio file ${id} could not be encrypted`),
    });
  });
});

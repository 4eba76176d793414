/** What every store of blobs has to do, by itself and under what stands between it and the handlers, plain and sealed. */
import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSealing } from '../../server/storage/sealing/sealing.ts';
import type { BlobStore, OpenBlob } from '../../server/storage/blobs/blob-store.ts';
import { openBlobs } from '../../server/storage/blobs/blobs.ts';
import type { Blobs } from '../../server/storage/blobs/blobs.ts';

const failure = new Error('thrown by the source of the audio');

async function allOf<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of source) all.push(each);
  return all;
}

export interface BlobStoreTraits {
  /** Opens a store without blobs. */
  open(): Promise<BlobStore>;
  /** Opens the same blobs once more; absent where they are gone with their store. */
  again?(): Promise<BlobStore>;
}

/** Runs the suite against one kind of store. */
export function describeBlobStore(name: string, { open, again }: BlobStoreTraits): void {
  describe(`store of blobs ${name}`, () => {
    let store: BlobStore;
    beforeEach(async () => void (store = await open()));
    afterEach(() => store.close());

    const content = randomBytes(300_000);
    async function* chunks(bytes = content, size = 65_536): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* chunks();
      throw failure;
    }
    const whole = (blob: OpenBlob | undefined): Promise<Buffer> => buffer(blob!.read(0, blob!.size - 1, 10_000));
    const names = async (prefix: string, from = store): Promise<string[]> =>
      (await allOf(from.list(prefix))).toSorted();

    test('says its name', () => expect(store.name).toBe(name));

    test('gives what was put, in pieces of the length that is asked for', async () => {
      await store.put('blb_A', chunks());
      const blob = (await store.open('blb_A'))!;
      expect(blob.size).toBe(content.length);
      const pieces = await allOf(blob.read(5, 200_004, 70_000));
      expect(pieces.map(({ length }) => length)).toEqual([70_000, 70_000, 60_000]);
      expect(Buffer.concat(pieces)).toEqual(content.subarray(5, 200_005));
      expect(await allOf(blob.read(7, 6, 100))).toEqual([]);
      await blob.close();
      await blob.close();
      await store.put('blb_empty', chunks(Buffer.alloc(0)));
      const empty = (await store.open('blb_empty'))!;
      expect(empty.size).toBe(0);
      await empty.close();
      expect(await store.open('blb_B')).toBeUndefined();
    });

    test('puts another blob in the place of one, which has another version then', async () => {
      await store.put('blb_A', chunks());
      const former = (await store.open('blb_A'))!;
      await store.put('blb_A', chunks(content.subarray(1)));
      const now = (await store.open('blb_A'))!;
      expect(now.version).not.toBe(former.version);
      expect(await whole(now)).toEqual(content.subarray(1));
      // It stays what it was, or its reading fails.
      expect([content.toString('hex'), 'failed']).toContain(
        await whole(former).then(
          (bytes) => bytes.toString('hex'),
          () => 'failed',
        ),
      );
      const again = (await store.open('blb_A'))!;
      expect(again.version).toBe(now.version);
      for (const blob of [former, now, again]) await blob.close();
      expect(await names('')).toEqual(['blb_A']);
    });

    test('has nothing, or what it had, where a source breaks off', async () => {
      await expect(store.put('blb_A', broken())).rejects.toBe(failure);
      expect(await store.open('blb_A')).toBeUndefined();
      await store.put('blb_A', chunks());
      await expect(store.put('blb_A', broken())).rejects.toBe(failure);
      const blob = await store.open('blb_A');
      expect(await whole(blob)).toEqual(content);
      await blob!.close();
      await expect(store.stage(broken())).rejects.toBe(failure);
      expect(await names('')).toEqual(['blb_A']);
    });

    test('lists by prefix, and removes once or twice', async () => {
      for (const each of ['blb_A', 'blb_AB.sealed', 'blb_B']) await store.put(each, chunks());
      expect(await names('blb_A')).toEqual(['blb_A', 'blb_AB.sealed']);
      expect(await store.usage()).toEqual({ files: 3, bytes: 3 * content.length });
      for (const _ of [1, 2]) await store.remove('blb_A');
      expect(await names('')).toEqual(['blb_AB.sealed', 'blb_B']);
    });

    test('puts aside what has no name, and forgets it', async () => {
      await Promise.all(
        [chunks(), chunks(content, 1000)].map(async (source) => {
          const staged = await store.stage(source);
          expect(await whole(staged)).toEqual(content);
          await staged.close();
          await staged.close();
        }),
      );
      expect(await names('')).toEqual([]);
      expect(await store.usage()).toEqual({ files: 0, bytes: 0 });
    });

    test('says that it takes more', async () => {
      await store.probe(0);
      await store.probe(100_000);
      expect(await names('')).toEqual([]);
    });

    if (again) {
      test('has what was put when it is opened again', async () => {
        await store.put('blb_A', chunks());
        await store.close();
        store = await again();
        const blob = await store.open('blb_A');
        expect(await whole(blob)).toEqual(content);
        await blob!.close();
      });
    }

    describeBlobs('plain', () => openBlobs(store));
    const sealing = createSealing(randomBytes(32));
    describeBlobs('sealed', () => openBlobs(store, { sealing }));
  });
}

function describeBlobs(what: string, open: () => Promise<Blobs>): void {
  describe(`${what} audio`, () => {
    let opened: Blobs;
    beforeEach(async () => void (opened = await open()));
    const blobs = (): Blobs => opened;
    const id = (n: number): string => `blb_${String(n).padStart(26, '0')}`;
    const content = randomBytes(300_000);
    async function* chunks(size = 65_536): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
    }
    const read = async (blob: string, range?: { start: number; end: number }) => {
      const found = await blobs().read(blob, range && { range });
      return found && { size: found.size, bytes: Buffer.concat(await found.stream.toArray()) };
    };

    test('are what was written, whole or in part', async () => {
      expect(await blobs().write(id(1), chunks(), content.length)).toEqual({
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      });
      expect(await read(id(1))).toEqual({ size: content.length, bytes: content });
      const part = await read(id(1), { start: 10, end: 19 });
      expect(part).toEqual({ size: content.length, bytes: content.subarray(10, 20) });
      expect((await read(id(1), { start: 299_999, end: 900_000 }))?.bytes).toEqual(content.subarray(299_999));
      expect((await read(id(1), { start: 300_000, end: 300_001 }))?.bytes).toHaveLength(0);
      await blobs().write(id(2), (async function* () {})(), 0);
      expect(await read(id(2))).toEqual({ size: 0, bytes: Buffer.alloc(0) });
      expect((await blobs().list()).toSorted()).toEqual([id(1), id(2)]);
    });

    test('leave nothing where they are too large, or where their source breaks off', async () => {
      const large = blobs().write(id(1), chunks(), content.length - 1);
      await expect(large).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield* chunks();
        throw failure;
      }
      await expect(blobs().write(id(2), broken(), Infinity)).rejects.toBe(failure);
      expect(await blobs().list()).toEqual([]);
      expect(await read(id(1))).toBeUndefined();
    });

    test('are given out only if they are what was expected', async () => {
      const { sha256 } = await blobs().write(id(1), chunks(), content.length);
      const known = await blobs().read(id(1), { sha256 });
      expect(Buffer.concat(await known!.stream.toArray())).toEqual(content);
      await expect(blobs().read(id(1), { sha256: sha256.replace(/./, 'x') })).rejects.toMatchObject({
        code: 'INTERNAL_ERROR',
      });
      expect(await blobs().read(id(2), { sha256 })).toBeUndefined();
    });

    test('can be put aside without being kept', async () => {
      const staged = await Promise.all([blobs().stage(chunks()), blobs().stage(chunks(1000))]);
      for (const each of staged) {
        expect(each.bytes).toBe(content.length);
        expect(Buffer.concat(await each.read().toArray())).toEqual(content);
        await each.discard();
      }
      await expect(
        blobs().stage(
          (async function* () {
            yield content;
            throw failure;
          })(),
        ),
      ).rejects.toBe(failure);
      expect(await blobs().list()).toEqual([]);
    });

    test('are removed, once or twice', async () => {
      await blobs().write(id(1), chunks(), content.length);
      await blobs().remove(id(1));
      await blobs().remove(id(1));
      expect(await blobs().list()).toEqual([]);
    });

    test.each([
      '',
      'x',
      '../database.json',
      `${id(1)}/../x`,
      `${id(1)}\n`,
      id(1).toLowerCase().replace('0', 'a'),
      `blb_${'/'.repeat(26)}`,
    ])('take no other name than an id: %j', async (bad) => {
      await expect(blobs().write(bad, chunks(), Infinity)).rejects.toThrow('not the id of a blob');
      await expect(blobs().read(bad)).rejects.toThrow('not the id of a blob');
      await expect(blobs().remove(bad)).rejects.toThrow('not the id of a blob');
    });
  });
}

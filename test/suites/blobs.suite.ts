/** What blobs have to do, wherever they are kept; a part of the suite of stores. */
import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { BlobStore } from '../../server/store/blobs.ts';

const failure = new Error('thrown by the source of the audio');

/** `blobs`: those of the present test. */
export function describeBlobs(blobs: () => BlobStore): void {
  describe('blobs', () => {
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

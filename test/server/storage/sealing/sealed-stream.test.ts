import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import * as fc from '../../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { openSealed, openStream, sealStream } from '../../../../server/storage/sealing/sealed-stream.ts';
import type { Parts } from '../../../../server/storage/sealing/sealed-stream.ts';
import { createSealing } from '../../../../server/storage/sealing/sealing.ts';

const block = 65_536;
const sealedBlock = block + 28;
const header = 24;
const sealing = createSealing(randomBytes(32));
const refused = expect.objectContaining({ code: 'STORAGE_UNAVAILABLE' });

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const sealed = (plain: Uint8Array, size = 10_000, name = 'a'): Promise<Buffer> =>
  buffer(sealStream(sealing, name, chunks(plain, size)));
const opened = (bytes: Uint8Array, size = 10_000, name = 'a'): Promise<Buffer> =>
  buffer(openStream(sealing, name, chunks(bytes, size)));

const parts = (bytes: Buffer): Parts => ({
  size: bytes.length,
  async *read(start, end, step) {
    for (let at = start; at <= end; at += step) yield bytes.subarray(at, Math.min(at + step, end + 1));
  },
});

const lengths = [0, 1, block - 1, block, block + 1, 2 * block, 3 * block + 5];

describe('a sealed stream', () => {
  test.each(lengths)('of %i bytes comes back, however it is cut', async (length) => {
    const plain = randomBytes(length);
    for (const size of [1000, block, 1_000_000]) {
      const stream = await sealed(plain, size);
      expect(stream).toHaveLength(header + length + 28 * Math.max(1, Math.ceil(length / block)));
      expect((await opened(stream, size + 7)).equals(plain)).toBe(true);
    }
  });

  test('is opened whatever the pieces are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(200_000), fc.integer({ min: 50, max: 90_000 }), async (length, size) => {
        const plain = randomBytes(length);
        expect((await opened(await sealed(plain, size), size)).equals(plain)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  test('gives nothing that was changed, wherever that was', async () => {
    const plain = randomBytes(2 * block + 40);
    const stream = await sealed(plain);
    const ends = [header - 1, header, header + 11, header + sealedBlock - 1, header + sealedBlock, stream.length - 1];
    const places = [
      ...Array.from({ length: header + 13 }, (_, at) => at),
      ...ends,
      ...[1, 2, 3].map((n) => n * 40_000),
    ];
    for (const at of places) {
      const other = Buffer.from(stream);
      other[at]! ^= 0x10;
      const given: Buffer[] = [];
      const read = (async () => {
        for await (const piece of openStream(sealing, 'a', chunks(other, 10_000))) given.push(piece);
      })();
      await expect(read, `byte ${at}`).rejects.toEqual(refused);
      expect(plain.subarray(0, Buffer.concat(given).length).equals(Buffer.concat(given))).toBe(true);
    }
  });

  test('is refused where it was cut off, even between two blocks, or has something behind it', async () => {
    const stream = await sealed(randomBytes(2 * block));
    const cuts = [0, 1, header, header + 5, header + 28, header + sealedBlock, stream.length - 1];
    for (const at of cuts) await expect(opened(stream.subarray(0, at)), `${at}`).rejects.toEqual(refused);
    await expect(opened(Buffer.concat([stream, Buffer.from('x')]))).rejects.toEqual(refused);
    await expect(opened(Buffer.concat([stream, stream.subarray(header)]))).rejects.toEqual(refused);
  });

  test('is refused where its blocks changed places, under another name and with another key', async () => {
    const stream = await sealed(randomBytes(3 * block));
    const [first, second] = [header, header + sealedBlock].map((at) => stream.subarray(at, at + sealedBlock));
    const rest = stream.subarray(header + 2 * sealedBlock);
    const swapped = Buffer.concat([stream.subarray(0, header), second!, first!, rest]);
    await expect(opened(swapped)).rejects.toEqual(refused);
    await expect(opened(stream, 10_000, 'b')).rejects.toEqual(refused);
    const other = openStream(createSealing(randomBytes(32)), 'a', chunks(stream, 10_000));
    await expect(buffer(other)).rejects.toEqual(refused);
  });
});

describe('a sealed file', () => {
  test.each(lengths)('of %i bytes gives any part of itself', async (length) => {
    const plain = randomBytes(length);
    const { size, read } = await openSealed(parts(await sealed(plain)), sealing, 'a');
    expect(size).toBe(length);
    expect((await buffer(read(0, Infinity))).equals(plain)).toBe(true);
    const ranges = [0, 1, block - 1, block, 2 * block, length - 1].flatMap((start) =>
      [0, 1, block, 2 * block].map((more) => [start, start + more] as const),
    );
    for (const [start, end] of ranges.filter(([start]) => start >= 0 && start < length))
      expect((await buffer(read(start, end))).equals(plain.subarray(start, end + 1)), `${start}–${end}`).toBe(true);
  });

  test('reads the blocks of a part and the last one, and no other', async () => {
    const { size, read } = parts(await sealed(randomBytes(10 * block)));
    const asked: number[][] = [];
    const watched: Parts = { size, read: (start, end, step) => (asked.push([start, end]), read(start, end, step)) };
    const opened = await openSealed(watched, sealing, 'a');
    await buffer(opened.read(3 * block + 5, 4 * block + 5));
    const at = (n: number): number => header + n * sealedBlock;
    expect(asked).toEqual([
      [0, header - 1],
      [at(9), at(10) - 1],
      [at(3), at(5) - 1],
    ]);
  });

  test('is refused at once where it was cut off, and in time where it was changed', async () => {
    const stream = await sealed(randomBytes(2 * block));
    for (const length of [0, header, header + 27, header + sealedBlock, stream.length - 1]) {
      await expect(openSealed(parts(stream.subarray(0, length)), sealing, 'a')).rejects.toEqual(refused);
    }
    await expect(openSealed(parts(stream), sealing, 'b')).rejects.toEqual(refused);
    stream[header + 1000]! ^= 1;
    const { read } = await openSealed(parts(stream), sealing, 'a');
    await expect(buffer(read(0, 10))).rejects.toEqual(refused);
    expect(await buffer(read(block, block + 9))).toHaveLength(10);
  });
});

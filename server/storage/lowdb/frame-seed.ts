/**
 * Finds with what the checksums of a file's frames begin, where no copy of its header is left. A CRC-32 can be followed back
 * from its end, so each frame gives the seed with which it would be right. Two frames in a row, numbered one after the other,
 * that give the same seed are right: by chance that happens once in four thousand million times.
 */
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { createWindow, previousHeaderLength, overhead, readSequence } from './frame.ts';

/** For the highest byte of an entry: the entry of the table of CRC-32 and its place. */
const reverse = (() => {
  const table = Buffer.alloc(4 * 256);
  const places = Buffer.alloc(256);
  for (let place = 0; place < 256; place++) {
    let entry = place;
    for (let bit = 0; bit < 8; bit++) entry = entry & 1 ? (entry >>> 1) ^ 0xedb88320 : entry >>> 1;
    table.writeUInt32LE(entry >>> 0, 4 * place);
    places[entry >>> 24] = place;
  }
  return { table, places };
})();

/** The CRC-32 with which `bytes` have to be begun to end with `crc`. */
function seedBefore(bytes: Buffer, crc: number): number {
  let state = ~crc >>> 0;
  for (const byte of bytes.toReversed()) {
    const place = reverse.places.readUInt8(state >>> 24);
    state = (((state ^ reverse.table.readUInt32LE(4 * place)) << 8) | (place ^ byte)) >>> 0;
  }
  return ~state >>> 0;
}

/** Bytes that are looked through for two frames. */
const searched = 16 * 1024 * 1024;

/** `undefined`: there are no two whole frames in a row. */
export async function findSeed(handle: FileHandle, size: number): Promise<number | undefined> {
  if (size <= previousHeaderLength) return undefined;
  const bytes = await createWindow(handle, size).load(previousHeaderLength, Math.min(size, searched));
  const endOf = (at: number): number => at + overhead + bytes.readUInt32BE(at);
  for (let at = 0; at + 2 * overhead <= bytes.length; at++) {
    const end = endOf(at);
    if (end === at + overhead || end + overhead > bytes.length || endOf(end) > bytes.length) continue;
    // Cheap, and hardly ever so by chance.
    if (readSequence(bytes, end + 8) !== readSequence(bytes, at + 8) + 1) continue;
    const seed = seedOfFrame(bytes.subarray(at, end));
    if (computeCrc(bytes.subarray(end, endOf(end)), seed) === bytes.readUInt32BE(end + 4)) return seed;
  }
  return undefined;
}

const seedOfFrame = (frame: Buffer): number =>
  seedBefore(Buffer.concat([frame.subarray(0, 4), frame.subarray(8)]), frame.readUInt32BE(4));

const computeCrc = (frame: Buffer, seed: number): number => crc32(frame.subarray(8), crc32(frame.subarray(0, 4), seed));

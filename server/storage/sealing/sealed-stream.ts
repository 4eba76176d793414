/**
 * Sealed files of any length, written and read as streams: a header with the salt, then blocks, each sealed with its
 * number. The last block is sealed as such, with the length of the whole, so that a file which was cut off, even between
 * two blocks, is noticed.
 */
import { randomBytes } from 'node:crypto';
import { cutPieces } from '../../../src/node/files/pieces.ts';
import { changed } from './sealing.ts';
import type { FileSealing, Sealing } from '../../../src/node/files/sealing.ts';

/** Plain bytes a block; the last one has as many, or fewer, or none where the file is empty. */
const blockLength = 65_536;

const magic = Buffer.from('LAUDIOS1');
const headerLength = magic.length + 16;

/** The context of a block. `name` is the whole's; `size`, its plain bytes, belongs to the last block only. */
const buildContext = (name: string, block: number, size?: number): Buffer =>
  Buffer.from(`${block} ${size ?? ''} ${name}`);

/** The sealed form of `plain`. `name` says what it is; it is not kept in it, and has to be given again to open it. */
export async function* sealStream(
  sealing: Sealing,
  name: string,
  plain: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void> {
  const salt = randomBytes(headerLength - magic.length);
  const file = sealing.forFile(salt);
  yield Buffer.concat([magic, salt]);
  let block = 0;
  let size = 0;
  for await (const { bytes, isLast } of cutPieces(plain, () => blockLength)) {
    size += bytes.length;
    yield file.seal(bytes, buildContext(name, block++, isLast ? size : undefined));
  }
}

/**
 * The reverse of `sealStream`. What it gives was written so; that nothing is missing is certain only once it has ended.
 * AppError STORAGE_UNAVAILABLE where anything was changed, moved or cut off, or the key is another one.
 */
export async function* openStream(
  sealing: Sealing,
  name: string,
  sealed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void> {
  let file: FileSealing | undefined;
  let block = 0;
  let size = 0;
  for await (const { bytes, isLast } of cutPieces(sealed, () => (file ? blockLength + file.overhead : headerLength))) {
    if (!file) {
      if (isLast) throw changed();
      file = deriveFileSealing(sealing, bytes);
      continue;
    }
    size += bytes.length - file.overhead;
    yield file.open(bytes, buildContext(name, block++, isLast ? size : undefined));
  }
}

/** Bytes of which any part can be read. */
export interface Parts {
  /** In bytes. */
  readonly size: number;
  /** The bytes from `start` to `end`, both included, in pieces of `step` bytes, of which the last may be shorter. */
  read(start: number, end: number, step: number): AsyncIterable<Buffer>;
}

export interface OpenedParts {
  /** Plain bytes. */
  readonly size: number;
  /** The plain bytes from `start` to `end`, both included. Rejects as `openStream` does. */
  read(start: number, end: number): AsyncGenerator<Buffer, void>;
}

/**
 * Opens what `sealStream` gave, any part of it; opening its last block shows that none is missing. Rejects as `openStream`
 * does.
 */
export async function openSealed({ size: length, read }: Parts, sealing: Sealing, name: string): Promise<OpenedParts> {
  if (length <= headerLength) throw changed();
  let header: Buffer = Buffer.alloc(0);
  // One piece.
  for await (const piece of read(0, headerLength - 1, headerLength)) header = piece;
  const file = deriveFileSealing(sealing, header);
  const sealedLength = blockLength + file.overhead;
  const last = Math.ceil((length - headerLength) / sealedLength) - 1;
  const size = length - headerLength - (last + 1) * file.overhead;
  async function* blocks(from: number, to: number): AsyncGenerator<{ block: number; plain: Buffer }, void> {
    const ends = Math.min(headerLength + (to + 1) * sealedLength, length) - 1;
    let block = from;
    for await (const sealed of read(headerLength + from * sealedLength, ends, sealedLength)) {
      yield { block, plain: file.open(sealed, buildContext(name, block, block === last ? size : undefined)) };
      block++;
    }
    if (block <= to) throw changed();
  }
  for await (const _ of blocks(last, last));
  return {
    size,
    async *read(start, end) {
      if (start > end) return;
      const to = Math.min(last, Math.floor(end / blockLength));
      for await (const { block, plain } of blocks(Math.floor(start / blockLength), to)) {
        const before = block * blockLength;
        yield plain.subarray(Math.max(0, start - before), end - before + 1);
      }
    },
  };
}

function deriveFileSealing(sealing: Sealing, header: Uint8Array): FileSealing {
  if (!magic.equals(header.subarray(0, magic.length))) throw changed();
  return sealing.forFile(header.subarray(magic.length));
}

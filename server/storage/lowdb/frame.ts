/**
 * The form of journals and snapshots: a header, then frames. Numbers are big-endian.
 *
 *     header  copy 44 | zeros up to 4096 | copy 44 | zeros up to 8192
 *     copy    magic 8 | format u16 | sealed u16 | schema u32 | sequence u64 | salt 16 | CRC-32 of all that u32
 *     frame   length of the payload u32 | CRC-32 u32 | sequence u64 | payload
 *
 * Without its salt no frame could be read, so the copies are in different blocks of the disk, and a third one is in a file
 * next to it (header-copies.ts). The first copy is where former formats had it, so that former versions refuse the file by its
 * format. A frame's CRC begins with the salt and covers all else of the frame, so that neither what lay on the disk before nor
 * a frame of another file passes. The payload is described in content.ts, and sealed where the store is encrypted.
 */
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { FileHandle } from 'node:fs/promises';
import { hasCode } from '../data-directory/private-files.ts';
import type { FileSealing, Sealing } from '../../../src/node/files/sealing.ts';

export type FileKind = 'journal' | 'snapshot';

export interface Header {
  readonly kind: FileKind;
  /** The format described above; a program does not know those above its own. */
  readonly format: number;
  /** The schema of the documents: see migrations.ts. */
  readonly schema: number;
  /** The last commit before this file (journal), or the last one in it (snapshot). */
  readonly sequence: number;
  readonly sealed: boolean;
  readonly salt: Buffer;
}

export interface Frame {
  readonly sequence: number;
  /** As it is in the file. Its bytes are good until the next frame is asked for. */
  readonly payload: Buffer;
  readonly offset: number;
  readonly end: number;
}

/** A stretch of bytes that form no frame, up to the next frame or the end of the file. */
export interface Stretch {
  readonly payload?: undefined;
  /** Whether the disk refused to read a part of it. */
  readonly unreadable: boolean;
  readonly offset: number;
  readonly end: number;
}

/** The meaning of each format. `null`: it was given up before any version had it (decision 45), and is not read. */
export const formats: Readonly<Record<number, string | null>> = {
  1: 'changes as JSON, document by document; the copies of the header one after the other',
  2: 'as 1, but documents with the same fields in rows',
  3: 'as 2, but documents packed as in memory',
  4: null,
  5: 'as 3, but the copies of the header in different blocks, and one in a file beside',
};

export const knownFormat = 5;

export const isKnownFormat = (format: number): boolean => typeof formats[format] === 'string';

const magic: Record<FileKind, Buffer> = {
  journal: Buffer.from('LAUDIO J', 'latin1'),
  snapshot: Buffer.from('LAUDIO S', 'latin1'),
};
const saltLength = 16;
export const copyLength = 8 + 2 + 2 + 4 + 8 + saltLength + 4;
/** Bytes of the largest sector of a disk. */
export const blockLength = 4096;
/** Where a file of the present format has the copies of its header. */
export const copyPlaces = [0, blockLength] as const;
const previousCopyPlaces = [0, copyLength] as const;
export const headerLength = 2 * blockLength;
export const previousHeaderLength = 2 * copyLength;
/** Bytes of a frame without its payload. */
export const overhead = 4 + 4 + 8;

const isFormer = (format: number): boolean => format < 4;

export const placesOf = ({ format }: Pick<Header, 'format'>): readonly number[] =>
  isFormer(format) ? previousCopyPlaces : copyPlaces;

/** Where the frames begin. */
export const framesFrom = ({ format }: Pick<Header, 'format'>): number =>
  isFormer(format) ? previousHeaderLength : headerLength;

export const newHeader = (
  kind: FileKind,
  { schema, sequence, sealed }: { schema: number; sequence: number; sealed: boolean },
): Header => ({ kind, format: knownFormat, schema, sequence, sealed, salt: randomBytes(saltLength) });

export function encodeCopy({ kind, format, schema, sequence, sealed, salt }: Header): Buffer {
  const copy = Buffer.alloc(copyLength);
  magic[kind].copy(copy);
  copy.writeUInt16BE(format, 8);
  copy.writeUInt16BE(Number(sealed), 10);
  copy.writeUInt32BE(schema, 12);
  writeSequence(copy, sequence, 16);
  salt.copy(copy, 24);
  copy.writeUInt32BE(crc32(copy.subarray(0, copyLength - 4)), copyLength - 4);
  return copy;
}

/** A copy with the zeros after it. */
export function encodeBlock(header: Header): Buffer {
  const block = Buffer.alloc(blockLength);
  encodeCopy(header).copy(block);
  return block;
}

/** The beginning of a new file. */
export const encodeHeader = (header: Header): Buffer => Buffer.concat(copyPlaces.map(() => encodeBlock(header)));

/** `undefined` if that is no whole copy. */
export function decodeCopy(copy: Buffer): Header | undefined {
  if (copy.length !== copyLength || crc32(copy.subarray(0, -4)) !== copy.readUInt32BE(copyLength - 4)) return undefined;
  const kind = (Object.keys(magic) as FileKind[]).find((name) => copy.subarray(0, 8).equals(magic[name]));
  return (
    kind && {
      kind,
      format: copy.readUInt16BE(8),
      sealed: copy.readUInt16BE(10) !== 0,
      schema: copy.readUInt32BE(12),
      sequence: readSequence(copy, 16),
      salt: Buffer.from(copy.subarray(24, 24 + saltLength)),
    }
  );
}

export interface FrameBuffer {
  /** Bytes added and not yet taken. */
  readonly length: number;
  add(sequence: number, payload: Buffer): void;
  /** The bytes added since the last time, valid until the next addition. */
  take(): Buffer;
}

/** Bytes; a larger buffer is given back once it has been used. */
const keptBuffer = 4 * 1024 * 1024;

/** Makes frames for the file with that header. */
export function createFrameBuffer(header: Header, sealing: Sealing | undefined): FrameBuffer {
  const seal = createSealer(header, sealing);
  const seed = seedOf(header);
  let buffer = Buffer.allocUnsafeSlow(64 * 1024);
  let length = 0;

  const reserve = (bytes: number): void => {
    if (length === 0 && buffer.length > keptBuffer && bytes <= keptBuffer) buffer = Buffer.allocUnsafeSlow(keptBuffer);
    if (buffer.length - length >= bytes) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * buffer.length, length + bytes));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  };

  return {
    get length() {
      return length;
    },
    add(sequence, payload) {
      const written = seal?.(payload, sequence) ?? payload;
      reserve(overhead + written.length);
      const start = length + overhead;
      const size = written.copy(buffer, start);
      buffer.writeUInt32BE(size, length);
      writeSequence(buffer, sequence, length + 8);
      buffer.writeUInt32BE(checksum(buffer, length, start + size, seed), length + 4);
      length = start + size;
    },
    take() {
      const bytes = buffer.subarray(0, length);
      length = 0;
      return bytes;
    },
  };
}

const createSealer = (header: Header, sealing: Sealing | undefined) => {
  if (!header.sealed || !sealing) return undefined;
  const file = sealing.forFile(header.salt);
  return (plain: Buffer, sequence: number): Buffer => file.seal(plain, buildContext(header.kind, sequence));
};

/** Gives the content of a frame, its bytes being good as long as the frame's; throws where it is sealed and was changed, or the key is another one. */
export function createOpener({ sealed, salt, kind }: Header, sealing: Sealing | undefined): (frame: Frame) => Buffer {
  if (!sealed) return ({ payload }) => payload;
  const file: FileSealing | undefined = sealing?.forFile(salt);
  return ({ payload, sequence }) => {
    if (!file) throw new TypeError('A sealed file needs a key.');
    return file.open(payload, buildContext(kind, sequence));
  };
}

/** Bound to what is sealed: no frame can be put in another one's place. */
function buildContext(kind: FileKind, sequence: number): Buffer {
  const context = Buffer.allocUnsafe(16);
  magic[kind].copy(context);
  writeSequence(context, sequence, 8);
  return context;
}

/** Bytes read from the file at a time. */
const windowLength = 1024 * 1024;

export interface ReadOptions {
  /** Whether to search for further frames after a stretch that is none; `false`: the first such stretch is the last. */
  readonly search?: boolean;
  /** With which the CRC of each frame begins; default: that of the header. */
  readonly seed?: number;
  /** Where the frames begin; default: after the header. */
  readonly from?: number;
}

/**
 * Every frame up to `size`, and every stretch between them that is none. A frame is searched for at each byte of such a
 * stretch; what a document says does not pass for one, for nobody knows the salt before.
 */
export async function* readFrames(
  handle: FileHandle,
  header: Header,
  size: number,
  { search = true, seed = seedOf(header), from = framesFrom(header) }: ReadOptions = {},
): AsyncGenerator<Frame | Stretch, void> {
  const bytes = createWindow(handle, size);
  let at = from;
  let last = header.kind === 'journal' ? header.sequence : 0;
  for (let bad = at; at < size;) {
    const head =
      at + overhead > size ? undefined : (bytes.at(at, at + overhead) ?? (await bytes.load(at, at + overhead)));
    const end = at + overhead + (head ? plausibleLength(head, last, size - at) : 0);
    const view = end === at + overhead ? undefined : (bytes.at(at, end) ?? (await bytes.load(at, end)));
    if (!view || checksum(view, 0, view.length, seed) !== view.readUInt32BE(4)) {
      if (!search) {
        yield { offset: at, end: size, unreadable: bytes.isUnreadable(at, end) };
        return;
      }
      at++;
      if (at === size) yield { offset: bad, end: size, unreadable: bytes.isUnreadable(bad, size) };
      continue;
    }
    if (bad < at) yield { offset: bad, end: at, unreadable: bytes.isUnreadable(bad, at) };
    last = readSequence(view, 8);
    yield { sequence: last, payload: view.subarray(overhead), offset: at, end };
    bad = at = end;
  }
}

/** With which the CRC of each frame begins. */
export const seedOf = ({ salt }: Pick<Header, 'salt'>): number => crc32(salt);

/** Length of the payload that a frame which begins so would have; 0 where none does. */
function plausibleLength(head: Buffer, before: number, room: number): number {
  const length = head.readUInt32BE(0);
  if (overhead + length > room) return 0;
  const ahead = readSequence(head, 8) - before;
  return ahead > 0 && ahead < 2 ** 32 ? length : 0;
}

/** Blocks that the disk refuses to read count as zeros, and are remembered. */
export function createWindow(handle: FileHandle, size: number) {
  let buffer = Buffer.allocUnsafeSlow(Math.min(windowLength, size));
  let start = 0;
  let filled = 0;
  const unreadable = new Set<number>();

  /** Bytes at the place, as many as there is room for; past a bad block they come block by block. */
  async function readOn(from: number, isCareful: boolean): Promise<number> {
    const place = from + filled;
    const toBlockEnd = blockLength - (place % blockLength);
    const room = isCareful ? Math.min(toBlockEnd, buffer.length - filled) : buffer.length - filled;
    return (await handle.read(buffer, filled, room, place)).bytesRead;
  }

  function skipBlock(from: number): number {
    const place = from + filled;
    const skipped = Math.min(blockLength - (place % blockLength), buffer.length - filled, size - place);
    buffer.fill(0, filled, filled + skipped);
    unreadable.add(Math.floor(place / blockLength));
    return skipped;
  }

  return {
    /** The bytes from `from` to `to`, where they are here already. */
    at: (from: number, to: number): Buffer | undefined =>
      from >= start && to <= start + filled ? buffer.subarray(from - start, to - start) : undefined,
    /** Rejects where the file is shorter than it was. */
    async load(from: number, to: number): Promise<Buffer> {
      if (to - from > buffer.length) buffer = Buffer.allocUnsafeSlow(to - from);
      start = from;
      filled = 0;
      for (let isCareful = false; filled < to - from;) {
        let more: number;
        try {
          more = await readOn(from, isCareful);
        } catch (error) {
          if (!isRefusedByDisk(error)) throw error;
          if (isCareful) filled += skipBlock(from);
          isCareful = true;
          continue;
        }
        if (more === 0) throw Object.assign(new Error('The file became shorter.'), { code: 'EIO' });
        filled += more;
      }
      return buffer.subarray(0, to - from);
    },
    isUnreadable(from: number, to: number): boolean {
      for (const block of unreadable) if (block * blockLength < to && (block + 1) * blockLength > from) return true;
      return false;
    },
  };
}

/** Whether an error of reading says that the disk cannot read that place. */
export const isRefusedByDisk = (error: unknown): boolean => hasCode(error, 'EIO');

/** The checksum of the frame between these places, without the four bytes where it is kept. */
const checksum = (bytes: Buffer, from: number, to: number, seed: number): number =>
  crc32(bytes.subarray(from + 8, to), crc32(bytes.subarray(from, from + 4), seed));

function writeSequence(bytes: Buffer, sequence: number, at: number): void {
  bytes.writeUInt32BE(Math.floor(sequence / 2 ** 32), at);
  bytes.writeUInt32BE(sequence % 2 ** 32, at + 4);
}

export const readSequence = (bytes: Buffer, at: number): number =>
  bytes.readUInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);

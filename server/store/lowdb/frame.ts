/**
 * The form of journals and snapshots: a header, then frames. Numbers are big-endian.
 *
 *     header  magic 8 | format u16 | sealed u16 | schema u32 | sequence u64 | salt 16 | CRC-32 of all that u32
 *     frame   length of the payload u32 | CRC-32 u32 | sequence u64 | payload
 *
 * The header is there twice, for without its salt a sealed file could never be read again. A frame's CRC begins with the
 * salt and covers all else of the frame, so that neither what lay on the disk before nor a frame of another file passes.
 * The payload is described in content.ts, and sealed where the store is encrypted.
 */
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { FileHandle } from 'node:fs/promises';
import type { FileSealing, Sealing } from '../../../src/node/files/sealing.ts';

export type FileKind = 'journal' | 'snapshot';

export interface Header {
  readonly kind: FileKind;
  /** Of what is described above; a program does not know those above its own. */
  readonly format: number;
  /** Of the documents: see migrations.ts. */
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
  readonly offset: number;
  readonly end: number;
}

/** 1 and 2 had JSON in their frames: see former-content.ts. */
export const knownFormat = 3;

const magic: Record<FileKind, Buffer> = {
  journal: Buffer.from('LAUDIO J', 'latin1'),
  snapshot: Buffer.from('LAUDIO S', 'latin1'),
};
const saltLength = 16;
const copyLength = 8 + 2 + 2 + 4 + 8 + saltLength + 4;
/** Bytes of both copies. */
export const headerLength = 2 * copyLength;
/** Bytes of a frame besides its payload. */
const overhead = 4 + 4 + 8;

export const newHeader = (
  kind: FileKind,
  { schema, sequence, sealed }: { schema: number; sequence: number; sealed: boolean },
): Header => ({ kind, format: knownFormat, schema, sequence, sealed, salt: randomBytes(saltLength) });

export function encodeHeader({ kind, format, schema, sequence, sealed, salt }: Header): Buffer {
  const copy = Buffer.alloc(copyLength);
  magic[kind].copy(copy);
  copy.writeUInt16BE(format, 8);
  copy.writeUInt16BE(Number(sealed), 10);
  copy.writeUInt32BE(schema, 12);
  writeSequence(copy, sequence, 16);
  salt.copy(copy, 24);
  copy.writeUInt32BE(crc32(copy.subarray(0, copyLength - 4)), copyLength - 4);
  return Buffer.concat([copy, copy]);
}

/** `intact`: both copies are there and alike. `undefined` where neither can be read. */
export function decodeHeader(bytes: Buffer): { header: Header; intact: boolean } | undefined {
  const copies = [bytes.subarray(0, copyLength), bytes.subarray(copyLength, headerLength)];
  const [copy, other] = copies.filter(
    (each) => each.length === copyLength && crc32(each.subarray(0, -4)) === each.readUInt32BE(copyLength - 4),
  );
  const kind = (Object.keys(magic) as FileKind[]).find((name) => copy?.subarray(0, 8).equals(magic[name]));
  if (!copy || !kind) return undefined;
  return {
    header: {
      kind,
      format: copy.readUInt16BE(8),
      sealed: copy.readUInt16BE(10) !== 0,
      schema: copy.readUInt32BE(12),
      sequence: readSequence(copy, 16),
      salt: Buffer.from(copy.subarray(24, 24 + saltLength)),
    },
    intact: other?.equals(copy) ?? false,
  };
}

export interface FrameBuffer {
  /** Bytes added and not yet taken. */
  readonly length: number;
  add(sequence: number, payload: Buffer): void;
  /** What was added since the last time; good until something is added again. */
  take(): Buffer;
}

/** Bytes; a larger buffer is given back once it has been used. */
const keptBuffer = 4 * 1024 * 1024;

/** Makes frames for the file with that header. */
export function createFrameBuffer(header: Header, sealing: Sealing | undefined): FrameBuffer {
  const seal = sealerOf(header, sealing);
  const seed = crc32(header.salt);
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

const sealerOf = (header: Header, sealing: Sealing | undefined) => {
  if (!header.sealed || !sealing) return undefined;
  const file = sealing.forFile(header.salt);
  return (plain: Buffer, sequence: number): Buffer => file.seal(plain, contextOf(header.kind, sequence));
};

/** Gives the content of a frame, its bytes being good as long as the frame's; throws where it is sealed and was changed, or the key is another one. */
export function openerOf({ sealed, salt, kind }: Header, sealing: Sealing | undefined): (frame: Frame) => Buffer {
  if (!sealed) return ({ payload }) => payload;
  const file: FileSealing | undefined = sealing?.forFile(salt);
  return ({ payload, sequence }) => {
    if (!file) throw new TypeError('A sealed file needs a key.');
    return file.open(payload, contextOf(kind, sequence));
  };
}

/** Bound to what is sealed: no frame can be put in another one's place. */
function contextOf(kind: FileKind, sequence: number): Buffer {
  const context = Buffer.allocUnsafe(16);
  magic[kind].copy(context);
  writeSequence(context, sequence, 8);
  return context;
}

/** Bytes read from the file at a time. */
const windowLength = 1024 * 1024;

/**
 * Every frame from `offset` to `size`, and every stretch between them that is none. A frame is searched for at each byte
 * of such a stretch; what a document says does not pass for one, for nobody knows the salt before.
 */
export async function* readFrames(
  handle: FileHandle,
  { kind, salt, sequence }: Header,
  size: number,
  offset = headerLength,
): AsyncGenerator<Frame | Stretch, void> {
  const seed = crc32(salt);
  const bytes = createWindow(handle, size);
  let at = offset;
  let last = kind === 'journal' ? sequence : 0;
  for (let bad = at; at < size;) {
    const head =
      at + overhead > size ? undefined : (bytes.at(at, at + overhead) ?? (await bytes.load(at, at + overhead)));
    const end = at + overhead + (head ? plausibleLength(head, last, size - at) : 0);
    const view = end === at + overhead ? undefined : (bytes.at(at, end) ?? (await bytes.load(at, end)));
    if (!view || checksum(view, 0, view.length, seed) !== view.readUInt32BE(4)) {
      at++;
      if (at === size) yield { offset: bad, end: size };
      continue;
    }
    if (bad < at) yield { offset: bad, end: at };
    last = readSequence(view, 8);
    yield { sequence: last, payload: view.subarray(overhead), offset: at, end };
    bad = at = end;
  }
}

/** Length of the payload that a frame which begins so would have; 0 where none does. */
function plausibleLength(head: Buffer, before: number, room: number): number {
  const length = head.readUInt32BE(0);
  if (overhead + length > room) return 0;
  const ahead = readSequence(head, 8) - before;
  return ahead > 0 && ahead < 2 ** 32 ? length : 0;
}

function createWindow(handle: FileHandle, size: number) {
  let buffer = Buffer.allocUnsafeSlow(Math.min(windowLength, size));
  let start = 0;
  let filled = 0;
  return {
    /** The bytes from `from` to `to`, where they are here already. */
    at: (from: number, to: number): Buffer | undefined =>
      from >= start && to <= start + filled ? buffer.subarray(from - start, to - start) : undefined,
    /** Rejects where the file is shorter than it was. */
    async load(from: number, to: number): Promise<Buffer> {
      if (to - from > buffer.length) buffer = Buffer.allocUnsafeSlow(to - from);
      start = from;
      filled = 0;
      while (filled < to - from) {
        const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, from + filled);
        if (bytesRead === 0) throw Object.assign(new Error('The file became shorter.'), { code: 'EIO' });
        filled += bytesRead;
      }
      return buffer.subarray(0, to - from);
    },
  };
}

/** Of the frame between these places, without the four bytes where it is kept. */
const checksum = (bytes: Buffer, from: number, to: number, seed: number): number =>
  crc32(bytes.subarray(from + 8, to), crc32(bytes.subarray(from, from + 4), seed));

function writeSequence(bytes: Buffer, sequence: number, at: number): void {
  bytes.writeUInt32BE(Math.floor(sequence / 2 ** 32), at);
  bytes.writeUInt32BE(sequence % 2 ** 32, at + 4);
}

const readSequence = (bytes: Buffer, at: number): number =>
  bytes.readUInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);

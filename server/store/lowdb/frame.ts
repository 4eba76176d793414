/**
 * The form of journals and snapshots: a header, then frames. Numbers are big-endian.
 *
 *     header  magic 8 | format u16 | sealed u16 | schema u32 | sequence u64 | salt 16 | CRC-32 of all that u32
 *     frame   length of the payload u32 | CRC-32 u32 | sequence u64 | place in its group u32 | payload | mark u8
 *
 * The header is there twice, for without its salt a sealed file could never be read again. A frame's CRC begins with the
 * salt and covers all else of the frame, so that neither what lay on the disk before nor a frame of another file passes.
 * The place says how many commits of the same group come before: a group is written at once, and its pages reach the disk in
 * any order. The mark tells the end of a frame from zeros, which a journal has ahead (reserve.ts). The payload is
 * described in content.ts, and sealed where the store is encrypted.
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
  /** The sequence of the first commit that was written together with this one. */
  readonly group: number;
  /** As it is in the file. Its bytes are good until the next frame is asked for. */
  readonly payload: Buffer;
  readonly offset: number;
  readonly end: number;
}

/**
 * Whether a frame that follows upon something unreadable may be the rest of a group that never was whole on disk: a crash then
 * left some of its pages and not others. All missing commits, of which the first is `missing`, are of that group. Any other frame
 * was written when everything before it was on disk.
 */
export const isOfBrokenGroup = ({ group, sequence }: Frame, missing: number): boolean =>
  group <= missing && sequence > missing;

/** A stretch of bytes that form no frame, up to the next frame or the end of the file. */
export interface Stretch {
  readonly payload?: undefined;
  readonly offset: number;
  readonly end: number;
}

/** 1 and 2 had JSON in their frames: see former-content.ts. Up to 3 frames had neither place nor mark. */
export const knownFormat = 4;

const magic: Record<FileKind, Buffer> = {
  journal: Buffer.from('LAUDIO J', 'latin1'),
  snapshot: Buffer.from('LAUDIO S', 'latin1'),
};
const saltLength = 16;
const copyLength = 8 + 2 + 2 + 4 + 8 + saltLength + 4;
/** Bytes of both copies. */
export const headerLength = 2 * copyLength;

/** What ends a frame; anything but 0. */
const mark = 0x4c;

/** Bytes of a frame before its payload, and after it. */
const formOf = ({ format }: Header) =>
  format < 4 ? { isGrouped: false, head: 4 + 4 + 8, foot: 0 } : { isGrouped: true, head: 4 + 4 + 8 + 4, foot: 1 };

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
  /** `place`: how many of the same group come before. */
  add(sequence: number, payload: Buffer, place?: number): void;
  /** What was added since the last time; good until something is added again. */
  take(): Buffer;
}

/** Bytes; a larger buffer is given back once it has been used. */
const keptBuffer = 4 * 1024 * 1024;

/** Makes frames for the file with that header. */
export function createFrameBuffer(header: Header, sealing: Sealing | undefined): FrameBuffer {
  const seal = sealerOf(header, sealing);
  const { isGrouped, head, foot } = formOf(header);
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
    add(sequence, payload, place = 0) {
      const written = seal?.(payload, sequence, place) ?? payload;
      reserve(head + written.length + foot);
      const size = written.copy(buffer, length + head);
      const end = length + head + size + foot;
      buffer.writeUInt32BE(size, length);
      writeSequence(buffer, sequence, length + 8);
      if (isGrouped) {
        buffer.writeUInt32BE(place, length + 16);
        buffer[end - 1] = mark;
      }
      buffer.writeUInt32BE(checksum(buffer, length, end, seed), length + 4);
      length = end;
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
  return (plain: Buffer, sequence: number, place: number): Buffer =>
    file.seal(plain, contextOf(header, sequence, place));
};

/** Gives the content of a frame, its bytes being good as long as the frame's; throws where it is sealed and was changed, or the key is another one. */
export function openerOf(header: Header, sealing: Sealing | undefined): (frame: Frame) => Buffer {
  if (!header.sealed) return ({ payload }) => payload;
  const file: FileSealing | undefined = sealing?.forFile(header.salt);
  return ({ payload, sequence, group }) => {
    if (!file) throw new TypeError('A sealed file needs a key.');
    return file.open(payload, contextOf(header, sequence, sequence - group));
  };
}

/** Bound to what is sealed: no frame can be put in another one's place. */
function contextOf(header: Header, sequence: number, place: number): Buffer {
  const { isGrouped } = formOf(header);
  const context = Buffer.allocUnsafe(isGrouped ? 20 : 16);
  magic[header.kind].copy(context);
  writeSequence(context, sequence, 8);
  if (isGrouped) context.writeUInt32BE(place, 16);
  return context;
}

/** Bytes read from the file at a time. */
const windowLength = 1024 * 1024;

/**
 * Every frame from `offset` to `size`, and every stretch between them that is none; in a journal, zeros at the end are
 * none either, for they are room. A frame is searched for at each byte of such a stretch; what a document says does not
 * pass for one, for nobody knows the salt before. What cannot be read in a journal is read once more, since a server
 * may be writing there just now: who saw what comes after sees all of what came before.
 */
export async function* readFrames(
  handle: FileHandle,
  header: Header,
  size: number,
  offset = headerLength,
): AsyncGenerator<Frame | Stretch, void> {
  const isJournal = header.kind === 'journal';
  const { isGrouped, head, foot } = formOf(header);
  const seed = crc32(header.salt);
  const bytes = createWindow(handle, size, isJournal);
  let last = isJournal ? header.sequence : 0;
  let at = offset;
  let bad = offset;
  let readTwice = -1;

  /** Whether the stretch that ends here is read once more. */
  const isReadAgain = (): boolean => {
    if (!isJournal || readTwice === bad) return false;
    at = readTwice = bad;
    bytes.forget();
    return true;
  };

  while (at < size) {
    const body = at + head;
    const room = size - body - foot;
    // Nothing is waited for that is here already: there may be millions.
    const start = room < 0 ? undefined : (bytes.at(at, body) ?? (await bytes.load(at, body)));
    const length = start ? plausibleLength(start, last, room) : 0;
    const end = body + length + foot;
    const view = length === 0 ? undefined : (bytes.at(at, end) ?? (await bytes.load(at, end)));
    if (!view || checksum(view, 0, view.length, seed) !== view.readUInt32BE(4)) {
      const zeros = bytes.isOther(at) ? 0 : await bytes.zerosAt(at);
      const isEnd = at + zeros === size;
      const badEnd = isEnd && isJournal ? at : size;
      // The length of a frame has no more than three zeros before it.
      at += isEnd ? zeros : Math.max(1, zeros - 3);
      if (at === size && bad < badEnd && !isReadAgain()) yield { offset: bad, end: badEnd };
      continue;
    }
    if (bad < at) {
      if (isReadAgain()) continue;
      yield { offset: bad, end: at };
    }
    last = readSequence(view, 8);
    const group = last - (isGrouped ? view.readUInt32BE(16) : 0);
    yield { sequence: last, group, payload: view.subarray(head, head + length), offset: at, end };
    bad = at = end;
  }
}

/** Length of the payload that a frame which begins so would have; 0 where none does. */
function plausibleLength(start: Buffer, before: number, room: number): number {
  const length = start.readUInt32BE(0);
  if (length > room) return 0;
  const ahead = readSequence(start, 8) - before;
  return ahead > 0 && ahead < 2 ** 32 ? length : 0;
}

/** `mayShrink`: a server that runs may give back the room that the file has at its end. */
function createWindow(handle: FileHandle, size: number, mayShrink: boolean) {
  let buffer = Buffer.allocUnsafeSlow(Math.min(windowLength, size));
  let start = 0;
  let filled = 0;

  const at = (from: number, to: number): Buffer | undefined =>
    from >= start && to <= start + filled ? buffer.subarray(from - start, to - start) : undefined;

  /** Rejects where the file is shorter than it was. */
  async function load(from: number, to: number): Promise<Buffer> {
    if (to - from > buffer.length) buffer = Buffer.allocUnsafeSlow(to - from);
    start = from;
    filled = 0;
    while (filled < to - from) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, from + filled);
      if (bytesRead > 0) {
        filled += bytesRead;
      } else {
        if (!mayShrink) throw Object.assign(new Error('The file became shorter.'), { code: 'EIO' });
        buffer.fill(0, filled, to - from);
        filled = to - from;
      }
    }
    return buffer.subarray(0, to - from);
  }

  return {
    /** The bytes from `from` to `to`, where they are here already. */
    at,
    load,
    forget(): void {
      filled = 0;
    },
    /** Whether there is a byte that is not 0, and is here already. */
    isOther: (from: number): boolean => from >= start && from < start + filled && buffer[from - start] !== 0,
    /** How many zeros there are from `from` on. */
    async zerosAt(from: number): Promise<number> {
      let place = from;
      while (place < size) {
        if (!at(place, place + 1)) await load(place, Math.min(size, place + buffer.length));
        const end = Math.min(size, start + filled);
        while (place < end && buffer[place - start] === 0) place++;
        if (place < end) break;
      }
      return place - from;
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

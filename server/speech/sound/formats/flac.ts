/** FLAC (RFC 9639), alone or in Ogg. */
import { checkLength } from '../limits.ts';
import { byteReader, viewOf } from './byte-reader.ts';
import type { ByteReader } from './byte-reader.ts';
import { createPacketDecoder } from './packet-decoder.ts';
import type { PacketDecoder } from './packet-decoder.ts';
import { checkLayout, unreadable } from './pcm.ts';
import type { DecodeFormat } from './pcm.ts';

/** Bytes per read. */
const pieceBytes = 64 * 1024;
/** Limit for a frame; real ones have less than a tenth. */
const maxFrameBytes = 1024 * 1024;
const descriptionBytes = 34;
const lastBlock = 0x80;

/** `description`: the content of a STREAMINFO block (RFC 9639 8.2). */
export async function createFlac(description: Uint8Array, onCut: () => void): Promise<PacketDecoder> {
  if (description.length < descriptionBytes) throw unreadable('the description of its sound is damaged');
  const { rate, channels } = readStreamInfo(description);
  checkLayout(rate, channels);
  return createPacketDecoder({
    codec: 'FLAC',
    description: description.subarray(0, descriptionBytes),
    rate,
    onCut,
  });
}

export const decodeFlac: DecodeFormat = async function* (read, onCut) {
  const reader = byteReader(read());
  const description = await readDescription(reader);
  let isCut = false;
  const flac = await createFlac(description, () => (isCut = true));
  const { rate, samples } = readStreamInfo(description);
  checkLength(samples / rate);
  let decoded = 0;
  for await (const { frame, samples: more } of splitFrames(reader)) {
    decoded += more;
    const sound = flac.decode(frame);
    if (sound) yield sound;
  }
  const rest = flac.flush();
  if (rest) yield rest;
  if (isCut || decoded < samples) onCut();
};

/** Parses a whole STREAMINFO block (RFC 9639 8.2). */
function readStreamInfo(description: Uint8Array) {
  const view = viewOf(description);
  return {
    rate: view.getUint32(10) >>> 12,
    channels: ((view.getUint8(12) >> 1) & 7) + 1,
    /** The whole stream’s, 36 bits; 0 if unknown. */
    samples: (view.getUint8(13) & 15) * 2 ** 32 + view.getUint32(14),
  };
}

async function readDescription(reader: ByteReader): Promise<Uint8Array> {
  const tooShort = (): never => {
    throw unreadable('it ends before its sound begins');
  };
  if (!(await reader.skip(4))) return tooShort();
  let description: Uint8Array | undefined;
  for (;;) {
    const head = viewOf((await reader.take(4)) ?? tooShort()).getUint32(0);
    const type = head >>> 24;
    const size = head & 0xff_ffff;
    if ((type & ~lastBlock) === 0 && size <= 1024) description = (await reader.take(size)) ?? tooShort();
    else if (!(await reader.skip(size))) return tooShort();
    if (type & lastBlock) return description ?? tooShort();
  }
}

/** Splits the stream into frames. Each ends at the next header that continues its numbering. */
async function* splitFrames(reader: ByteReader): AsyncGenerator<{ frame: Uint8Array; samples: number }> {
  let bytes = (await reader.some(pieceBytes)) ?? new Uint8Array();
  let head = readFrameHeader(bytes, 0);
  let searched = 1;
  while (head) {
    let next: FrameHeader | undefined;
    for (; searched + maxHeaderBytes <= bytes.length && !next; searched++) {
      const found = bytes[searched] === 0xff ? readFrameHeader(bytes, searched) : undefined;
      if (found?.number === head.number + (head.counts === 'frames' ? 1 : head.samples)) next = found;
    }
    if (next) {
      yield { frame: bytes.subarray(0, searched - 1), samples: head.samples };
      bytes = bytes.subarray(searched - 1);
      head = next;
      searched = 1;
      continue;
    }
    const more = await reader.some(pieceBytes);
    if (!more) {
      yield { frame: bytes, samples: head.samples };
      return;
    }
    if (bytes.length + more.length > maxFrameBytes) throw unreadable('it is damaged');
    bytes = Buffer.concat([bytes, more]);
  }
  throw unreadable('its sound does not begin with a frame');
}

interface FrameHeader {
  /** Whether `number` counts frames or samples. */
  readonly counts: 'frames' | 'samples';
  readonly number: number;
  readonly samples: number;
}

const maxHeaderBytes = 16;

/** Parses a frame header (RFC 9639 9.1); `undefined` if there is none. */
export function readFrameHeader(bytes: Uint8Array, at: number): FrameHeader | undefined {
  const [first, second, third, fourth, fifth] = bytes.subarray(at, at + 5);
  if (first !== 0xff || second === undefined || (second & 0xfe) !== 0xf8) return undefined;
  if (third === undefined || fourth === undefined || fifth === undefined) return undefined;
  const sizeCode = third >> 4;
  const rateCode = third & 15;
  if (sizeCode === 0 || rateCode === 15 || fourth >> 4 > 10 || fourth & 1) return undefined;
  // The number is encoded like UTF-8, with up to seven bytes.
  const ones = Math.clz32(~(fifth << 24));
  if (ones === 1 || ones > 7) return undefined;
  let end = at + 5;
  let number = ones === 0 ? fifth : fifth & (0x7f >> ones);
  for (let left = ones - 1; left > 0; left--) number = number * 64 + ((bytes[end++] ?? 0) & 0x3f);
  let samples = sizeCode === 1 ? 192 : sizeCode < 6 ? 576 << (sizeCode - 2) : 256 << (sizeCode - 8);
  if (sizeCode === 6) samples = (bytes[end++] ?? 0) + 1;
  if (sizeCode === 7) {
    samples = (bytes[end] ?? 0) * 256 + (bytes[end + 1] ?? 0) + 1;
    end += 2;
  }
  end += rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0;
  if (checksum(bytes.subarray(at, end)) !== bytes[end]) return undefined;
  return { counts: second & 1 ? 'samples' : 'frames', number, samples };
}

/** CRC-8 with polynomial 0x07. */
function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = ((sum << 1) ^ (sum & 0x80 ? 0x07 : 0)) & 0xff;
  }
  return sum;
}

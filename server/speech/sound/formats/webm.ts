/**
 * WebM with Opus, as recorded by browsers: EBML elements (RFC 8794) with blocks of packets (RFC 9559). Containers are
 * entered and other elements skipped, so containers of unknown size, which recorders write, need no special care.
 */
import { byteReader, nameOf, viewOf } from './byte-reader.ts';
import type { ByteReader } from './byte-reader.ts';
import { createOpus, opusLayout } from './opus.ts';
import { unreadable, unsupported } from './pcm.ts';
import type { DecodeFormat } from './pcm.ts';

const segment = 0x18538067;
const entered = new Set([segment, 0x1654ae6b /* Tracks */, 0x1f43b675 /* Cluster */, 0xa0 /* BlockGroup */]);
const trackEntry = 0xae;
const blocks = new Set([0xa3 /* SimpleBlock */, 0xa1 /* Block */]);
const trackFields = {
  0xd7: 'number',
  0x83: 'type',
  0x86: 'codec',
  0x63a2: 'description',
  0x6d80: 'encodings',
} as const;
const audioTrack = 2;
/** Limit for a block or description; real audio blocks have less than 2,000 bytes. */
const maxBlockBytes = 1024 * 1024;
/** Packets per decoder call: about a second. */
const packetsAtOnce = 50;

type Field = (typeof trackFields)[keyof typeof trackFields];
type Track = Partial<Record<Field, Uint8Array>>;

export const decodeWebm: DecodeFormat = async function* (read, onCut) {
  const reader = byteReader(read());
  const tracks: Track[] = [];
  let opus: Awaited<ReturnType<typeof createOpus>> | undefined;
  let chosen: number | undefined;
  let packets: Uint8Array[] = [];
  /** The minimum position of the file's end, by its element sizes. */
  let end = 0;
  try {
    for (let element = await readNextElement(reader); element; element = await readNextElement(reader)) {
      const { id, size } = element;
      if (size < Infinity && (id === segment || !entered.has(id))) end = Math.max(end, reader.position + size);
      if (entered.has(id)) continue;
      if (id === trackEntry) {
        tracks.push({});
        continue;
      }
      if (!blocks.has(id) && !(id in trackFields)) {
        if (!(await reader.skip(size))) break;
        continue;
      }
      if (size > maxBlockBytes) throw unreadable('one of its blocks is too large');
      const content = await reader.take(size);
      if (!content) break;
      if (!blocks.has(id)) {
        const field = trackFields[id as keyof typeof trackFields];
        const track = tracks.at(-1);
        if (track) track[field] ??= content;
        continue;
      }
      if (!opus) {
        const track = findAudioTrack(tracks);
        chosen = track.number;
        opus = await createOpus(track.layout);
      }
      const number = readVariable(content, 0);
      if (!number || number.value !== chosen) continue;
      packets.push(...splitPackets(content.subarray(number.length)));
      if (packets.length >= packetsAtOnce) {
        yield* opus.decode(packets);
        packets = [];
      }
    }
    if (!opus) findAudioTrack(tracks);
    else yield* opus.decode(packets);
    if (reader.position < end) onCut();
  } finally {
    opus?.free();
  }
};

/** Returns the first audio track. */
function findAudioTrack(tracks: readonly Track[]): { number: number; layout: ReturnType<typeof opusLayout> } {
  const track = tracks.find(({ type }) => type && numberOf(type) === audioTrack);
  if (!track) throw unreadable('it has no track with sound');
  const { codec = new Uint8Array(), description, encodings, number } = track;
  const name = nameOf(codec).replace(/(?<!\0)\0+$/, '');
  if (name !== 'A_OPUS')
    throw unsupported(`sound of the codec ${/^[\w/-]{1,30}$/.test(name) ? name : 'unknown'} in WebM`);
  if (encodings) throw unsupported('compressed or encrypted tracks');
  if (!number || !description) throw unreadable('the description of its sound is damaged');
  return { number: numberOf(number), layout: opusLayout(description.subarray(8)) };
}

/** Reads the header of the next element; `undefined` at the end. */
async function readNextElement(reader: ByteReader): Promise<{ id: number; size: number } | undefined> {
  const id = await readNextVariable(reader, 4, true);
  const size = id && (await readNextVariable(reader, 8, false));
  return id && size && { id: id.value, size: size.value };
}

async function readNextVariable(reader: ByteReader, maxLength: number, marked: boolean) {
  const first = await reader.take(1);
  if (!first) return undefined;
  const length = Math.clz32(viewOf(first).getUint8(0)) - 23;
  if (length > maxLength) throw unreadable('it is damaged');
  const rest = await reader.take(length - 1);
  return rest && readVariable(Buffer.concat([first, rest]), 0, marked);
}

/** A variable-length integer (RFC 8794 4); all ones mean an unknown size, returned as `Infinity`. */
function readVariable(bytes: Uint8Array, at: number, marked = false): { value: number; length: number } | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  const length = Math.clz32(first) - 23;
  if (length > 8 || bytes.length < at + length) return undefined;
  const rest = bytes.subarray(at + 1, at + length);
  const mask = marked ? 0xff : 0xff >> length;
  let value = first & mask;
  let unknown = !marked && value === mask;
  for (const byte of rest) {
    value = value * 256 + byte;
    unknown &&= byte === 0xff;
  }
  return { value: unknown ? Infinity : value, length };
}

const numberOf = (bytes: Uint8Array): number => bytes.reduce((value, byte) => value * 256 + byte, 0);

/** The packets of a block after its track number: two bytes of time, flags, and one or more packets (RFC 9559 10.3). */
function splitPackets(block: Uint8Array): Uint8Array[] {
  const flags = block[2];
  if (flags === undefined) return [];
  const lacing = (flags >> 1) & 3;
  const content = block.subarray(3);
  if (lacing === 0) return content.length > 0 ? [content] : [];
  const count = (content[0] ?? 0) + 1;
  if (lacing === 2) {
    const size = Math.floor((content.length - 1) / count);
    return size > 0
      ? Array.from({ length: count }, (_, index) => content.subarray(1 + index * size, 1 + (index + 1) * size))
      : [];
  }
  throw unsupported('packets laced in a way that recorders of speech do not use');
}

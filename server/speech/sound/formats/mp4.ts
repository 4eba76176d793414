/**
 * MP4 and M4A with AAC, Opus or MP3 (ISO/IEC 14496-12): whole files, even with the index at the end, and fragmented
 * files as recorded by browsers. The index stays in its compact tables, because three hours have a million packets.
 */
import type { ISOFile } from 'mp4box';
import { loadOptional } from '../../../../src/node/optional-packages.ts';
import { createAac } from './aac.ts';
import { byteReader, nameOf, viewOf } from './byte-reader.ts';
import type { ByteReader } from './byte-reader.ts';
import { createMpeg } from './mpeg.ts';
import { createOpus } from './opus.ts';
import { toPcm, unreadable, unsupported } from './pcm.ts';
import type { DecodeFormat, Pcm } from './pcm.ts';

type Movie = NonNullable<ISOFile['moov']>;
type Fragment = ISOFile['moofs'][number];
type Track = Movie['traks'][number];

/** Position of a packet in the file. */
interface PacketPosition {
  readonly offset: number;
  readonly size: number;
}

/** Limit for an index; three hours take 4 MB. */
const maxIndexBytes = 64 * 1024 * 1024;
const maxPacketBytes = 1024 * 1024;

export const decodeMp4: DecodeFormat = async function* (read, onCut) {
  const parse = await loadParser();
  let reader = byteReader(read());
  const index = await findBox(reader, ['moov']);
  if (!index) throw unreadable('its index is missing, as when a recorder was switched off before it had finished');
  const movie = parse(index.bytes).moov;
  const track = movie?.traks.find(({ mdia }) => mdia?.hdlr?.handler === 'soun');
  if (!movie || !track) throw unreadable('it has no track with sound');
  const codec = await createCodec(track, onCut);
  try {
    const whole = listPackets(track);
    if (!whole)
      yield* afterStart(
        readStart(track),
        decodePackets(listFragmentPackets({ reader, parse, onCut }, movie, track), reader, codec, onCut),
      );
    else {
      // The audio is before the index, so the file is read again.
      if (whole.first < reader.position) reader = byteReader(read());
      yield* afterStart(readStart(track), decodePackets(whole.places, reader, codec, onCut));
    }
  } finally {
    codec.free();
  }
};

async function* decodePackets(
  places: Iterable<PacketPosition> | AsyncIterable<PacketPosition>,
  reader: ByteReader,
  { decode, flush }: Codec,
  onCut: () => void,
): AsyncGenerator<Pcm> {
  for await (const { offset, size } of places) {
    if (size > maxPacketBytes || offset < reader.position) throw unreadable('its index is damaged');
    const packet = (await reader.skip(offset - reader.position)) ? await reader.take(size) : undefined;
    if (!packet) {
      onCut();
      break;
    }
    yield* await decode(packet);
  }
  yield* await flush();
}

/** Finds the next box with one of the names; `undefined` at the end. Calls `onCut` if the file ends within a box. */
async function findBox(reader: ByteReader, names: readonly string[], onCut: () => void = () => {}) {
  for (;;) {
    const start = reader.position;
    const head = await reader.take(8);
    if (!head) return undefined;
    let size = viewOf(head).getUint32(0);
    const name = nameOf(head.subarray(4));
    let long: Uint8Array | undefined;
    if (size === 1) {
      long = await reader.take(8);
      if (!long) return undefined;
      size = Number(viewOf(long).getBigUint64(0));
    } else if (size === 0) size = Infinity;
    const left = size - (reader.position - start);
    if (left < 0) throw unreadable('it is damaged');
    if (!names.includes(name)) {
      if (!(await reader.skip(left))) {
        if (left < Infinity) onCut();
        return undefined;
      }
      continue;
    }
    if (size > maxIndexBytes) throw unreadable('its index is too large');
    const rest = await reader.take(left);
    if (!rest) onCut();
    return rest && { start, name, bytes: Buffer.concat([head, ...(long ? [long] : []), rest]) };
  }
}

/** Parses a box. */
type Parse = (bytes: Buffer) => ISOFile;

async function loadParser(): Promise<Parse> {
  const { createFile, MP4BoxBuffer, MultiBufferStream } = await loadOptional('sound', () => import('mp4box'));
  return (bytes) => {
    const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    const file = createFile();
    file.stream = new MultiBufferStream(MP4BoxBuffer.fromArrayBuffer(copy, 0));
    try {
      file.parse();
    } catch {
      throw unreadable('its index is damaged');
    }
    return file;
  };
}

/** Lists the packets by the index of a whole file; `undefined` for a fragmented file. */
function listPackets({ mdia }: Track): { first: number; places: Iterable<PacketPosition> } | undefined {
  const { stsz, stsc, stco, co64 } = mdia.minf.stbl;
  const chunks = (stco ?? co64)?.chunk_offsets ?? [];
  const [first] = chunks;
  if (!stsz || !stsc || first === undefined || stsz.sample_sizes.length === 0) return undefined;
  return { first, places: listChunkPackets(chunks, mdia.minf.stbl) };
}

function* listChunkPackets(
  chunks: readonly number[],
  { stsz, stsc }: Track['mdia']['minf']['stbl'],
): Generator<PacketPosition> {
  let packet = 0;
  let run = 0;
  for (const [chunk, start] of chunks.entries()) {
    while ((stsc.first_chunk[run + 1] ?? Infinity) <= chunk + 1) run += 1;
    let offset = start;
    for (let left = stsc.samples_per_chunk[run] ?? 0; left > 0; left--) {
      const size = stsz.sample_sizes[packet++];
      if (size === undefined) return;
      yield { offset, size };
      offset += size;
    }
  }
}

/** Lists the packets of fragments as they arrive. */
async function* listFragmentPackets(
  { reader, parse, onCut }: { reader: ByteReader; parse: Parse; onCut: () => void },
  movie: Movie,
  { tkhd }: Track,
): AsyncGenerator<PacketPosition> {
  const defaultSize = movie.mvex?.trexs.find(({ track_id: id }) => id === tkhd.track_id)?.default_sample_size ?? 0;
  for (;;) {
    const box = await findBox(reader, ['moof'], onCut);
    if (!box) return;
    const [fragment] = parse(box.bytes).moofs;
    for (const traf of fragment?.trafs ?? []) {
      if (traf.tfhd?.track_id === tkhd.track_id) yield* listRunPackets(traf, box.start, defaultSize);
    }
  }
}

/** Flags of ISO/IEC 14496-12 8.8.7 and 8.8.8. */
const flag = { baseGiven: 0x1, offsetGiven: 0x1, sizeOfTrack: 0x10, sizes: 0x200 };

function* listRunPackets(
  { tfhd, truns }: Fragment['trafs'][number],
  start: number,
  defaultSize: number,
): Generator<PacketPosition> {
  const base = tfhd.flags & flag.baseGiven ? tfhd.base_data_offset : start;
  const size = tfhd.flags & flag.sizeOfTrack ? tfhd.default_sample_size : defaultSize;
  let offset = base;
  for (const run of truns) {
    if (run.flags & flag.offsetGiven) offset = base + run.data_offset;
    for (let packet = 0; packet < run.sample_count; packet++) {
      const bytes = run.flags & flag.sizes ? run.sample_size[packet] : size;
      if (bytes === undefined) throw unreadable('its index is damaged');
      yield { offset, size: bytes };
      offset += bytes;
    }
  }
}

interface Codec {
  decode(packet: Uint8Array): Promise<Iterable<Pcm>>;
  flush(): Promise<Iterable<Pcm>>;
  free(): void;
}

/** The parts of a sample description that mp4box has no types for. */
interface Description {
  readonly type: string;
  readonly esds?: { readonly esd: EsDescriptor };
  readonly dOps?: {
    readonly OutputChannelCount: number;
    readonly PreSkip: number;
    readonly ChannelMappingFamily: number;
    readonly StreamCount: number;
    readonly CoupledCount: number;
    readonly ChannelMapping: number[];
  };
}
interface EsDescriptor {
  readonly tag?: number;
  readonly oti?: number;
  readonly data?: Uint8Array;
  readonly descs?: readonly EsDescriptor[];
}

const decoderTag = 4;
const specificTag = 5;
const mpegAudio = new Set([0x69, 0x6b]);

async function createCodec({ mdia }: Track, onCut: () => void): Promise<Codec> {
  const description = mdia.minf.stbl.stsd?.entries[0] as unknown as Description | undefined;
  if (description?.type === 'Opus' && description.dOps) {
    const {
      OutputChannelCount: channels,
      PreSkip: preSkip,
      ChannelMappingFamily: family,
      ...mapped
    } = description.dOps;
    const mapping = family !== 0 && {
      streamCount: mapped.StreamCount,
      coupledStreamCount: mapped.CoupledCount,
      channelMappingTable: mapped.ChannelMapping,
    };
    const opus = await createOpus({ channels, preSkip, ...mapping });
    return { decode: async (packet) => opus.decode([packet]), flush: async () => [], free: () => opus.free() };
  }
  if (description?.type !== 'mp4a') {
    const names: Readonly<Record<string, string>> = { alac: 'Apple Lossless', fLaC: 'FLAC in MP4' };
    throw unsupported(names[description?.type ?? ''] ?? 'a codec other than AAC, Opus and MP3');
  }
  const decoder = description.esds?.esd.descs?.find(({ tag }) => tag === decoderTag);
  if (mpegAudio.has(decoder?.oti ?? 0)) {
    const mpeg = await createMpeg();
    return {
      decode: async (packet) => toPcm(mpeg.decodeFrame(packet)),
      flush: async () => [],
      free: () => mpeg.free(),
    };
  }
  const specific = decoder?.descs?.find(({ tag }) => tag === specificTag)?.data;
  if (!specific) throw unreadable('the description of its sound is damaged');
  const aac = await createAac(specific, onCut);
  const listed = (sound: Pcm | undefined): Pcm[] => (sound ? [sound] : []);
  return {
    decode: async (packet) => listed(aac.decode(packet)),
    flush: async () => listed(aac.flush()),
    free: () => {},
  };
}

/** Seconds of encoder delay before the audio, by the edit list. */
function readStart({ edts, mdia }: Track): number {
  const start = edts?.elst?.entries.find(({ media_time: time }) => time >= 0)?.media_time ?? 0;
  return mdia.mdhd.timescale > 0 ? start / mdia.mdhd.timescale : 0;
}

/** Drops the first `seconds` of the audio. */
async function* afterStart(seconds: number, sound: AsyncIterable<Pcm>): AsyncGenerator<Pcm> {
  let left: number | undefined;
  for await (const { channels, rate } of sound) {
    left ??= Math.round(seconds * rate);
    const passed = Math.min(left, channels[0]?.length ?? 0);
    left -= passed;
    yield { channels: channels.map((samples) => samples.subarray(passed)), rate };
  }
}

/** Ogg with Opus (RFC 7845), Vorbis or FLAC (RFC 9639 10.1). */
import { byteReader, nameOf, viewOf } from './byte-reader.ts';
import { createFlac, readFrameHeader } from './flac.ts';
import { joinPackets, readPages } from './ogg-pages.ts';
import type { OggPage } from './ogg-pages.ts';
import { createOpus, opusLayout } from './opus.ts';
import { createPacketDecoder } from './packet-decoder.ts';
import type { PacketDecoder } from './packet-decoder.ts';
import { unreadable, unsupported } from './pcm.ts';
import type { DecodeFormat, Pcm } from './pcm.ts';

/** Opus packets per decoder call: about a second. */
const packetsAtOnce = 50;

export const decodeOgg: DecodeFormat = async function* (read, onCut) {
  const pages = readPages(byteReader(read()));
  const first = (await pages.next()).value as OggPage | undefined;
  const start = first?.pieces[0];
  if (!first || !start) throw unreadable('it is damaged');
  const ofStream = filterStream(first, pages, onCut);
  const codec = nameOf(start.subarray(0, 8));
  if (codec === 'OpusHead') yield* decodeOpus(ofStream);
  else if (codec.startsWith('\u0001vorbis')) yield* decodeVorbis(ofStream, onCut);
  else if (codec.startsWith('\u007FFLAC')) yield* decodeFlac(ofStream, onCut);
  else if (codec.startsWith('Speex')) throw unsupported('Speex');
  else throw unsupported('a codec other than Opus, Vorbis and FLAC in Ogg');
};

/**
 * Yields the pages of the first stream; others may be multiplexed or follow. A stream without its last page is
 * truncated.
 */
async function* filterStream(
  first: OggPage,
  pages: AsyncIterable<OggPage>,
  onCut: () => void,
): AsyncGenerator<OggPage> {
  yield first;
  let isWhole = first.lastOfStream;
  for await (const page of pages) {
    if (page.stream !== first.stream) continue;
    isWhole ||= page.lastOfStream;
    yield page;
  }
  if (!isWhole) onCut();
}

async function* decodeOpus(pages: AsyncIterable<OggPage>): AsyncGenerator<Pcm> {
  const packets = joinPackets(pages);
  const head = (await packets.next()).value as Uint8Array;
  const opus = await createOpus(opusLayout(head.subarray(8)));
  try {
    // The second packet contains tags.
    await packets.next();
    let gathered: Uint8Array[] = [];
    for await (const packet of packets) {
      gathered.push(packet);
      if (gathered.length < packetsAtOnce) continue;
      yield* opus.decode(gathered);
      gathered = [];
    }
    yield* opus.decode(gathered);
  } finally {
    opus.free();
  }
}

/** Vorbis (Vorbis I, appendix A): three headers, of which the second contains tags, then packets. */
async function* decodeVorbis(pages: AsyncIterable<OggPage>, onCut: () => void): AsyncGenerator<Pcm> {
  /** Position at the end of the last page. */
  let end = 0;
  async function* marked(): AsyncGenerator<OggPage> {
    for await (const page of pages) {
      if (page.lastOfStream) end = page.position;
      yield page;
    }
  }
  const packets = joinPackets(marked());
  const heads: Uint8Array[] = [];
  let vorbis: PacketDecoder | undefined;
  let given = 0;
  /** Encoders pad the last packet; the position says where the audio ends. */
  const trimPadding = ({ channels, rate }: Pcm): Pcm => {
    const length = channels[0]?.length ?? 0;
    given += length;
    const filling = end > 0 ? Math.min(Math.max(given - end, 0), lastFilling, length) : 0;
    return { channels: channels.map((samples) => samples.subarray(0, length - filling)), rate };
  };
  for await (const packet of packets) {
    if (!vorbis) {
      heads.push(packet);
      if (heads.length < 3) continue;
      const [head, , setup] = heads as [Uint8Array, Uint8Array, Uint8Array];
      const description = Buffer.concat([head, setup]);
      vorbis = await createPacketDecoder({ codec: 'Vorbis', description, rate: readRate(head), onCut });
      continue;
    }
    const sound = vorbis.decode(packet);
    if (sound) yield trimPadding(sound);
  }
  const rest = vorbis?.flush();
  if (rest) yield trimPadding(rest);
}

/** Samples: the largest block of Vorbis. */
const lastFilling = 8192;

const readRate = (head: Uint8Array): number => {
  if (head.length < 16) throw unreadable('the description of its sound is damaged');
  return viewOf(head).getUint32(12, true);
};

async function* decodeFlac(pages: AsyncIterable<OggPage>, onCut: () => void): AsyncGenerator<Pcm> {
  const packets = joinPackets(pages);
  const head = (await packets.next()).value as Uint8Array;
  // The description follows a 13-byte Ogg header and the 4-byte block header.
  const flac = await createFlac(head.subarray(17), onCut);
  for await (const packet of packets) {
    const sound = readFrameHeader(packet, 0) && flac.decode(packet);
    if (sound) yield sound;
  }
  const rest = flac.flush();
  if (rest) yield rest;
}

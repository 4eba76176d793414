/** Ogg with Opus (RFC 7845), Vorbis or FLAC (RFC 9639 10.1). */
import { byteReader, nameOf, viewOf } from './byte-reader.ts';
import { createFlac, frameHead } from './flac.ts';
import { packetsOf, pagesOf } from './ogg-pages.ts';
import type { OggPage } from './ogg-pages.ts';
import { createOpus, opusLayout } from './opus.ts';
import { unreadable, unsupported } from './pcm.ts';
import type { DecodeFormat, Pcm } from './pcm.ts';
import { createShortFiles } from './short-files.ts';

/** Packets of Opus that are decoded at once: about a second. */
const packetsAtOnce = 50;
/** Samples at which a short file of Vorbis is full. */
const mostSamples = 1 << 18;

export const decodeOgg: DecodeFormat = async function* (read, onCut) {
  const pages = pagesOf(byteReader(read()));
  const first = (await pages.next()).value as OggPage | undefined;
  const start = first?.pieces[0];
  if (!first || !start) throw unreadable('it is damaged');
  const ofStream = streamOf(first, pages, onCut);
  const codec = nameOf(start.subarray(0, 8));
  if (codec === 'OpusHead') yield* decodeOpus(ofStream);
  else if (codec.startsWith('\u0001vorbis')) yield* decodeVorbis(ofStream);
  else if (codec.startsWith('\u007FFLAC')) yield* decodeFlac(ofStream);
  else if (codec.startsWith('Speex')) throw unsupported('Speex');
  else throw unsupported('a codec other than Opus, Vorbis and FLAC in Ogg');
};

/** The pages of the first stream alone: others may be mixed with it, or follow. A stream without its last page was cut off. */
async function* streamOf(first: OggPage, pages: AsyncIterable<OggPage>, onCut: () => void): AsyncGenerator<OggPage> {
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
  const packets = packetsOf(pages);
  const head = (await packets.next()).value as Uint8Array;
  const opus = await createOpus(opusLayout(head.subarray(8)));
  try {
    // The second packet has only tags.
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

/** Vorbis in short Ogg files: the pages with its three heads, the page before for the overlap, and some pages. */
async function* decodeVorbis(pages: AsyncIterable<OggPage>): AsyncGenerator<Pcm> {
  const heads: Uint8Array[] = [];
  let packets = 0;
  let decode: Awaited<ReturnType<typeof createShortFiles>> | undefined;
  let before: Uint8Array[] = [];
  let gathered: Uint8Array[] = [];
  let start = 0;
  let end = 0;
  async function* decodeGathered(): AsyncGenerator<Pcm> {
    if (decode && end > start) yield await decode([...heads, ...before, ...gathered], end - start);
    before = gathered.slice(-1);
    gathered = [];
    start = end;
  }
  for await (const { bytes, pieces, open, position } of pages) {
    if (packets < 3) {
      decode ??= await createShortFiles('Vorbis', rateOf(pieces[0]!));
      heads.push(bytes);
      packets += pieces.length - (open ? 1 : 0);
      continue;
    }
    gathered.push(bytes);
    if (position < 0) continue;
    if (position - start > 100 * mostSamples) throw unreadable('it is damaged');
    end = Math.max(end, position);
    if (end - start >= mostSamples) yield* decodeGathered();
  }
  yield* decodeGathered();
}

const rateOf = (head: Uint8Array): number => {
  if (head.length < 16) throw unreadable('the description of its sound is damaged');
  return viewOf(head).getUint32(12, true);
};

async function* decodeFlac(pages: AsyncIterable<OggPage>): AsyncGenerator<Pcm> {
  const packets = packetsOf(pages);
  const head = (await packets.next()).value as Uint8Array;
  // Its own head, `fLaC`, and the head of the block stand before the description.
  const flac = await createFlac(head.subarray(17));
  for await (const packet of packets) {
    const frame = frameHead(packet, 0);
    const sound = frame && (await flac.decode(packet, frame.samples));
    if (sound) yield sound;
  }
  const rest = await flac.flush();
  if (rest) yield rest;
}

/**
 * AAC packets, in short ADTS files (ISO/IEC 14496-3 1.A). Each begins with the last packets of the one before, since a packet's
 * sound overlaps the next.
 */
import { checkLayout, unreadable, unsupported } from './pcm.ts';
import type { Pcm } from './pcm.ts';
import { createShortFiles } from './short-files.ts';

const packetSamples = 1024;
/** Packets that are decoded again at the beginning of a file, for the overlap. */
const lead = 2;
/** Packets in a file: about 5 s at 44.1 kHz. */
const packetsAtOnce = 200;
const headBytes = 7;
const mostPacketBytes = 8191 - headBytes;
/** ISO/IEC 14496-3 table 1.18. */
const rates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];
const lowComplexity = 2;
/** Extensions of the low-complexity core, by which a decoder without them hears the core alone: enough for speech. */
const extended = new Set([5, 29]);

export interface AacDecoder {
  /** Takes a packet. The sound comes in pieces of some seconds. */
  decode(packet: Uint8Array): Promise<Pcm | undefined>;
  flush(): Promise<Pcm | undefined>;
}

/** `description` is an AudioSpecificConfig (ISO/IEC 14496-3 1.6.2.1). */
export async function createAac(description: Uint8Array): Promise<AacDecoder> {
  const [first = 0, second = 0] = description;
  const kind = first >> 3;
  const rateIndex = ((first & 7) << 1) | (second >> 7);
  const channels = (second >> 3) & 15;
  const rate = rates[rateIndex];
  if (kind !== lowComplexity && !extended.has(kind)) throw unsupported(`AAC of the kind ${kind}`);
  if (rate === undefined || channels > 7) throw unreadable('the description of its sound is damaged');
  if (channels === 0) throw unsupported('AAC with channels in an order of its own');
  checkLayout(rate, channels);
  const decodeFile = await createShortFiles('AAC', rate);
  let packets: Uint8Array[] = [];
  let repeated = 0;

  async function decodePackets(): Promise<Pcm | undefined> {
    const fresh = packets.length - repeated;
    if (fresh === 0) return undefined;
    const file = packets.flatMap((packet) => [adtsHead(packet.length, rateIndex, channels), packet]);
    packets = packets.slice(-lead);
    repeated = packets.length;
    return decodeFile(file, fresh * packetSamples);
  }

  return {
    async decode(packet) {
      if (packet.length > mostPacketBytes) throw unreadable('one of its packets is too large');
      if (packet.length > 0) packets.push(packet);
      return packets.length - repeated >= packetsAtOnce ? decodePackets() : undefined;
    },
    flush: decodePackets,
  };
}

function adtsHead(packetBytes: number, rateIndex: number, channels: number): Uint8Array {
  const length = packetBytes + headBytes;
  return Uint8Array.of(
    0xff,
    0xf1,
    ((lowComplexity - 1) << 6) | (rateIndex << 2) | (channels >> 2),
    ((channels & 3) << 6) | (length >> 11),
    (length >> 3) & 0xff,
    ((length & 7) << 5) | 0x1f,
    0xfc,
  );
}

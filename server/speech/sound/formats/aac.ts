/** AAC packets with an AudioSpecificConfig (ISO/IEC 14496-3 1.6.2.1). */
import { createPacketDecoder } from './packet-decoder.ts';
import type { PacketDecoder } from './packet-decoder.ts';
import { checkLayout, unreadable, unsupported } from './pcm.ts';

/** ISO/IEC 14496-3 table 1.18. */
const rates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];
const lowComplexity = 2;
/** Extensions of the low-complexity core. A decoder without them plays the core, which is enough for speech. */
const extended = new Set([5, 29]);

export async function createAac(description: Uint8Array, onCut: () => void): Promise<PacketDecoder> {
  const [first = 0, second = 0] = description;
  const kind = first >> 3;
  const rateIndex = ((first & 7) << 1) | (second >> 7);
  const channels = (second >> 3) & 15;
  const rate = rates[rateIndex];
  if (kind !== lowComplexity && !extended.has(kind)) throw unsupported(`AAC of the kind ${kind}`);
  if (rate === undefined || channels > 7) throw unreadable('the description of its sound is damaged');
  if (channels === 0) throw unsupported('AAC with channels in an order of its own');
  if (channels > 2) throw unsupported('AAC of more than two channels');
  checkLayout(rate, channels);
  const core = Uint8Array.of((lowComplexity << 3) | (rateIndex >> 1), ((rateIndex & 1) << 7) | (channels << 3));
  return createPacketDecoder({ codec: 'AAC', description: core, rate, onCut });
}

/** Opus packets, from any container. */
import { loadOptional } from '../../../../src/node/optional-packages.ts';
import { viewOf } from './byte-reader.ts';
import { checkLayout, toPcm, unreadable } from './pcm.ts';
import type { Pcm } from './pcm.ts';
import { soundRate } from '../samples.ts';

export interface OpusLayout {
  readonly channels: number;
  /** Samples at 48 kHz that precede the audio. */
  readonly preSkip: number;
  readonly channelMappingTable?: number[];
  readonly streamCount?: number;
  readonly coupledStreamCount?: number;
}

/** Parses an Opus header (RFC 7845 5.1), which MP4 (`dOps`) stores big-endian and without its first 8 bytes. */
export function opusLayout(head: Uint8Array, littleEndian = true): OpusLayout {
  if (head.length < 11) throw unreadable('the description of its sound is damaged');
  const view = viewOf(head);
  const channels = view.getUint8(1);
  const preSkip = view.getUint16(2, littleEndian);
  const family = view.getUint8(10);
  if (family === 0) return { channels, preSkip };
  if (head.length < 13 + channels) throw unreadable('the description of its sound is damaged');
  return {
    channels,
    preSkip,
    streamCount: view.getUint8(11),
    coupledStreamCount: view.getUint8(12),
    channelMappingTable: [...head.subarray(13, 13 + channels)],
  };
}

/** The decoder resamples to the recognisers' rate. */
export async function createOpus(layout: OpusLayout): Promise<{
  decode(packets: Uint8Array[]): Generator<Pcm>;
  free(): void;
}> {
  checkLayout(soundRate, layout.channels);
  const { channels, preSkip, streamCount, coupledStreamCount, channelMappingTable } = layout;
  const { OpusDecoder } = await loadOptional('sound', () => import('opus-decoder'));
  const decoder = new OpusDecoder({
    sampleRate: soundRate,
    channels,
    preSkip,
    ...(channelMappingTable && streamCount !== undefined && { streamCount, channelMappingTable }),
    ...(coupledStreamCount !== undefined && { coupledStreamCount }),
  });
  await decoder.ready;
  return { decode: (packets) => toPcm(decoder.decodeFrames(packets)), free: () => decoder.free() };
}

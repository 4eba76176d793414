/** WAV: PCM with 8 to 32 bits, floating point, A-law, µ-law, and the ADPCM of dictation devices. */
import { decoder as createDecoder } from '@audio/decode-wav';
import { byteReader, nameOf, viewOf } from './byte-reader.ts';
import type { ByteReader } from './byte-reader.ts';
import { checkLayout, unreadable, unsupported } from './pcm.ts';
import type { DecodeFormat } from './pcm.ts';

/** Bytes per decoder call. */
const pieceBytes = 32 * 1024;
/** Lengths from here on are invalid: a recorder that could not seek back leaves 0 or a huge number. */
const unknownBytes = 2 ** 30;
/** Limit for a format chunk; real ones have 16 to 50 bytes. */
const maxFormatBytes = 1024;

const linear = 1;
const float = 3;
const aLaw = 6;
const muLaw = 7;
const adpcm = new Set([2, 0x11]);
/** The real format follows in the chunk. */
const extensible = 0xfffe;

export const decodeWav: DecodeFormat = async function* (read, onCut) {
  const reader = byteReader(read());
  if (!(await reader.skip(12))) throw unreadable('it is shorter than the head of a WAV file');
  const { format, bytes: promised } = await readFormat(reader);
  const decoder = createDecoder();
  try {
    decoder.decode(createHeader(format));
    for (let left = promised; left > 0;) {
      const bytes = await reader.some(Math.min(left, pieceBytes));
      if (!bytes) {
        if (left < Infinity) onCut();
        return;
      }
      left -= bytes.length;
      const { channelData, sampleRate } = decoder.decode(bytes);
      if (channelData.length > 0) yield { channels: channelData, rate: sampleRate };
    }
  } finally {
    decoder.free();
  }
};

/** Skips to the audio. `bytes` is infinite if the file doesn't state the length. */
async function readFormat(reader: ByteReader): Promise<{ format: Uint8Array; bytes: number }> {
  let format: Uint8Array | undefined;
  for (;;) {
    const head = await reader.take(8);
    if (!head) throw unreadable('it ends before its sound begins');
    const size = viewOf(head).getUint32(4, true);
    const name = nameOf(head.subarray(0, 4));
    if (name === 'data') {
      if (!format) throw unreadable('its sound comes before the description of the sound');
      return { format, bytes: size === 0 || size >= unknownBytes ? Infinity : size };
    }
    const padded = size + (size % 2);
    if (name === 'fmt ') {
      if (size < 16 || size > maxFormatBytes) throw unreadable('the description of its sound is damaged');
      format = (await reader.take(padded))?.slice(0, size);
      if (!format) throw unreadable('it ends before its sound begins');
      checkFormat(format);
    } else if (!(await reader.skip(padded))) throw unreadable('it ends before its sound begins');
  }
}

function checkFormat(format: Uint8Array): void {
  const view = viewOf(format);
  const channels = view.getUint16(2, true);
  const block = view.getUint16(12, true);
  const bits = view.getUint16(14, true);
  checkLayout(view.getUint32(4, true), channels);
  const tag = view.getUint16(0, true);
  if (tag === extensible && format.length < 40) throw unreadable('the description of its sound is damaged');
  const codec = tag === extensible ? view.getUint16(24, true) : tag;
  if (adpcm.has(codec)) {
    const samples = format.length >= 20 ? view.getUint16(18, true) : 0;
    if (channels > 2 || block < 7 * channels || samples > 2 * block) {
      throw unreadable('the description of its sound is damaged');
    }
    return;
  }
  const depths: Readonly<Record<number, readonly number[]>> = {
    [linear]: [8, 16, 24, 32],
    [float]: [32, 64],
    [aLaw]: [8],
    [muLaw]: [8],
  };
  const depth = depths[codec];
  if (!depth) throw unsupported(`sound of the WAV format ${codec}`);
  if (!depth.includes(bits)) throw unsupported(`WAV sound of ${bits} bits`);
  if (block !== (channels * bits) / 8) throw unreadable('the description of its sound is damaged');
}

/** Builds an endless WAV header that gives the decoder the format. */
function createHeader(format: Uint8Array): Uint8Array {
  const head = Buffer.alloc(12 + 8 + format.length + 8);
  head.write('RIFF', 0);
  head.writeUInt32LE(0xffff_ffff, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(format.length, 16);
  head.set(format, 20);
  head.write('data', 20 + format.length);
  head.writeUInt32LE(0xffff_ffff, 24 + format.length);
  return head;
}

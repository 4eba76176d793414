import { wavHead, wavHeadBytes } from '../../../src/domain/dictation/wav.ts';

/** Makes a WAV file (RIFF, little-endian) from blocks of 16-bit PCM, mono. */
export function encodeWav(blocks: readonly ArrayBuffer[], sampleRate: number): ArrayBuffer {
  const bytes = blocks.reduce((sum, block) => sum + block.byteLength, 0);
  const file = new Uint8Array(wavHeadBytes + bytes);
  file.set(wavHead({ rate: sampleRate, bytes }));
  let at = wavHeadBytes;
  for (const block of blocks) {
    file.set(new Uint8Array(block), at);
    at += block.byteLength;
  }
  return file.buffer;
}

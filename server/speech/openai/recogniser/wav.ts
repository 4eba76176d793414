/** Sound as the file that is sent. */
import { wavHead, wavHeadBytes } from '../../../../src/domain/dictation/wav.ts';
import { soundRate } from '../../sound/rate.ts';

/** A WAV file of 16 bits and one channel. */
export function wavOf(samples: Float32Array): Uint8Array {
  const size = samples.length * 2;
  const bytes = Buffer.alloc(wavHeadBytes + size);
  bytes.set(wavHead({ rate: soundRate, bytes: size }));
  for (let at = 0; at < samples.length; at += 1) {
    const sample = Math.max(-1, Math.min(1, samples[at]!));
    bytes.writeInt16LE(Math.round(sample * 32_767), wavHeadBytes + at * 2);
  }
  return bytes;
}

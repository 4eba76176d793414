/** Sound as the file that is sent. */
import { soundRate } from '../../../sound/rate.ts';

/** A WAV file of 16 bits and one channel. */
export function wavOf(samples: Float32Array): Uint8Array {
  const bytes = Buffer.alloc(44 + samples.length * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + samples.length * 2, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(soundRate, 24);
  bytes.writeUInt32LE(soundRate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples.length * 2, 40);
  for (let at = 0; at < samples.length; at += 1) {
    const sample = Math.max(-1, Math.min(1, samples[at]!));
    bytes.writeInt16LE(Math.round(sample * 32_767), 44 + at * 2);
  }
  return bytes;
}

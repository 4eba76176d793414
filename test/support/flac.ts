/**
 * FLAC files made on the spot (RFC 9639), 16 bits, one channel: silence takes 16 bytes for each four seconds, so that a small file
 * holds hours.
 */

const frameSamples = 65_535;

export interface FlacOptions {
  readonly rate?: number;
  /** Samples of the whole that the file promises; default: what it has. */
  readonly promised?: number;
}

/** A FLAC file of the sounds one after the other; a number is that many samples of silence. */
export function flacOf(
  sounds: readonly (Float32Array | number)[],
  { rate = 16_000, promised }: FlacOptions = {},
): Buffer {
  const frames: Buffer[] = [];
  let total = 0;
  for (const sound of sounds) {
    const length = typeof sound === 'number' ? sound : sound.length;
    for (let at = 0; at < length; at += frameSamples) {
      const samples = Math.min(frameSamples, length - at);
      frames.push(frameOf(typeof sound === 'number' ? undefined : sound.subarray(at, at + samples), samples, total));
      total += samples;
    }
  }
  const description = Buffer.alloc(34);
  description.writeUInt16BE(16, 0);
  description.writeUInt16BE(frameSamples, 2);
  // 20 bits of rate, 3 of channels less one, 5 of bits a sample less one, 36 of samples.
  const packed = (BigInt(rate) << 44n) | (15n << 36n) | BigInt(promised ?? total);
  description.writeBigUInt64BE(packed, 10);
  return Buffer.concat([Buffer.from('fLaC'), Buffer.of(0x80, 0, 0, 34), description, ...frames]);
}

/** A frame of samples as they are, or of silence, which counts the samples before it. */
function frameOf(sound: Float32Array | undefined, samples: number, before: number): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(samples - 1);
  const head = Buffer.concat([Buffer.of(0xff, 0xf9, 0x70, 0x08), numbered(before), size]);
  const content = Buffer.alloc(sound ? 1 + 2 * samples : 3);
  if (sound) {
    content[0] = 1 << 1;
    for (const [at, sample] of sound.entries()) content.writeInt16BE(Math.round(sample * 32_767), 1 + 2 * at);
  }
  const frame = Buffer.concat([head, Buffer.of(checksum(head, 8, 0x07)), content]);
  const end = Buffer.alloc(2);
  end.writeUInt16BE(checksum(frame, 16, 0x8005));
  return Buffer.concat([frame, end]);
}

/** A number as UTF-8 writes characters, with up to seven bytes. */
function numbered(value: number): Buffer {
  const length = [7, 11, 16, 21, 26, 31, 36].findIndex((bits) => value < 2 ** bits) + 1;
  if (length === 1) return Buffer.of(value);
  const sixes = Array.from({ length }, (_, at) => Math.floor(value / 64 ** (length - 1 - at)) % 64);
  const [first = 0, ...rest] = sixes;
  return Buffer.of(((0xff << (8 - length)) & 0xff) | first, ...rest.map((six) => 0x80 | six));
}

function checksum(bytes: Uint8Array, bits: 8 | 16, polynomial: number): number {
  const top = 1 << (bits - 1);
  const mask = 2 ** bits - 1;
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit++) sum = ((sum << 1) ^ (sum & top ? polynomial : 0)) & mask;
  }
  return sum;
}

/** Sound made on the spot: the tones of the tone model (tone-model.ts), and WAV files of every kind. */

/** Seconds of a tone. */
export const toneSeconds = 0.4;
const fadeSeconds = 0.025;
const mel = (hertz: number): number => 1127 * Math.log(1 + hertz / 700);
const hertz = (mels: number): number => 700 * (Math.exp(mels / 1127) - 1);

/** The pitch of the tone with this number, from 0 to 7: the middle of an eighth of the mel scale from 20 to 7,600 Hz. */
export const pitchOf = (tone: number): number => hertz(mel(20) + ((mel(7600) - mel(20)) * (tone + 0.5)) / 8);

/** The tones one after the other; `null` is silence of the same length. */
export function tones(numbers: readonly (number | null)[], { rate = 16_000, amplitude = 0.5 } = {}): Float32Array {
  const length = Math.round(toneSeconds * rate);
  const sound = new Float32Array(length * numbers.length);
  for (const [place, tone] of numbers.entries()) {
    if (tone === null) continue;
    const step = (2 * Math.PI * pitchOf(tone)) / rate;
    for (let i = 0; i < length; i++) {
      const fade = Math.min(1, i / (fadeSeconds * rate), (length - 1 - i) / (fadeSeconds * rate));
      sound[place * length + i] = amplitude * fade * Math.sin(step * i);
    }
  }
  return sound;
}

/** The samples as live transcriptions take them: 16 bits, the low byte first. */
export const pcmOf = (samples: Float32Array): Buffer =>
  Buffer.from(Int16Array.from(samples, (sample) => Math.round(sample * 32_767)).buffer);

/** "coração pulmão fígado rim" for the tone model. */
export const organs = [0, 1, 2, 3, 4, 5, 6] as const;

interface Encoding {
  /** The number of the format in a WAV file. */
  readonly format: number;
  readonly bits: number;
  write(to: Buffer, sample: number, at: number): unknown;
}

const scaled = (sample: number, bits: number): number => Math.round(sample * (2 ** (bits - 1) - 1));

/** G.711: segment and step of a sample. */
const muLaw = (sample: number): number => {
  const value = Math.min(32635, Math.abs(scaled(sample, 16))) + 132;
  const segment = 24 - Math.clz32(value);
  return ~((sample < 0 ? 0x80 : 0) | (segment << 4) | ((value >> (segment + 3)) & 15)) & 0xff;
};
const aLaw = (sample: number): number => {
  const value = Math.min(32767, Math.abs(scaled(sample, 16))) >> 3;
  const segment = Math.max(0, 27 - Math.clz32(value));
  const step = (value >> Math.max(1, segment)) & 15;
  return ((sample < 0 ? 0 : 0x80) | (segment << 4) | step) ^ 0x55;
};

export const encodings = {
  'PCM of 8 bits': { format: 1, bits: 8, write: (to, sample, at) => to.writeUInt8(128 + scaled(sample, 8), at) },
  'PCM of 16 bits': { format: 1, bits: 16, write: (to, sample, at) => to.writeInt16LE(scaled(sample, 16), at) },
  'PCM of 24 bits': { format: 1, bits: 24, write: (to, sample, at) => to.writeIntLE(scaled(sample, 24), at, 3) },
  'PCM of 32 bits': { format: 1, bits: 32, write: (to, sample, at) => to.writeInt32LE(scaled(sample, 32), at) },
  'floats of 32 bits': { format: 3, bits: 32, write: (to, sample, at) => to.writeFloatLE(sample, at) },
  'floats of 64 bits': { format: 3, bits: 64, write: (to, sample, at) => to.writeDoubleLE(sample, at) },
  'A-law': { format: 6, bits: 8, write: (to, sample, at) => to.writeUInt8(aLaw(sample), at) },
  'µ-law': { format: 7, bits: 8, write: (to, sample, at) => to.writeUInt8(muLaw(sample), at) },
} as const satisfies Record<string, Encoding>;
export type EncodingName = keyof typeof encodings;

interface WavOptions {
  readonly rate?: number;
  readonly encoding?: EncodingName;
  /** With the longer description that tells the format only in its end. */
  readonly extensible?: boolean;
  /** Bytes of the sound that the head promises; default: what there is. */
  readonly promised?: number;
  /** Other chunks before the sound. */
  readonly before?: Uint8Array;
}

/** A WAV file of these channels. */
export function wavOf(
  channels: readonly Float32Array[],
  {
    rate = 16_000,
    encoding = 'PCM of 16 bits',
    extensible = false,
    promised,
    before = Buffer.alloc(0),
  }: WavOptions = {},
): Buffer {
  const { format, bits, write }: Encoding = encodings[encoding];
  const bytes = bits / 8;
  const block = bytes * channels.length;
  const length = channels[0]?.length ?? 0;
  const description = Buffer.alloc(extensible ? 40 : 16);
  description.writeUInt16LE(extensible ? 0xfffe : format, 0);
  description.writeUInt16LE(channels.length, 2);
  description.writeUInt32LE(rate, 4);
  description.writeUInt32LE(rate * block, 8);
  description.writeUInt16LE(block, 12);
  description.writeUInt16LE(bits, 14);
  if (extensible) description.writeUInt16LE(format, 24);
  const sound = Buffer.alloc(length * block);
  for (let i = 0; i < length; i++) {
    for (const [channel, samples] of channels.entries()) write(sound, samples[i]!, i * block + channel * bytes);
  }
  const chunks = [chunk('fmt ', description), before, chunk('data', sound, promised)];
  return Buffer.concat([chunk('RIFF', Buffer.from('WAVE'), Buffer.concat(chunks).length + 4), ...chunks]);
}

/** A chunk of a RIFF file; `promised`: the number of bytes that its head states. */
export function chunk(name: string, content: Uint8Array, promised = content.length): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 0);
  head.writeUInt32LE(promised, 4);
  return Buffer.concat([head, content]);
}

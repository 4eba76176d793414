/** Makes one channel of several, of any sampling rate. */
import LibSampleRate from '@alexanderolsen/libsamplerate-js';
import type { Pcm } from './formats/pcm.ts';
import { createMixer } from './mix.ts';
import { soundRate } from './rate.ts';

/** Pieces in a second in which several channels are mixed. */
const pieces = 50;
/** Samples of silence after which the resampler has given everything: its filter is shorter. */
const tail = 1024;

/** The sound in one channel at `soundRate`. */
export async function* mono(sound: AsyncIterable<Pcm>): AsyncGenerator<Float32Array> {
  const mix = createMixer();
  let present: Resampler | undefined;
  try {
    for await (const { channels, rate } of sound) {
      if (present?.rate !== rate) {
        if (present) yield present.flush();
        present?.free();
        present = await createResampler(rate);
      }
      const length = channels[0]?.length ?? 0;
      const most = channels.length === 1 ? rate : Math.ceil(rate / pieces);
      for (let at = 0; at < length; at += most) {
        yield present.resample(mix(channels.map((samples) => samples.subarray(at, at + most))));
      }
    }
    if (present) yield present.flush();
  } finally {
    present?.free();
  }
}

interface Resampler {
  readonly rate: number;
  resample(samples: Float32Array): Float32Array;
  /** The end of the sound, which the filter still holds. */
  flush(): Float32Array;
  free(): void;
}

async function createResampler(rate: number): Promise<Resampler> {
  if (rate === soundRate) {
    return { rate, resample: (samples) => samples, flush: () => new Float32Array(), free: () => {} };
  }
  const { create, ConverterType } = LibSampleRate;
  // The fastest filter passes four fifths of the range: of 8 kHz too little, of 44.1 kHz all that speech has.
  const converterType = rate < soundRate ? ConverterType.SRC_SINC_MEDIUM_QUALITY : ConverterType.SRC_SINC_FASTEST;
  const source = await create(1, rate, soundRate, { converterType });
  let taken = 0;
  let given = 0;
  const resample = (samples: Float32Array): Float32Array => {
    const resampled = source.full(samples);
    given += resampled.length;
    return resampled;
  };
  return {
    rate,
    resample(samples) {
      taken += samples.length;
      return resample(samples);
    },
    flush() {
      const missing = Math.max(0, Math.round((taken * soundRate) / rate) - given);
      return resample(new Float32Array(tail)).subarray(0, missing);
    },
    free: () => source.destroy(),
  };
}

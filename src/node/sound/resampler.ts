/** Converts sound of any sampling rate to that of speech recognisers. */
import { loadOptional } from '../optional-packages.ts';

/** Samples of silence after which the resampler has returned everything: its filter is shorter. */
const tail = 1024;

export interface Resampler {
  readonly rate: number;
  resample(samples: Float32Array): Float32Array;
  /** The end of the sound, which the filter still holds. */
  flush(): Float32Array;
  free(): void;
}

/** Converts samples at `rate` to samples at `wanted` per second, both from -1 to 1. Deterministic. */
export async function createResampler(rate: number, wanted: number): Promise<Resampler> {
  if (rate === wanted) {
    return { rate, resample: (samples) => samples, flush: () => new Float32Array(), free: () => {} };
  }
  // Two megabytes, which no server needs to load before it is ready.
  const { create, ConverterType } = (await loadOptional('sound', () => import('@alexanderolsen/libsamplerate-js')))
    .default;
  // The fastest filter passes four fifths of the range: of 8 kHz too little, of 44.1 kHz all that speech has.
  const converterType = rate < wanted ? ConverterType.SRC_SINC_MEDIUM_QUALITY : ConverterType.SRC_SINC_FASTEST;
  const source = await create(1, rate, wanted, { converterType });
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
      const missing = Math.max(0, Math.round((taken * wanted) / rate) - given);
      return resample(new Float32Array(tail)).subarray(0, missing);
    },
    free: () => source.destroy(),
  };
}

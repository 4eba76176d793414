/** Samples per second of the recognisers' input: one channel, from -1 to 1. */
export const soundRate = 16_000;

/** The value of a sample outside the sound. Loops over samples read by index, which takes a tenth of the time of iterators. */
export const silence = 0;

/** Converts to samples from -1 to 1. */
export function toFloats(samples: Int16Array): Float32Array {
  const floats = new Float32Array(samples.length);
  for (let at = 0; at < samples.length; at++) floats[at] = (samples[at] ?? silence) / 32_768;
  return floats;
}

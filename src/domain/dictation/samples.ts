/** The samples of 16-bit little-endian signed PCM, each a number from -1 up to 1. */
export function decodeSamples(pcm: Uint8Array): Float32Array {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  const samples = new Float32Array(Math.floor(pcm.length / 2));
  // A loop takes a tenth of the time of `Float32Array.from`, and sound is converted all the time.
  for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(at * 2, true) / 32_768;
  return samples;
}

/** Samples from -1 to 1 as 16-bit little-endian signed PCM. */
export function encodeSamples(samples: Float32Array): Uint8Array {
  const pcm = new Uint8Array(samples.length * 2);
  const view = new DataView(pcm.buffer);
  samples.forEach((sample, at) =>
    view.setInt16(at * 2, Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))), true),
  );
  return pcm;
}

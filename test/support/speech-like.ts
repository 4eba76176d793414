/** Sound that counts as a voice at given times, and as silence elsewhere. */

const rate = 16_000;
/** Hertz, and the share of the full scale. */
const [pitch, level] = [180, 0.3];

/** Samples with a voice in each span of seconds, and a moment of silence at both ends. */
export function speechLike(voices: readonly (readonly [from: number, to: number])[]): Float32Array {
  const end = voices.reduce((latest, [, to]) => Math.max(latest, to), 0);
  const samples = new Float32Array(Math.ceil((end + 0.6) * rate));
  for (const [from, to] of voices) {
    for (let at = Math.floor(from * rate); at < to * rate; at += 1) {
      // Syllables fade in and out.
      const fade = Math.sin((Math.PI * (at / rate - from)) / (to - from));
      samples[at] = level * fade * Math.sin((2 * Math.PI * pitch * at) / rate);
    }
  }
  return samples;
}

/** Speech of tones: each word is a tone of its own, which a test can hear again in any part of the sound. */

const rate = 16_000;
const lexicon =
  'sem derrame nódulo direita esquerda cisto fígado normal dois seis milímetros lobo não há rim baço'.split(' ');
const lowest = 300;
const step = 50;

export interface ToneWord {
  readonly text: string;
  /** In seconds. */
  readonly from: number;
  readonly to: number;
}

export const toneLexicon: readonly string[] = lexicon;

/** A tone of the word in a sound of 16 kHz, which begins at sample 0 of a word. */
const toneAt = (word: string, at: number): number =>
  0.3 * Math.sin((2 * Math.PI * (lowest + step * lexicon.indexOf(word)) * at) / rate);

/** The sound of the words, as it is from -1 to 1. */
export function saidInTones(words: readonly ToneWord[], seconds: number): Float32Array {
  const samples = new Float32Array(Math.round(seconds * rate));
  for (const { text, from, to } of words) {
    const first = Math.round(from * rate);
    for (let at = first; at < Math.min(samples.length, Math.round(to * rate)); at += 1) {
      samples[at] = toneAt(text, at - first);
    }
  }
  return samples;
}

/** The words of a sound, by the number of times that it goes through zero; what is too short to tell is no word. */
export function toneWords(samples: Float32Array): ToneWord[] {
  const words: ToneWord[] = [];
  const frame = rate / 100;
  let first = -1;
  for (let at = 0; at <= samples.length; at += frame) {
    const isLoud = at + frame <= samples.length && loudest(samples, at, at + frame) > 0.05;
    if (isLoud && first < 0) first = at;
    if (isLoud || first < 0) continue;
    const text = wordIn(samples, first, at);
    if (text !== undefined) words.push({ text, from: first / rate, to: at / rate });
    first = -1;
  }
  return words;
}

function loudest(samples: Float32Array, from: number, to: number): number {
  let most = 0;
  for (let at = from; at < to; at += 1) most = Math.max(most, Math.abs(samples[at]!));
  return most;
}

function wordIn(samples: Float32Array, from: number, to: number): string | undefined {
  const crossings: number[] = [];
  for (let at = from + 1; at < to; at += 1) {
    if (samples[at - 1]! < 0 && samples[at]! >= 0) crossings.push(at);
  }
  // Half a word is heard as another one, or as none.
  if (crossings.length < 20) return undefined;
  const hertz = ((crossings.length - 1) * rate) / (crossings.at(-1)! - crossings[0]!);
  return lexicon[Math.round((hertz - lowest) / step)];
}

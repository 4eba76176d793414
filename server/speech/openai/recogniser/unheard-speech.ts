/** Finds speech without words by the times of responses. */
import type { SoundSpan } from '../../../../src/domain/heard-text.ts';
import type { SoundPiece } from '../../sound/pieces.ts';
import type { Segment } from './answers.ts';

/** Seconds by which the times of words may be wrong. */
const tolerance = 0.5;
/** Seconds of voice that must contain words; a cough or a chair is shorter. */
const minVoice = 2;
/** Seconds of silence that end a stretch of speech; equal to the tolerance on both sides of a word. */
const pause = 2 * tolerance;

/** Where a piece has voice, and where its response has words; in seconds of the whole audio. */
export interface Coverage {
  readonly voices: readonly SoundSpan[];
  readonly words: readonly SoundSpan[];
}

/** `toWhole` converts times of the piece to times of the audio. */
export function measureCoverage(
  { samples, voices }: Pick<SoundPiece, 'samples' | 'voices'>,
  segments: readonly Segment[],
  rate: number,
  toWhole: (at: number) => number,
): Coverage {
  const reported = segments.flatMap((segment) => [segment, ...segment.words.flatMap(({ data: known }) => known ?? [])]);
  const timed = reported.flatMap(({ from, to }) => (from === undefined || to === undefined ? [] : [{ from, to }]));
  // Words without times may be anywhere in the piece.
  const isUntimed = timed.length === 0 && segments.some(({ words }) => words.length > 0);
  const seconds = samples.length / rate;
  const words = isUntimed ? [{ from: 0, to: seconds }] : timed;
  const inWhole = ({ from, to }: SoundSpan): SoundSpan => ({
    from: toWhole(Math.max(0, from)),
    to: toWhole(Math.min(seconds, to)),
  });
  return { voices: voices.map(inWhole), words: words.map(inWhole) };
}

/** Returns stretches with at least two seconds of voice and no words. */
export function findUnheard(pieces: readonly Coverage[]): SoundSpan[] {
  const byTime = (a: SoundSpan, b: SoundSpan): number => a.from - b.from;
  const covered = pieces
    .flatMap(({ words }) => words)
    .map(({ from, to }) => ({ from: from - tolerance, to: to + tolerance }))
    .toSorted(byTime);
  const stretches: { from: number; to: number; voiced: number }[] = [];
  for (const voice of pieces.flatMap(({ voices }) => voices).toSorted(byTime)) {
    // Words that end before this voice cannot cover later ones.
    while (covered[0] && covered[0].to <= voice.from) covered.shift();
    for (const { from, to } of subtractWords(voice, covered)) {
      const last = stretches.at(-1);
      if (last && from - last.to < pause) {
        last.voiced += Math.max(0, to - Math.max(from, last.to));
        last.to = Math.max(last.to, to);
      } else stretches.push({ from, to, voiced: to - from });
    }
  }
  return stretches.filter(({ voiced }) => voiced >= minVoice).map(({ from, to }) => ({ from, to }));
}

/** Returns the uncovered parts of a voice; `covered` is sorted by time. */
function subtractWords(voice: SoundSpan, covered: readonly SoundSpan[]): SoundSpan[] {
  const left: SoundSpan[] = [];
  let { from } = voice;
  for (const word of covered) {
    if (word.from >= voice.to) break;
    if (word.from > from) left.push({ from, to: word.from });
    from = Math.max(from, word.to);
  }
  return from < voice.to ? [...left, { from, to: voice.to }] : left;
}

/** Finds speech without words by the times of the words. */
import type { SoundSpan } from '../../../src/domain/heard-text.ts';
import type { Transcript } from './join-pieces.ts';
import type { Word } from './words.ts';

/** Seconds by which the times of words may be wrong. */
const tolerance = 0.5;
/** Seconds of voice that must contain words; a cough or a chair is shorter. */
const minVoice = 1.5;
/** Seconds of silence that end a stretch of speech; equal to the tolerance on both sides of a word. */
const pause = 2 * tolerance;
/** Seconds that a word takes at most, and a number. Models stretch a word over speech that they leave out. */
const maxWordSeconds = { plain: 2, number: 4 };

/** Where there is voice, and where there are words; in seconds of the same sound. */
export interface Coverage {
  readonly voices: readonly SoundSpan[];
  readonly words: readonly SoundSpan[];
}

/** `seconds`: length of the sound. */
export function measureCoverage(
  voices: readonly SoundSpan[],
  { words, suppressed }: Transcript,
  seconds: number,
): Coverage {
  const spans: SoundSpan[] = suppressed.flatMap(({ from, to }) =>
    from === undefined || to === undefined ? [] : [{ from, to }],
  );
  let end = 0;
  for (let at = 0; at < words.length;) {
    const { from, to } = words[at]?.data ?? {};
    const next = words.findIndex(({ data }, place) => place > at && data !== words[at]?.data);
    const stop = next < 0 ? words.length : next;
    if (from === undefined || to === undefined) {
      // Words without times may be anywhere up to the next one with a time.
      const known = words.slice(at).find(({ data }) => data?.from !== undefined);
      spans.push({ from: end, to: known?.data?.from ?? seconds });
    } else {
      const limit = words.slice(at, stop).reduce((sum, word) => sum + maxSeconds(word), 0);
      spans.push({ from, to: Math.min(to, from + limit) });
      end = to;
    }
    at = stop;
  }
  return { voices, words: spans };
}

const maxSeconds = ({ text }: Word): number => (/\d/.test(text) ? maxWordSeconds.number : maxWordSeconds.plain);

/** Returns stretches with at least that much voice and no words. */
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

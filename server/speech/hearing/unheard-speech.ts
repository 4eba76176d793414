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
  let hasUntimed = false;
  // Words without times may be anywhere between those with times.
  const coverUntimed = (to: number): void => {
    if (hasUntimed) spans.push({ from: end, to });
    hasUntimed = false;
  };
  for (const { data: { from, to } = {}, limit } of groupWords(words)) {
    if (from === undefined || to === undefined) hasUntimed = true;
    else {
      coverUntimed(from);
      spans.push({ from, to: Math.min(to, from + limit) });
      end = to;
    }
  }
  coverUntimed(seconds);
  return { voices, words: spans };
}

/** Words with the same data, and the seconds that they take at most. */
function groupWords(words: readonly Word[]): readonly { readonly data?: Word['data']; readonly limit: number }[] {
  const groups: { data?: Word['data']; limit: number }[] = [];
  for (const word of words) {
    const last = groups.at(-1);
    if (last && last.data === word.data) last.limit += maxSeconds(word);
    else groups.push({ data: word.data, limit: maxSeconds(word) });
  }
  return groups;
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

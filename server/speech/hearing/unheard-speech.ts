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
/** The same by the pace of the dictation: so many seconds, and so many times what the letters take; a digit is a word. */
const stretch = { seconds: 0.5, times: 2.5, lettersOfDigit: 8 };
/** The fewest words with their own times that show a pace, and the letters that they have at least. */
const enoughWords = { count: 6, letters: 4 };

/** How speech without words is found. */
interface HoleSize {
  readonly tolerance: number;
  readonly minVoice: number;
}
/** About these a person is asked. */
const reported: HoleSize = { tolerance, minVoice };
/** These are heard again where words show a pace, since their times are exact: a breath has no words then either. */
const fine: HoleSize = { tolerance: 0.25, minVoice: 0.8 };

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
  for (const { data: { from, to } = {}, limit } of groupWords(words, measurePace(words))) {
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
function groupWords(
  words: readonly Word[],
  pace: number | undefined,
): readonly { readonly data?: Word['data']; readonly limit: number }[] {
  const groups: { data?: Word['data']; limit: number }[] = [];
  for (const word of words) {
    const last = groups.at(-1);
    if (last && last.data === word.data) last.limit += maxSeconds(word, pace);
    else groups.push({ data: word.data, limit: maxSeconds(word, pace) });
  }
  return groups;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

function maxSeconds({ text }: Word, pace: number | undefined): number {
  const digits = count(text, /\d/g);
  const max = digits > 0 ? maxWordSeconds.number : maxWordSeconds.plain;
  if (pace === undefined) return max;
  const letters = count(text, /\p{L}/gu) + stretch.lettersOfDigit * digits;
  return Math.min(max, stretch.seconds + stretch.times * pace * letters);
}

/** The words that have their own times, not those of a segment. */
const findTimed = (words: readonly Word[]): Word[] =>
  words.filter(
    ({ data }, at) => data?.from !== undefined && words[at - 1]?.data !== data && words[at + 1]?.data !== data,
  );

/** Seconds that a letter takes in this dictation: the median of its words; `undefined` if few words show it. */
function measurePace(words: readonly Word[]): number | undefined {
  const paces = findTimed(words).flatMap(({ text, data: { from = 0, to = 0 } = {} }) => {
    const letters = count(text, /\p{L}/gu);
    return letters >= enoughWords.letters && !/\d/.test(text) ? [(to - from) / letters] : [];
  });
  return paces.length < enoughWords.count ? undefined : paces.toSorted((a, b) => a - b)[paces.length >> 1];
}

/** Returns the stretches of a piece that are to be heard again. */
export function findHoles(voices: readonly SoundSpan[], heard: Transcript, seconds: number): SoundSpan[] {
  const isExact = measurePace(heard.words) !== undefined;
  return findUnheard([measureCoverage(voices, heard, seconds)], isExact ? fine : reported);
}

/** Returns stretches with at least that much voice and no words. */
export function findUnheard(
  pieces: readonly Coverage[],
  { tolerance: around, minVoice: min }: HoleSize = reported,
): SoundSpan[] {
  const byTime = (a: SoundSpan, b: SoundSpan): number => a.from - b.from;
  const covered = pieces
    .flatMap(({ words }) => words)
    .map(({ from, to }) => ({ from: from - around, to: to + around }))
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
  return stretches.filter(({ voiced }) => voiced >= min).map(({ from, to }) => ({ from, to }));
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

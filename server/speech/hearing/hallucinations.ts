/** Detects hallucinations: on silence, speech models repeat their prompt or write typical subtitles. */
import type { SuppressedText } from '../../../src/domain/heard-text.ts';
import { hasLoop, isMadeUp } from '../../../src/domain/recogniser-noise.ts';
import { fold } from '../../../src/domain/fold.ts';
import type { Segment, Word } from './words.ts';

export interface SentSound {
  /** The terms of the prompt. */
  readonly terms: readonly string[];
  /** Length of the audio in seconds. */
  readonly seconds: number;
  /** Seconds with a voice. */
  readonly voiced: number;
}

/** Whisper's own thresholds: an unlikely segment over probable silence is made up. */
const minLogprob = -1;
const maxNoSpeech = 0.6;
/** Dictated words compress to a half or a third, an endless repetition to far less. */
const maxCompression = 4;
/** Faster than anybody speaks. */
const maxWordsPerSecond = 9;
/** Longer speech is certainly speech. */
const shortSpeech = 2;
/** A segment that is a single term of this many words is an echo. */
const longTerm = 4;
/** Three terms in the order of the prompt are an echo. Fewer may be dictated, such as the exam's name. */
const minTerms = 3;
/** Terms in order that are an echo though other words of the segment were said. */
const minTermsAmongSpeech = 4;

/** Why the segment was not said; `undefined` if it probably was. */
export function findSuppressionReason(segment: Segment, sent: SentSound): SuppressedText['reason'] | undefined {
  const { words, from, logprob, noSpeech } = segment;
  if (words.length === 0) return undefined;
  if (isEcho(words, sent.terms) || isLongTerm(words, sent.terms)) return 'echo';
  const isSilence =
    (noSpeech !== undefined && noSpeech > maxNoSpeech && logprob !== undefined && logprob < minLogprob) ||
    (from !== undefined && from >= sent.seconds) ||
    (sent.voiced < shortSpeech && words.length > 3 && words.length > maxWordsPerSecond * (sent.voiced + 0.3)) ||
    isMadeUp(words.map(({ text }) => text).join(' '));
  if (isSilence) return 'silence';
  // A loop that is visible in the words is removed there, which keeps the rest.
  const isLoop =
    segment.compression !== undefined &&
    segment.compression > maxCompression &&
    !hasLoop(words.map(({ text }) => text).join(' '));
  return isLoop ? 'loop' : undefined;
}

const keyOf = (texts: readonly string[]): string =>
  texts.flatMap((text) => fold(text.normalize('NFC')).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

const isLongTerm = (words: readonly Word[], terms: readonly string[]): boolean => {
  const said = keyOf(words.map(({ text }) => text));
  return said.split(' ').length >= longTerm && terms.some((term) => keyOf([term]) === said);
};

/** Whether the words are at least three terms of the prompt in order, possibly repeated. */
function isEcho(words: readonly Word[], terms: readonly string[]): boolean {
  const said = keyOf(words.map(({ text }) => text));
  const keys = terms.map((term) => keyOf([term]));
  return keys.some((_, first) => {
    const round = [...keys.slice(first), ...keys.slice(0, first)];
    const times = Math.ceil(Math.max(minTerms, said.length) / round.length) + 1;
    const rounds = Array.from({ length: times }, () => round).flat();
    return said.length >= rounds.slice(0, minTerms).join(' ').length && rounds.join(' ').startsWith(said);
  });
}

/** Words of a segment: those of the prompt at its beginning and end, and what was said. */
export interface SplitSegment {
  readonly echoes: { readonly before: readonly Word[]; readonly behind: readonly Word[] };
  readonly said: readonly Word[];
}

/** Separates an echo of the prompt from speech in the same segment. */
export function splitEcho(words: readonly Word[], terms: readonly string[]): SplitSegment {
  const keys = terms.map((term) => keyOf([term]).split(' '));
  const texts = words.map(({ text }) => keyOf([text]));
  const begin = findEchoEnd(texts, 0, keys);
  const last = texts.findIndex((_, at) => at >= begin && findEchoEnd(texts, at, keys) === texts.length);
  const end = last < 0 ? words.length : last;
  return {
    echoes: { before: words.slice(0, begin), behind: words.slice(end) },
    said: words.slice(begin, end),
  };
}

/** The end of an echo that begins at this word; `at` if none does. */
function findEchoEnd(texts: readonly string[], at: number, terms: readonly (readonly string[])[]): number {
  for (const first of terms.keys()) {
    let [end, count] = [at, 0];
    for (; ; count += 1) {
      const term = terms[(first + count) % terms.length] ?? [];
      if (term[0] === '' || !term.every((word, place) => texts[end + place] === word)) break;
      end += term.length;
    }
    if (count >= minTermsAmongSpeech) return end;
  }
  return at;
}

/**
 * Tells what was said from what a speech model made up: models that hear nothing repeat the words that they were given to
 * expect, or write what often stands below films.
 */
import type { SuppressedText } from '../../../../src/domain/heard-text.ts';
import { hasLoop, isMadeUp } from '../../../../src/domain/recogniser-noise.ts';
import { fold } from '../../../../src/domain/fold.ts';
import type { Segment, Word } from './answers.ts';

export interface Sent {
  /** The terms of the prompt. */
  readonly terms: readonly string[];
  /** Seconds of what was sent. */
  readonly seconds: number;
  /** Seconds in which there is a voice. */
  readonly voiced: number;
}

/** Below this mean logarithm a segment over probable silence was made up (as Whisper decides by itself). */
const leastLogprob = -1;
const mostNoSpeech = 0.6;
/** Words of a dictation are compressed to a half or a third, and a phrase that never ends to far less. */
const mostCompression = 4;
/** Nobody says more words in a second. */
const mostWordsPerSecond = 9;
/** In longer speech there is no doubt that somebody speaks. */
const shortSpeech = 2;
/** A term of so many words, alone in a segment, is the prompt given back. */
const longTerm = 4;
/** So many terms in the order of the prompt are the prompt; fewer may well be said, as the name of the exam is. */
const fewestTerms = 3;

/** Why nobody said the segment; `undefined`: somebody did, as far as one can tell. */
export function reasonFor(segment: Segment, sent: Sent): SuppressedText['reason'] | undefined {
  const { words, from, logprob, noSpeech } = segment;
  if (words.length === 0) return undefined;
  if (isEcho(words, sent.terms) || isLongTerm(words, sent.terms)) return 'echo';
  const isSilence =
    (noSpeech !== undefined && noSpeech > mostNoSpeech && logprob !== undefined && logprob < leastLogprob) ||
    (from !== undefined && from >= sent.seconds) ||
    (sent.voiced < shortSpeech && words.length > 3 && words.length > mostWordsPerSecond * (sent.voiced + 0.3)) ||
    isMadeUp(words.map(({ text }) => text).join(' '));
  if (isSilence) return 'silence';
  // A loop that shows in the words is taken out of them, and what was said stays.
  const isLoop =
    segment.compression !== undefined &&
    segment.compression > mostCompression &&
    !hasLoop(words.map(({ text }) => text).join(' '));
  return isLoop ? 'loop' : undefined;
}

const keyOf = (texts: readonly string[]): string =>
  texts.flatMap((text) => fold(text.normalize('NFC')).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

const isLongTerm = (words: readonly Word[], terms: readonly string[]): boolean => {
  const said = keyOf(words.map(({ text }) => text));
  return said.split(' ').length >= longTerm && terms.some((term) => keyOf([term]) === said);
};

/** Whether the words are at least three of the prompt's terms in its order, once or again and again. */
function isEcho(words: readonly Word[], terms: readonly string[]): boolean {
  const said = keyOf(words.map(({ text }) => text));
  const keys = terms.map((term) => keyOf([term]));
  return keys.some((_, first) => {
    const round = [...keys.slice(first), ...keys.slice(0, first)];
    const times = Math.ceil(Math.max(fewestTerms, said.length) / round.length) + 1;
    const rounds = Array.from({ length: times }, () => round).flat();
    return said.length >= rounds.slice(0, fewestTerms).join(' ').length && rounds.join(' ').startsWith(said);
  });
}

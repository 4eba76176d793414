/** The words of a dictation, with their times and their places in the report. */
import type { HeardWord } from '../../domain/heard-text.ts';
import { cutRun } from './edits.ts';
import { findFirstIndex } from '../../domain/binary-search.ts';
import type { Run } from './provenance.ts';
import type { Span } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';
import { isHeard } from './provenance.ts';

/** Words of a section. */
export interface Place extends Span {
  readonly section: string;
}

/** A word at its place in the transcript. */
export interface SaidWord extends HeardWord {
  /** The report's words for it. None: it was a command, or was deleted. */
  readonly places: readonly Place[];
}

/** The words in the order of the transcript. `runs`: the origins of the report's words. */
export function saidWords(runs: readonly Run[], heard: readonly HeardWord[]): SaidWord[] {
  const spoken = wholeConversions(runs)
    .filter(isHeard)
    .toSorted((a, b) => a.heard.start - b.heard.start);
  let furthest = 0;
  /** The furthest place of the transcript up to each run. */
  const ends = spoken.map((run) => (furthest = Math.max(furthest, run.heard.end)));
  return heard.map((word): SaidWord => {
    const places: Place[] = [];
    for (let at = findFirstIndex(ends.length, (i) => elementAt(ends, i) > word.start); at < spoken.length; at += 1) {
      const run = elementAt(spoken, at);
      if (run.heard.start >= word.end) break;
      if (run.heard.end <= word.start) continue;
      const { section, start, end } = cutRun(run, word) ?? run;
      places.push({ section, start, end });
    }
    return { ...word, places };
  });
}

/** “6” and “mm” of “six millimeters” were converted together: neither has a spoken word alone. */
function wholeConversions(runs: readonly Run[]): Run[] {
  const whole: Run[] = [];
  for (const run of runs) {
    const last = whole.at(-1);
    const goesOn =
      run.origin === 'converted' &&
      last?.section === run.section &&
      last.operation === run.operation &&
      run.start - last.end <= 1;
    if (goesOn && last.heard && run.heard) {
      const start = Math.min(last.heard.start, run.heard.start);
      const heard = { start, end: Math.max(last.heard.end, run.heard.end) };
      whole[whole.length - 1] = { ...last, end: run.end, heard };
    } else whole.push(run);
  }
  return whole;
}

/** A word with a known time. */
export type TimedWord = SaidWord & Required<Pick<HeardWord, 'from' | 'to'>>;

/** Duration of a word, in seconds, if its end is unknown. */
const defaultSeconds = 0.6;

/** The words with known times, in that order. */
export function timedWords(words: readonly SaidWord[]): TimedWord[] {
  const timed = words.flatMap((word) => (word.from === undefined ? [] : [{ ...word, from: word.from }]));
  timed.sort((a, b) => a.from - b.from);
  return timed.map((word, at): TimedWord => {
    const { from } = word;
    const next = timed[at + 1]?.from ?? Infinity;
    return { ...word, from, to: word.to ?? Math.min(next, from + defaultSeconds) };
  });
}

/** The word that is spoken at this second; `undefined` in a pause. */
export function wordAt(words: readonly TimedWord[], second: number): TimedWord | undefined {
  const last = words[findFirstIndex(words.length, (at) => elementAt(words, at).from > second) - 1];
  return last && second < last.to ? last : undefined;
}

const touches = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/** The first spoken one of these words of the report; at a caret, of those around it. */
export function saidAt(words: readonly TimedWord[], { section, start, end }: Place): TimedWord | undefined {
  const isThere = (isMeant: (place: Place) => boolean) => (word: TimedWord) =>
    word.places.some((place) => place.section === section && isMeant(place));
  if (end > start) return words.find(isThere((place) => touches(place, { start, end })));
  return (
    words.find(isThere((place) => place.start <= start && start < place.end)) ??
    words.find(isThere((place) => place.end === start))
  );
}

/** When words of the transcript were said, in seconds; `undefined` if unknown. */
export function findTime(
  words: readonly HeardWord[],
  span: Span,
): { readonly from: number; readonly to: number } | undefined {
  const within = words.filter((word) => touches(word, span));
  const begun = within.flatMap(({ from }) => from ?? []);
  if (begun.length === 0) return undefined;
  return { from: Math.min(...begun), to: Math.max(...begun, ...within.flatMap(({ to }) => to ?? [])) };
}

/** The second at a place between words of the transcript: the end of the word before it. */
export function secondBefore(words: readonly TimedWord[], place: number): number | undefined {
  let before: TimedWord | undefined;
  for (const word of words) if (word.end <= place && word.end > (before?.end ?? -1)) before = word;
  return before?.to;
}

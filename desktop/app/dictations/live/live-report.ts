/** Composes the report from the words recognised so far, by the rules of the service's writer. */
import type { Phrase } from '../../../../src/contract/transcription.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import type { Template } from '../../../../src/contract/template.ts';
import { elementAt } from '../../../../src/domain/elements.ts';
import { cutHeard, joinHeard } from '../../../../src/domain/heard-text.ts';
import type { HeardText, HeardWord } from '../../../../src/domain/heard-text.ts';
import { normalForm } from '../../../../src/domain/normal-form.ts';
import { labelOpening } from '../../../../src/reporting/sections/label-opening.ts';
import type { Macro } from '../../../../src/reporting/vocabulary/macros.ts';
import { maxWindowWords } from '../../../../src/reporting/vocabulary/vocabulary.ts';
import type { Term } from '../../../../src/reporting/vocabulary/vocabulary.ts';
import { findFirstIndex } from '../../../../src/domain/binary-search.ts';
import { isLinear } from '../../../../src/reporting/versions/provenance.ts';
import type { Run } from '../../../../src/reporting/versions/provenance.ts';
import type { Span } from '../../../../src/reporting/words/token.ts';
import { write } from '../../../../src/reporting/write.ts';
import { partialPlaces, placesOfStretch } from '../../../../src/reporting/live/words.ts';
import type { HeardPart, LiveReport, LiveRun, Place } from '../../../../src/reporting/live/words.ts';
import type { Stretch, StretchPiece } from './stretches.ts';

/** A stretch with its words. */
export interface HeardStretch extends Stretch {
  /** Index of the stretch in the dictation: its words keep their places through edits. */
  readonly number: number;
  readonly phrases: readonly Phrase[];
  /** The words after the last final phrase; may be empty. */
  readonly partial: string;
}

/** A part of the recognised text, and the place of its first character. */
interface PlacedSpan extends Span {
  readonly from: Place;
}

/** The words of a dictation. */
export interface HeardSoFar {
  readonly heard: HeardText;
  /** Places of the text, in order. Places below 0: words that may still change. */
  readonly places: readonly PlacedSpan[];
}

/** The words of the pieces, in the order of the dictation. `rate`: samples per second. */
export function heardIn(pieces: readonly (StretchPiece<HeardStretch> | null)[], rate: number): HeardSoFar {
  const parts: { heard: HeardText; by: number }[] = [];
  const places: PlacedSpan[] = [];
  let length = 0;
  const add = (heard: HeardText, by: number, placed: readonly PlacedSpan[]): void => {
    const said = heard.text.trim();
    if (said !== '') {
      const moved = length + (length > 0 ? 1 : 0) - heard.text.indexOf(said);
      for (const { start, end, from } of placed) places.push({ start: start + moved, end: end + moved, from });
      length = moved + heard.text.indexOf(said) + said.length;
    }
    parts.push({ heard, by });
  };
  let before = 0;
  for (const piece of pieces) {
    if (!piece) continue;
    const { stretch, start, end } = piece;
    const from = start / rate;
    // Words reported at the very end of the audio belong to it.
    const isLast = end === stretch.to - stretch.from;
    const to = isLast ? Infinity : end / rate;
    let place = stretch.number * placesOfStretch;
    for (const phrase of stretch.phrases) {
      const whole = toHeardText(phrase);
      // Words without times can't be cut: they appear as a whole, and the service transcribes the audio again.
      const said = cutHeard({ heard: whole, from: phrase.start, to: phrase.end }, from, to) ?? whole;
      add(said, before - from, placedIn(said, whole, place));
      place += whole.text.length + 1;
    }
    const partial = normalForm(stretch.partial).trim();
    if (partial !== '' && isLast) add({ text: partial }, 0, [{ start: 0, end: partial.length, from: partialPlaces }]);
    before += (end - start) / rate;
  }
  return { heard: joinHeard(parts), places };
}

/** Times of the phrases of a stretch, in seconds of the stretch. */
export function placedPhrases({
  number,
  phrases,
}: Pick<HeardStretch, 'number' | 'phrases'>): { from: Place; start: number; end: number }[] {
  let place = number * placesOfStretch;
  return phrases.map(({ text, start, end }) => {
    const from = place;
    place += normalForm(text).length + 1;
    return { from, start, end };
  });
}

/** The places of a cut-out of a phrase whose first character has the place `from`. */
function placedIn(said: HeardText, whole: HeardText, from: Place): PlacedSpan[] {
  if (said === whole) return [{ start: 0, end: whole.text.length, from }];
  const { words = [] } = whole;
  let next = 0;
  return (said.words ?? []).flatMap((word) => {
    const at = words.findIndex((each, n) => n >= next && each.from === word.from && each.to === word.to);
    const found = words[at];
    if (!found) return [];
    next = at + 1;
    return [{ start: word.start, end: word.end, from: from + found.start }];
  });
}

function toHeardText({ text: given, words }: Phrase): HeardText {
  const text = normalForm(given);
  let at = 0;
  const found: HeardWord[] = [];
  for (const { text: said, start: from, end: to, ...rest } of words) {
    const word = normalForm(said);
    const start = text.indexOf(word, at);
    if (start < 0) return { text };
    at = start + word.length;
    found.push({ ...rest, start, end: at, from, to });
  }
  return { text, words: found };
}

export interface LiveReportInput extends HeardSoFar {
  readonly language: Language;
  readonly template: Pick<Template, 'sections'> | undefined;
  readonly macros: readonly Macro[];
  readonly terms: readonly Term[];
}

/** The maximum number of words in a vocabulary entry. */
const lastWords = new RegExp(String.raw`(?:(?<!\S)\S+\s*){1,${maxWindowWords}}$`);

/** Start of the last words that are still being spoken: with the next one they may become a vocabulary entry. */
function unsettledFrom(text: string, places: readonly PlacedSpan[]): number {
  const first = places.find(({ from }) => from < 0);
  return first ? Math.max(first.start, text.search(lastWords)) : Infinity;
}

/** The sections with spoken words. */
export function liveReport({ heard, places, language, template, macros, terms }: LiveReportInput): LiveReport {
  const parts = places.flatMap(({ start, end, from }) => (from < 0 ? [] : [{ from, to: from + end - start }]));
  if (heard.text === '') return { sections: [], heard: parts };
  // The default text of a section is added with the record.
  const sections = (template?.sections ?? []).map(({ text: _text, ...section }) => section);
  const vocabulary = { terms, isHeard: true, unsettled: unsettledFrom(heard.text, places) };
  const { sections: written, provenance } = write({
    heard,
    language,
    sections,
    macros,
    vocabulary,
    label: labelOpening,
  });
  const runs = Map.groupBy(provenance.words, ({ section }) => section);
  const text = normalForm(heard.text);
  return {
    sections: written.flatMap(({ key, title, text: own }) =>
      own === ''
        ? []
        : [{ key, title, text: own, runs: (runs.get(key) ?? []).flatMap((run) => liveRuns(run, text, places)) }],
    ),
    heard: parts,
  };
}

/** Splits a run into pieces with consecutive places. */
function liveRuns(run: Run, text: string, places: readonly PlacedSpan[]): LiveRun[] {
  const { start, end, heard } = run;
  if (!heard) return [{ start, end, heard: [] }];
  const parts: HeardPart[] = [];
  const runs: LiveRun[] = [];
  for (let at = findFirstIndex(places.length, (n) => elementAt(places, n).end > heard.start); ; at += 1) {
    const placed = places[at];
    if (!placed || placed.start >= heard.end) break;
    const [from, to] = [Math.max(placed.start, heard.start), Math.min(placed.end, heard.end)];
    const part = { from: placed.from + from - placed.start, text: text.slice(from, to) };
    parts.push(part);
    const offset = start - heard.start;
    runs.push({ start: from + offset, end: to + offset, from: part.from });
  }
  return isLinear(run) ? runs : [{ start, end, heard: parts }];
}

/** What was heard so far as the report that it would become: the rules are those of the service's writer. */
import type { Phrase } from '../../../../src/contract/transcription.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import type { Template } from '../../../../src/contract/template.ts';
import { cut, joined } from '../../../../src/domain/heard.ts';
import type { Heard, HeardWord } from '../../../../src/domain/heard.ts';
import { normalForm } from '../../../../src/domain/normal-form.ts';
import { labelOpening } from '../../../../src/domain/report/opening.ts';
import type { Macro } from '../../../../src/domain/report/macros.ts';
import { mostWindowWords } from '../../../../src/domain/report/vocabulary.ts';
import type { Term } from '../../../../src/domain/report/vocabulary.ts';
import type { Run } from '../../../../src/domain/report/provenance.ts';
import type { Span } from '../../../../src/domain/report/token.ts';
import { write } from '../../../../src/domain/report/write.ts';
import type { LiveSection } from '../../../bridge/live.ts';
import type { Stretch, StretchPiece } from './stretches.ts';

/** A stretch with its words. */
export interface HeardStretch extends Stretch {
  readonly phrases: readonly Phrase[];
  /** What is being said after the last phrase; may be empty. */
  readonly partial: string;
}

/** The words of a dictation. `partials`: where in the text words stand that may still change. */
export interface HeardSoFar {
  readonly heard: Heard;
  readonly partials: readonly Span[];
}

/** The words of the pieces, in the order of the dictation. `rate`: samples per second. */
export function heardIn(pieces: readonly (StretchPiece<HeardStretch> | null)[], rate: number): HeardSoFar {
  let heard: Heard = { text: '' };
  const partials: Span[] = [];
  let before = 0;
  for (const piece of pieces) {
    if (!piece) continue;
    const { stretch, start, end } = piece;
    const from = start / rate;
    // Words that are told at the very end of the sound belong to it.
    const isLast = end === stretch.to - stretch.from;
    const to = isLast ? Infinity : end / rate;
    const parts = stretch.phrases.map((phrase) => {
      const whole = heardOf(phrase);
      const said = cut({ heard: whole, from: phrase.start, to: phrase.end }, from, to);
      // Words without times cannot be cut: they show as a whole, and the service hears the sound anew.
      return { heard: said ?? whole, by: before - from };
    });
    heard = joined([{ heard, by: 0 }, ...parts]);
    const partial = normalForm(stretch.partial).trim();
    if (partial !== '' && isLast) {
      heard = joined([
        { heard, by: 0 },
        { heard: { text: partial }, by: 0 },
      ]);
      partials.push({ start: heard.text.length - partial.length, end: heard.text.length });
    }
    before += (end - start) / rate;
  }
  return { heard, partials };
}

function heardOf({ text: given, words }: Phrase): Heard {
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

/** The sections in which something was said. */
export function liveSections({ heard, partials, language, template, macros, terms }: LiveReportInput): LiveSection[] {
  if (heard.text === '') return [];
  // What stands in a section where nobody said anything comes with the document.
  const sections = (template?.sections ?? []).map(({ text: _text, ...section }) => section);
  const vocabulary = { terms, isHeard: true, unsettled: unsettledFrom(heard.text, partials) };
  const { sections: written, provenance } = write({
    heard,
    language,
    sections,
    macros,
    vocabulary,
    label: labelOpening,
  });
  return written.flatMap(({ key, title, text }) => {
    if (text === '') return [];
    const runs = provenance.words.filter(({ section }) => section === key);
    return [{ key, title, pieces: piecesIn(text, partialIn(runs, partials)) }];
  });
}

/** As many words as may be one of the vocabulary together. */
const lastWords = new RegExp(String.raw`(?:\S+\s*){1,${mostWindowWords}}$`);

/** Where the last of the words begin that are being said: with the next one they may be another word of the vocabulary. */
function unsettledFrom(text: string, [first]: readonly Span[]): number {
  return first ? Math.max(first.start, text.search(lastWords)) : Infinity;
}

/** Where words of a section stand that may still change, in order. */
function partialIn(runs: readonly Run[], partials: readonly Span[]): Span[] {
  return runs
    .flatMap(({ start, end, heard }) =>
      partials.flatMap((partial): Span[] => {
        if (!heard || heard.end <= partial.start || heard.start >= partial.end) return [];
        const isLinear = heard.end - heard.start === end - start;
        const [cutStart, cutEnd] = isLinear
          ? [Math.max(0, partial.start - heard.start), Math.max(0, heard.end - partial.end)]
          : [0, 0];
        return [{ start: start + cutStart, end: end - cutEnd }];
      }),
    )
    .toSorted((a, b) => a.start - b.start);
}

function piecesIn(text: string, partials: readonly Span[]): LiveSection['pieces'] {
  const pieces: LiveSection['pieces'] = [];
  const add = (to: number, partial: boolean): void => {
    const last = pieces.at(-1);
    const from = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
    if (to <= from) return;
    if (last?.partial === partial) last.text += text.slice(from, to);
    else pieces.push({ text: text.slice(from, to), partial });
  };
  for (const { start, end } of partials) {
    add(start, false);
    add(end, true);
  }
  // Marks after the last words, which the rules have put, go with the words.
  const isOpen = pieces.at(-1)?.partial === true && /^[^\p{L}\p{N}]*$/u.test(text.slice(partials.at(-1)!.end));
  add(text.length, isOpen);
  return pieces;
}

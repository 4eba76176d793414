/** The steps from transcript to written words, each on the words of the one before. */
import type { Language } from '../contract/shared.ts';
import type { HeardWord } from '../domain/heard-text.ts';
import { assemble } from './document.ts';
import { findFirstIndex } from '../domain/binary-search.ts';
import { openingKey, sectionFor } from './input.ts';
import { findChanges } from './last-check.ts';
import type { WriteInput } from './input.ts';
import { letterAt } from './numbers/letters.ts';
import { readNumbers } from './numbers/reading.ts';
import { carryOut, startWork } from './operation.ts';
import type { DoubtRule, Work } from './operation.ts';
import { findRules } from './rules.ts';
import type { Rules } from './rules.ts';
import { beginsText, endsSectionName, sectionNameAt, withTemplate } from './sections/section-names.ts';
import type { SectionNames } from './sections/section-names.ts';
import { endsMark, writeMarks } from './steps/commands.ts';
import type { MarkContext } from './steps/commands.ts';
import { correct } from './steps/corrections.ts';
import { findDoubts } from './steps/doubts.ts';
import { repairColons, repairHeadings } from './steps/headings.ts';
import { keepNormals } from './steps/normals.ts';
import { writeMedicalTerms } from './steps/medical-terms.ts';
import { leaveOutHesitations } from './steps/hesitations.ts';
import { writeItems } from './steps/items.ts';
import { callMacros } from './steps/macros.ts';
import { writeNumbers } from './steps/numbers.ts';
import { scratch } from './steps/scratch.ts';
import { findSections } from './steps/sections.ts';
import type { SectionContext } from './steps/sections.ts';
import { spell } from './steps/spelling.ts';
import { findSplitNumbers } from './steps/split-numbers.ts';
import { writeTerms } from './steps/vocabulary.ts';
import { textOf, tokenise } from './words/token.ts';
import type { HeardToken, Span, Token } from './words/token.ts';
import { buildIndex } from './vocabulary/vocabulary.ts';
import type { Vocabulary } from './vocabulary/vocabulary.ts';
import { normalForm } from '../domain/normal-form.ts';
import { elementAt } from '../domain/elements.ts';

/** A pause between two words, in seconds. */
const pause = 0.5;

/** How often the words of a dictation are read again without the steps that changed their meaning. */
const maxReadings = 4;

/**
 * The transcript after all steps; `section` tokens mark the beginning of each section. If the last check finds that the
 * steps changed the meaning, the words stay as they were said, with a doubt.
 */
export function readDictation(input: WriteInput): Work {
  const text = normalForm(input.heard.text);
  const heard = tokenise(text);
  const without = new Set(input.without);
  const changed: Span[] = [];
  /** Heard tokens that stay as they were heard. */
  const kept = new Set<number>();
  for (let reading = 1; ; reading += 1) {
    const tokens = heard.map((token, at) => (kept.has(at) ? { ...token, isKept: true as const } : token));
    const work = startWork(text, kept.size > 0 ? tokens : heard, without);
    takeSteps(work, input, findRules(input.language));
    const found = findChanges(assemble(work, input, new Map()), text, input.language);
    changed.push(...found);
    const isLast = found.length === 0 || reading === maxReadings;
    if (isLast) {
      doubtHeard(work, changed);
      return work;
    }
    const places = found.map((place) => heardAt(work, place));
    const wrong = new Set(places.flat());
    const steps = work.operations.filter(({ step }) => step !== 'sections');
    const blamed = steps
      .map(({ id, source }) => ({ id, heard: heardAt(work, source) }))
      .filter(({ heard: of }) => of.some((at) => wrong.has(at)));
    blamed.forEach(({ id }) => without.add(id));
    const byStep = new Set(blamed.flatMap(({ heard: of }) => of));
    // No step changed it: a mark does not fit after the words before it.
    for (const place of places) if (!place.some((at) => byStep.has(at))) place.forEach((at) => kept.add(at));
  }
}

/** Indices of the heard tokens within a span of the text. */
function heardAt({ heard }: Work, { start, end }: Span): number[] {
  const from = findFirstIndex(heard.length, (at) => elementAt(heard, at).end > start);
  const to = findFirstIndex(heard.length, (at) => elementAt(heard, at).start >= end);
  return Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n);
}

function doubtHeard(work: Work, places: readonly Span[]): void {
  const known = new Set(work.doubts.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, n) => from + n)));
  for (const place of places) {
    const heard = heardAt(work, place);
    const [from, last] = [heard[0], heard.at(-1)];
    if (from === undefined || last === undefined || heard.some((at) => known.has(at))) continue;
    work.doubts.push({ rule: 'value', from, to: last + 1 });
    heard.forEach((at) => known.add(at));
  }
}

function takeSteps(work: Work, input: WriteInput, rules: Rules): void {
  const names = withTemplate(rules.sections, input.sections);
  carryOut(work, 'commands', leaveOutHesitations(work.tokens, rules.marks.hesitations));
  carryOut(
    work,
    'sections',
    repairHeadings(work.tokens, {
      language: input.language,
      names,
      marks: rules.marks,
      sections: input.sections,
    }),
  );
  carryOut(work, 'sections', repairColons(work.tokens, { ...rules, names }));
  carryOut(work, 'commands', writeMarks(work.tokens, markContext(work.tokens, rules, names)));
  if (input.vocabulary) takeTerms(work, input.vocabulary, rules);
  carryOut(work, 'vocabulary', writeMedicalTerms(work.tokens, work.heard, input.heard.unknown ?? []));
  const called = callMacros(work.tokens, input.macros ?? [], {
    words: rules.macros,
    numbers: rules.numbers.grammar.words,
    sectionNames: names,
    hasSection: (key) => input.sections.some((section) => section.key === sectionFor(key, input.sections)),
  });
  doubt(work, 'macro', called.refused);
  carryOut(work, 'macros', called.changes);
  carryOut(work, 'spelling', spell(work.tokens, rules.spelling));
  carryOut(work, 'numbers', writeItems(work.tokens, rules.items));
  const numbers = writeNumbers(work.tokens, rules.numbers);
  doubt(work, 'number', numbers.doubts);
  carryOut(work, 'numbers', numbers.changes);
  doubt(work, 'number', findSplitNumbers(work.tokens, rules.numbers));
  takeBack(work, rules);
  doubt(
    work,
    'heard',
    findDoubts(work.tokens, {
      language: input.language,
      facts: rules.facts,
      levels: rules.numbers.codes,
      markers: rules.markers,
    }),
  );
  const context: SectionContext = {
    names,
    order: input.sections.map(({ key }) => key),
    current: openingKey(input),
    pausesAfter: pausesIn(work.heard, input.heard.words ?? []),
  };
  const headings = findSections(work.tokens, context);
  carryOut(work, 'corrections', scratch(work.tokens, rules.corrections.scratch, new Set(headings.map(({ to }) => to))));
  carryOut(work, 'sections', findSections(work.tokens, context));
  const { kept, givenUp } = keepNormals(work.tokens, input.sections, openingKey(input));
  doubt(work, 'normals', givenUp);
  work.tokens = kept;
}

function takeTerms(work: Work, { terms, isHeard, unsettled = Infinity }: Vocabulary, rules: Rules): void {
  if (terms.length === 0) return;
  const index = buildIndex(terms, rules.language);
  const isSettled = ({ to }: Token): boolean => elementAt(work.heard, to - 1).end <= unsettled;
  carryOut(work, 'vocabulary', writeTerms(work.tokens, { index, rules, isHeard, isSettled }));
}

/** Applies the spelling of the vocabulary to a text that is no dictation (an instruction). */
export function withTerms(heard: string, language: Language, vocabulary: Vocabulary): string {
  if (vocabulary.terms.length === 0) return heard;
  const text = normalForm(heard);
  const work = startWork(text, tokenise(text), new Set());
  takeTerms(work, vocabulary, findRules(language));
  return work.operations.length === 0 ? heard : textOf(work.tokens);
}

/** The largest number of corrections of one thing: "nove, digo, dez, digo, onze". */
const maxCorrections = 4;

function takeBack(work: Work, rules: Rules): void {
  for (let round = 1; ; round += 1) {
    const numbers = work.doubts.filter(({ rule }) => rule === 'number');
    const corrected = correct(work.tokens, rules.corrections, numbers);
    if (corrected.changes.length === 0 || round === maxCorrections) doubt(work, 'correction', corrected.doubts);
    if (corrected.changes.length === 0) return;
    carryOut(work, 'corrections', corrected.changes);
    // After a move, words may have a unit next to them.
    carryOut(work, 'numbers', writeNumbers(work.tokens, rules.numbers).changes);
    if (round === maxCorrections) return;
  }
}

function doubt(work: Work, rule: DoubtRule, places: readonly { readonly from: number; readonly to: number }[]): void {
  for (const { from, to } of places) {
    work.doubts.push({ rule, from: elementAt(work.tokens, from).from, to: elementAt(work.tokens, to - 1).to });
  }
}

export function markContext(tokens: readonly Token[], rules: Rules, names: SectionNames): MarkContext {
  const { grammar, codes } = rules.numbers;
  const { numerals, signs } = readNumbers(
    tokens,
    grammar,
    (at) => beginsText(tokens, at, names) || endsMark(tokens, at, rules.marks),
  );
  const isNumber = (token: Token): boolean =>
    token.kind === 'figure' || (token.kind === 'word' && grammar.words.values.has(token.folded));
  const isCode = (of: readonly Token[], at: number): boolean => {
    const token = of[at];
    if (token === undefined) return false;
    if (isNumber(token) || numerals.has(at) || letterAt(of, at, codes.letters)) return true;
    return (
      token.kind === 'word' && (codes.letters.abbreviations.has(token.text.toUpperCase()) || /\d/.test(token.text))
    );
  };
  return {
    marks: rules.marks,
    signs,
    isNumber,
    isCode,
    isSectionName: (of, at) => sectionNameAt(of, at, names) !== undefined,
    endsSectionName: (of, at) => endsSectionName(of, at, names),
  };
}

/** Whether a pause follows a heard token, if the recogniser gives times. */
function pausesIn(heard: readonly HeardToken[], words: readonly HeardWord[]): (token: number) => boolean {
  const ends = new Set<number>();
  words.forEach((word, at) => {
    const next = words[at + 1];
    if (word.to !== undefined && next?.from !== undefined && next.from - word.to >= pause) ends.add(word.end);
  });
  return (token) => ends.has(heard[token]?.end ?? -1);
}

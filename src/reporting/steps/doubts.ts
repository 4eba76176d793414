/** Words that were probably misheard: they stay as they were heard, and a person is asked. */
import type { Language } from '../../contract/shared.ts';
import { phraseList } from '../../domain/fold.ts';
import { tables } from '../languages/index.ts';
import { rads } from '../languages/rads.ts';
import type { NumberRules } from './numbers.ts';
import type { FactWords } from '../facts.ts';
import { readNumbers } from '../numbers/reading.ts';
import { unitAt } from '../numbers/units.ts';
import { soundsAlike, indexVocabulary } from '../vocabulary/vocabulary.ts';
import type { VocabularyIndex } from '../vocabulary/vocabulary.ts';
import { stem } from '../words/stem.ts';
import type { Token } from '../words/token.ts';

interface Place {
  readonly from: number;
  readonly to: number;
}

export interface DoubtContext {
  readonly language: Language;
  readonly numbers: NumberRules;
  readonly facts: Pick<FactWords, 'sides'>;
  /** Markers of a self-correction: "digo", "I mean". */
  readonly markers: string;
}

/** The longest misheard term, in words. */
const maxWords = 3;

/** Places that a person should look at, as tokens, in order. */
export function findDoubts(tokens: readonly Token[], context: DoubtContext): Place[] {
  const places: Place[] = [];
  let free = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    if (at < free) continue;
    const to =
      impossibleCategory(tokens, at) ?? unheardCorrection(tokens, at, context) ?? misheardTerm(tokens, at, context);
    if (to === undefined) continue;
    places.push({ from: at, to });
    free = to;
  }
  return places;
}

/** "dois 4 cm": two numbers before a unit, in words and in figures: one of them was misheard, or the sign between them. */
export function numbersInARow(tokens: readonly Token[], { grammar }: NumberRules): Place[] {
  const { numerals } = readNumbers(tokens, grammar, () => false);
  return [...numerals].flatMap(([at, numeral]) => {
    const next = numerals.get(numeral.to);
    if (!next || numeral.isArticle || numeral.isSpoken === next.isSpoken || numeral.isDecimal || next.isDecimal)
      return [];
    const isMeasure = unitAt(tokens, next.to, grammar.units)?.symbol != null;
    return isMeasure ? [{ from: at, to: next.to }] : [];
  });
}

/** Categories that the system of scores lacks: "VI-RADS 4A". */
function impossibleCategory(tokens: readonly Token[], at: number): number | undefined {
  const system = rads.find(({ name }) => tokens[at]?.text === name.split('-')[0] && name.includes('-'));
  if (!system || tokens[at + 1]?.text !== '-' || tokens[at + 2]?.text.toUpperCase() !== 'RADS') return undefined;
  const category = /^(\d)$/.exec(tokens[at + 3]?.text ?? '')?.[1];
  const letter = tokens[at + 4];
  if (category === undefined || letter?.kind !== 'word' || !/^[A-Z]$/.test(letter.text) || letter.spaced)
    return undefined;
  return system.letters?.[Number(category)]?.includes(letter.text) === true ? undefined : at + 5;
}

/** "direito, de go esquerdo": between two sides words that sound like a marker of a correction. */
function unheardCorrection(
  tokens: readonly Token[],
  at: number,
  { facts, markers, language }: DoubtContext,
): number | undefined {
  const sideAt = (place: number): string | undefined =>
    tokens[place]?.kind === 'word' ? facts.sides.get(tokens[place].folded) : undefined;
  const side = sideAt(at);
  if (side === undefined || tokens[at + 1]?.text !== ',') return undefined;
  for (let to = at + 3; to <= at + 4; to += 1) {
    const other = sideAt(to);
    if (other === undefined || other === side) continue;
    const heard = tokens.slice(at + 2, to);
    const isMarker = heard.every(({ kind }) => kind === 'word') && soundsLikeOne(heard, markers, language);
    return isMarker ? to + 1 : undefined;
  }
  return undefined;
}

/** Whether joined words differ from one of the phrases in at most one letter, and are not that phrase. */
function soundsLikeOne(words: readonly Token[], phrases: string, language: Language): boolean {
  const heard = words.map(({ folded }) => folded).join('');
  return phraseList(phrases).some((phrase) => {
    const marker = phrase.toLowerCase().replaceAll(' ', '');
    return heard !== marker && language !== 'en-US' && differInOne(heard, marker);
  });
}

/** Whether one letter was inserted, left out or replaced. */
function differInOne(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  let start = 0;
  while (start < length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return Math.max(a.length, b.length) - start - end <= 1;
}

const indexes = new Map<Language, VocabularyIndex>();

function findLexicon(language: Language): VocabularyIndex {
  const known = indexes.get(language);
  if (known) return known;
  const { findings } = tables[language].lexicon;
  const terms = Object.values<string>(findings).flatMap(phraseList);
  const index = indexVocabulary(
    terms.map((write) => ({ write, for: [] })),
    language,
  );
  indexes.set(language, index);
  return index;
}

/** "Pneu motórax", "hematoma subtural": words that sound like a finding and are none. */
function misheardTerm(tokens: readonly Token[], at: number, { language }: DoubtContext): number | undefined {
  const lexicon = findLexicon(language);
  for (let length = 1; length <= maxWords; length += 1) {
    const words = tokens.slice(at, at + length);
    const last = words.at(-1);
    if (
      words.length < length ||
      last === undefined ||
      words.some(({ kind, origin }) => kind !== 'word' || origin !== 'said')
    )
      return undefined;
    if (words.every(({ folded }) => lexicon.ordinary.has(stem(folded)))) continue;
    if (soundsAlike(words, lexicon) !== undefined) return at + length;
  }
  return undefined;
}

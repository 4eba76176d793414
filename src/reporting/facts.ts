/**
 * The facts of a text: numbers, units, sides, places, negations, levels and categories, in any form. The text is read
 * after its numbers and terms are written, so that "seis milímetros" and "6 mm" are the same fact.
 */
import { wordList, wordSet } from '../domain/fold.ts';
import type { FactTables } from './languages/tables.ts';
import { writtenDateAt } from './numbers/dates.ts';
import type { DateWords } from './numbers/dates.ts';
import { romanValue } from './numbers/figures.ts';
import { integerAt } from './numbers/numeral.ts';
import type { NumberGrammar } from './numbers/reading.ts';
import { unitAt } from './numbers/units.ts';
import { phraseAt, phraseSet } from './words/phrases.ts';
import type { PhraseIndex } from './words/phrases.ts';
import type { Token } from './words/token.ts';
import { elementAt } from '../domain/elements.ts';

export type FactKind = 'number' | 'unit' | 'side' | 'place' | 'negation';

export interface FactWords {
  readonly sides: ReadonlyMap<string, string>;
  /** Word → the row of places that exclude each other, and its name in it. */
  readonly places: ReadonlyMap<string, { readonly row: number; readonly name: string }>;
  readonly negations: PhraseIndex<true>;
  /** Letters that mean sides next to a paired body part: "lobo D", "R lobe". */
  readonly shortSides: ReadonlyMap<string, string>;
  readonly sidedParts: ReadonlySet<string>;
  /** Whether the letter precedes its part. */
  readonly sideFirst: boolean;
  readonly grammar: NumberGrammar;
  readonly dates: DateWords;
  readonly free: ReadonlySet<string>;
}

export function readFacts(
  tables: FactTables,
  { grammar, dates, free }: Pick<FactWords, 'grammar' | 'dates' | 'free'>,
): FactWords {
  const sides = Object.entries(tables.sides).flatMap(([side, words]) =>
    wordList(words).map((word) => [word, side] as const),
  );
  const places = tables.places.flatMap((names, row) =>
    Object.entries(names).flatMap(([name, words]) => wordList(words).map((word) => [word, { row, name }] as const)),
  );
  return {
    sides: new Map(sides),
    places: new Map(places),
    negations: phraseSet(tables.negations),
    shortSides: new Map((['right', 'left'] as const).map((side) => [tables.shortSides[side], side] as const)),
    sidedParts: wordSet(tables.sidedParts),
    sideFirst: tables.shortSides.first,
    grammar,
    dates,
    free,
  };
}

/** A word for the comparison of texts word by word: tokens `from` up to `to`. */
export interface ComparedWord {
  /** Equal for two words with one meaning: number words and figures, Roman and Arabic, "×" and "x". */
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly fact?: FactKind;
  /** The value of the fact in any form: `right`, `6`, `mm`, `upper`. */
  readonly value?: string;
  /** A word without a meaning by itself. */
  readonly isFree?: boolean;
}

const plain = (key: string, from: number, to = from + 1): ComparedWord => ({ key, from, to });

/** The words of written tokens, without marks except signs that change a value. */
export function comparedWords(tokens: readonly Token[], words: FactWords): ComparedWord[] {
  const compared: ComparedWord[] = [];
  let at = 0;
  while (at < tokens.length) {
    const word = comparedAt(tokens, at, words);
    if (word) compared.push(word);
    at = word?.to ?? at + 1;
  }
  return compared;
}

function comparedAt(tokens: readonly Token[], at: number, words: FactWords): ComparedWord | undefined {
  const token = elementAt(tokens, at);
  const date = writtenDateAt(tokens, at, words.dates);
  if (date) return { key: date.day, from: at, to: date.to, fact: 'number', value: date.day };
  switch (token.kind) {
    case 'figure':
      return figureAt(tokens, at, words);
    case 'mark':
      return signAt(tokens, at, words);
    case 'word':
      return wordAt(tokens, at, words);
    default:
      return undefined;
  }
}

function figureAt(tokens: readonly Token[], at: number, { grammar }: FactWords): ComparedWord {
  const numeral = integerAt(tokens, at, grammar.words);
  const token = elementAt(tokens, at);
  const letter = tokens[at + 1];
  // 4A, 14h30
  if (letter?.kind === 'word' && !letter.spaced && !unitAt(tokens, at + 1, grammar.units)) {
    const value = `${token.text}${letter.folded}`;
    return { key: value, from: at, to: at + 2, fact: 'number', value };
  }
  const before = tokens[at - 1];
  const isBetween = /^(?:word|figure)$/.test(tokens[at - 2]?.kind ?? '');
  const isNegative = before?.text === '-' && !token.spaced && (before.spaced || !isBetween);
  const value = `${isNegative ? '-' : ''}${numeral?.isSpoken === false ? plainDigits(numeral.digits) : token.text}`;
  return { key: value, from: at, to: at + 1, fact: 'number', value };
}

/** 3.20 and 3.2 are the same. */
const plainDigits = (digits: string): string =>
  digits.includes('.') ? digits.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : digits;

const signs: Readonly<Record<string, string>> = { '×': 'x', '±': '±', '<': '<', '>': '>', '≤': '≤', '≥': '≥' };

function signAt(tokens: readonly Token[], at: number, { grammar }: FactWords): ComparedWord | undefined {
  const { text } = elementAt(tokens, at);
  if (text === '%' || text === '°') return withUnit(tokens, at, grammar);
  const key = signs[text];
  if (key === undefined) return undefined;
  return key === 'x' ? plain(key, at) : { key, from: at, to: at + 1, fact: 'number', value: key };
}

function withUnit(tokens: readonly Token[], at: number, { units }: NumberGrammar): ComparedWord | undefined {
  const unit = unitAt(tokens, at, units);
  return unit?.symbol ? { key: unit.symbol, from: at, to: unit.to, fact: 'unit', value: unit.symbol } : undefined;
}

function wordAt(tokens: readonly Token[], at: number, words: FactWords): ComparedWord {
  const token = elementAt(tokens, at);
  const { grammar } = words;
  const before = tokens[at - 1];
  if (before?.kind === 'figure' || (before?.kind === 'word' && grammar.words.values.has(before.folded))) {
    const unit = withUnit(tokens, at, grammar);
    if (unit) return unit;
  }
  const side = words.sides.get(token.folded) ?? shortSideAt(tokens, at, words);
  if (side !== undefined) return { ...plain(token.folded, at), fact: 'side', value: side };
  const place = words.places.get(token.folded);
  if (place !== undefined) return { ...plain(token.folded, at), fact: 'place', value: `${place.row} ${place.name}` };
  const negation = phraseAt(tokens, at, words.negations);
  if (negation) {
    const key = tokens
      .slice(at, negation.to)
      .map(({ folded }) => folded)
      .join(' ');
    return { key, from: at, to: negation.to, fact: 'negation', value: 'not' };
  }
  return (
    numberAt(tokens, at, grammar) ?? {
      ...plain(token.folded, at),
      isFree: words.free.has(token.text.toLowerCase()),
    }
  );
}

/** "lobo D", "lobo superior E", "R upper lobe" */
function shortSideAt(tokens: readonly Token[], at: number, words: FactWords): string | undefined {
  const side = words.shortSides.get(elementAt(tokens, at).text);
  if (side === undefined) return undefined;
  const step = words.sideFirst ? 1 : -1;
  const isPlace = words.places.has(tokens[at + step]?.folded ?? '');
  return words.sidedParts.has(tokens[isPlace ? at + 2 * step : at + step]?.folded ?? '') ? side : undefined;
}

/** "L4-L5", "L4-5", "L4/L5", "L4 a L5": two levels are one fact. */
function levelsAt(tokens: readonly Token[], at: number, { decimals }: NumberGrammar): ComparedWord | undefined {
  const first = /^([cdlst])\d{1,2}$/.exec(elementAt(tokens, at).folded);
  const [sign, second] = [tokens[at + 1], tokens[at + 2]];
  if (!first || !sign || !second) return undefined;
  const isGlued = /^[-–/]$/.test(sign.text) && !sign.spaced && !second.spaced;
  if (!isGlued && !decimals.range.has(sign.folded)) return undefined;
  const other = (isGlued ? /^([cdlst]?)(\d{1,2})$/ : /^([cdlst])(\d{1,2})$/).exec(second.folded);
  if (!other) return undefined;
  const key = `${elementAt(tokens, at).folded}-${other[1] === '' ? first[1] : other[1]}${other[2]}`;
  return { key, from: at, to: at + 3, fact: 'number', value: key };
}

/** A count in words, a Roman figure, or a code with figures (L4, T2bN1M0). */
function numberAt(tokens: readonly Token[], at: number, grammar: NumberGrammar): ComparedWord | undefined {
  const { words } = grammar;
  const token = elementAt(tokens, at);
  if (/\d/.test(token.text))
    return (
      levelsAt(tokens, at, grammar) ?? { key: token.folded, from: at, to: at + 1, fact: 'number', value: token.folded }
    );
  // IV, IIF, IVb
  const roman = /^([IVX]+)([A-Fab]?)$/.exec(token.text);
  // A single letter is a figure after its noun, and perhaps only a capital at the beginning of a sentence.
  const isFigure = roman !== null && (elementAt(roman, 1).length > 1 || tokens[at - 1]?.kind === 'word');
  const value = isFigure ? romanValue(elementAt(roman, 1)) : undefined;
  if (roman && value !== undefined) {
    const key = `${value}${elementAt(roman, 2).toLowerCase()}`;
    return { key, from: at, to: at + 1, fact: 'number', value: key };
  }
  if (words.articles.has(token.folded)) return undefined;
  const numeral = integerAt(tokens, at, words);
  return numeral ? { key: numeral.digits, from: at, to: numeral.to, fact: 'number', value: numeral.digits } : undefined;
}

/**
 * Tokens of one kind: sides, measures, levels and so on. A correction replaces a token by one of its kind, and the
 * checks compare within a kind.
 */
import { wordList } from '../../domain/fold.ts';
import type { DateWords } from '../numbers/dates.ts';
import { integerAt } from '../numbers/numeral.ts';
import type { NumberWords } from '../numbers/numeral.ts';
import { unitAt } from '../numbers/units.ts';
import type { Unit, UnitWords } from '../numbers/units.ts';
import type { Token } from './token.ts';
import { elementAt } from '../../domain/elements.ts';

export interface KindWords {
  /** Word → the line of words of its kind. */
  readonly kinds: ReadonlyMap<string, number>;
  readonly numbers: NumberWords;
  readonly units: UnitWords;
  readonly dates: DateWords;
}

export const readLikes = (kinds: readonly string[], rest: Omit<KindWords, 'kinds'>): KindWords => ({
  kinds: new Map(kinds.flatMap((line, at) => wordList(line).map((word) => [word, at] as const))),
  ...rest,
});

/** A word or expression that another of its kind can replace. */
export interface TokenKind {
  readonly kind: string;
  readonly to: number;
  /** For a measure: where its unit begins, and how many numbers it has. */
  readonly numberTo: number;
  readonly unit: Unit | undefined;
  readonly factors: number;
}

const plain = (kind: string, to: number): TokenKind => ({ kind, to, numberTo: to, unit: undefined, factors: 0 });

const isGlued = (token: Token | undefined): token is Token => token !== undefined && !token.spaced;

/** The word or expression of a kind that begins at the token `at`. */
export function kindAt(tokens: readonly Token[], at: number, words: KindWords): TokenKind | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  const date = dateAt(tokens, at, words.dates);
  if (date) return date;
  if (token.kind === 'figure') return measureAt(tokens, at, words);
  if (token.kind === 'mark') {
    const isSigned = token.text === '-' && tokens[at + 1]?.kind === 'figure' && !elementAt(tokens, at + 1).spaced;
    return isSigned && token.spaced ? measureAt(tokens, at + 1, words) : undefined;
  }
  if (token.kind !== 'word') return undefined;
  if (/^[A-Z]\d{1,2}$/.test(token.text)) return levelAt(tokens, at);
  if (/^(?:p|yp)?T\d/.test(token.text)) return plain('stage', at + 1);
  if (/^(?:I{1,3}|I?V|VI{1,3}|I?X)[A-Fa-f]?$/.test(token.text)) return plain('roman', at + 1);
  const line = words.kinds.get(token.folded);
  if (line !== undefined) return plain(`words ${line}`, at + 1);
  return words.numbers.values.has(token.folded) && !words.numbers.articles.has(token.folded)
    ? measureAt(tokens, at, words)
    : undefined;
}

function levelAt(tokens: readonly Token[], at: number): TokenKind {
  const hasSecond =
    isGlued(tokens[at + 1]) && elementAt(tokens, at + 1).text === '-' && /^[A-Z]\d/.test(tokens[at + 2]?.text ?? '');
  return plain('level', hasSecond ? at + 3 : at + 1);
}

/** A written date, or a part of one: "10/03/2026", "March 10, 2026", "12 de maio", "maio de 2025". */
function dateAt(tokens: readonly Token[], at: number, { months, of }: DateWords): TokenKind | undefined {
  const pieces = tokens.slice(at, at + 5);
  const isDate =
    pieces.length === 5 &&
    pieces.every((piece, i) => (i % 2 === 0 ? piece.kind === 'figure' : piece.text === '/' && !piece.spaced));
  if (isDate) return plain('date', at + 5);
  const isMonth = (place: number): boolean => tokens[place]?.kind === 'word' && months.has(tokens[place].folded);
  const overOf = (place: number): number => (of.has(tokens[place]?.folded ?? '') ? place + 1 : place);
  const isFigure = (place: number, digits: RegExp): boolean =>
    tokens[place]?.kind === 'figure' && digits.test(tokens[place].text);
  let to = isMonth(at) ? at + 1 : isFigure(at, /^\d{1,2}$/) && isMonth(overOf(at + 1)) ? overOf(at + 1) + 1 : undefined;
  if (to === undefined) return undefined;
  if (isMonth(at) && isFigure(to, /^\d{1,2}$/)) to += 1;
  const year = tokens[to]?.text === ',' ? to + 1 : overOf(to);
  return plain('date', isFigure(year, /^\d{4}$/) ? year + 1 : to);
}

/** A number, a size or a range, with its unit. */
function measureAt(tokens: readonly Token[], at: number, { numbers, units }: KindWords): TokenKind | undefined {
  let to = at;
  let factors = 0;
  for (;;) {
    const numeral = integerAt(tokens, to, numbers);
    if (!numeral) return undefined;
    factors += 1;
    ({ to } = numeral);
    const letter = tokens[to];
    // 4A
    if (factors === 1 && letter?.kind === 'word' && isGlued(letter) && /^[A-FX]$/.test(letter.text))
      return plain('category', to + 1);
    const isFactor = /^[x×/]$/.test(letter?.text ?? '') && tokens[to + 1]?.kind === 'figure';
    if (!isFactor) break;
    to += 1;
  }
  const unit = unitAt(tokens, to, units);
  return { kind: 'measure', to: unit?.to ?? to, numberTo: to, unit, factors };
}

/** Whether one can replace the other. */
export function areSameKind(a: TokenKind, b: TokenKind): boolean {
  // "T2, digo, T3N1M0"
  if (a.kind !== b.kind && [a, b].every(({ kind }) => kind === 'level' || kind === 'stage')) return true;
  // BI-RADS 4A and BI-RADS 3
  if (a.kind !== b.kind)
    return [a, b].every(
      ({ kind, unit, factors }) => kind === 'category' || (kind === 'measure' && !unit && factors === 1),
    );
  if (a.kind !== 'measure') return true;
  return (
    a.factors === b.factors &&
    (!a.unit || !b.unit || a.unit.symbol === b.unit.symbol || (a.unit.of === b.unit.of && a.unit.of !== undefined))
  );
}

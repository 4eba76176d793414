/** Numbers in words and in figures: their places and values. */
import { wordList, wordSet } from '../../domain/fold.ts';
import type { NumberTables } from '../languages/tables.ts';
import { nextWord } from '../words/phrases.ts';
import type { Token } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';

/** A whole or decimal number: the tokens it takes, and its figures with a point as decimal sign. */
export interface Numeral {
  readonly to: number;
  readonly digits: string;
  /** Spoken in words, at least in part. */
  readonly isSpoken: boolean;
  /** A word that is also an article: "um", "una". */
  readonly isArticle: boolean;
  readonly isDecimal: boolean;
}

/** Tables of numbers as the grammar reads them. */
export interface NumberWords {
  readonly values: ReadonlyMap<string, number>;
  readonly articles: ReadonlySet<string>;
  readonly and: ReadonlySet<string>;
  readonly hundred: ReadonlySet<string>;
  /** For one of them: "a hundred", "a thousand". */
  readonly hundredth: ReadonlySet<string>;
  readonly thousand: ReadonlySet<string>;
  readonly million: ReadonlySet<string>;
  readonly needsAnd: NumberTables['needsAnd'];
  readonly decimalSign: '.' | ',';
}

export function readNumberWords(tables: NumberTables): NumberWords {
  const values = new Map<string, number>();
  wordList(tables.small).forEach((word, value) => values.set(word, value));
  wordList(tables.tens).forEach((word, at) => values.set(word, 20 + 10 * at));
  wordList(tables.hundreds).forEach((word, at) => values.set(word, 100 * (at + 1)));
  for (const [word, value] of Object.entries(tables.also)) values.set(word, value);
  return {
    values,
    articles: wordSet(tables.articles),
    and: wordSet(tables.and),
    hundred: wordSet(tables.hundred),
    hundredth: wordSet(tables.oneHundred),
    thousand: wordSet(tables.thousand),
    million: wordSet(tables.million),
    needsAnd: tables.needsAnd,
    decimalSign: tables.decimal.sign,
  };
}

/**
 * Figures of a language with a point as decimal sign. A point or comma before exactly three figures separates thousands
 * if the language writes decimals with the other one; `undefined` for what is no number ("10.03.2026").
 */
function parseDigits(text: string, sign: '.' | ','): string | undefined {
  if (/^\d+$/.test(text)) return text;
  // ".5", and ",5" where the language writes decimals so.
  if (/^[.,]\d+$/.test(text)) return text[0] === '.' || text[0] === sign ? `0.${text.slice(1)}` : undefined;
  const thousands = sign === ',' ? /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/ : /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
  if (thousands.test(text)) return text.replaceAll(sign === ',' ? '.' : ',', '').replace(',', '.');
  return /^\d+[.,]\d+$/.test(text) ? text.replace(',', '.') : undefined;
}

/** The room below a value: after 20 a unit, after 100 two figures. */
const roomBelow = (value: number): number => (value >= 100 ? 100 : value >= 20 && value % 10 === 0 ? 10 : 0);

/** A whole number below 1000 in words, or one in hundreds ("twelve hundred"), from the token `at`. */
function belowThousand(
  tokens: readonly Token[],
  at: number,
  words: NumberWords,
): { to: number; value: number } | undefined {
  const first = tokens[at];
  // "a hundred and twenty"
  const isHundred =
    first?.kind === 'word' && words.hundredth.has(first.folded) && words.hundred.has(tokens[at + 1]?.folded ?? '');
  let value = isHundred ? 100 : first?.kind === 'word' ? words.values.get(first.folded) : undefined;
  if (value === undefined) return undefined;
  let to = isHundred ? at + 2 : at + 1;
  let room = isHundred ? 100 : roomBelow(value);
  // "one hundred", "one-hundred"
  const hundred = nextWord(tokens, to);
  if (
    !isHundred &&
    value > 0 &&
    value < 10 &&
    tokens[hundred]?.kind === 'word' &&
    words.hundred.has(elementAt(tokens, hundred).folded)
  ) {
    value *= 100;
    to = hundred + 1;
    room = 100;
  }
  while (room > 0) {
    const needsAnd = room === 100 ? words.needsAnd.hundreds : words.needsAnd.tens;
    const hasAnd = tokens[to]?.kind === 'word' && words.and.has(elementAt(tokens, to).folded);
    const place = nextWord(tokens, hasAnd ? to + 1 : to);
    const next = tokens[place];
    const more = next?.kind === 'word' ? words.values.get(next.folded) : undefined;
    if (more === undefined || more === 0 || more >= room || (needsAnd && !hasAnd)) break;
    // "twenty and five" is no number, "dois e três" are two.
    if (room === 10 && hasAnd && !needsAnd) break;
    value += more;
    to = place + 1;
    room = roomBelow(more);
  }
  const isInHundreds = value > 10 && value < 100 && value % 10 !== 0 && words.hundred.has(tokens[to]?.folded ?? '');
  if (!isInHundreds) return { to, value };
  const below =
    tokens[to + 1]?.kind === 'word'
      ? belowThousand(tokens, words.and.has(elementAt(tokens, to + 1).folded) ? to + 2 : to + 1, words)
      : undefined;
  const rest = below && below.value > 0 && below.value < 100 ? below : { to: to + 1, value: 0 };
  return { to: rest.to, value: value * 100 + rest.value };
}

/** The whole number that begins at the token `at`. */
export function integerAt(tokens: readonly Token[], at: number, words: NumberWords): Numeral | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  if (token.kind === 'figure') return figureAt(tokens, at, words);
  if (token.kind !== 'word') return undefined;
  const isThousand = (place: number): boolean =>
    tokens[place]?.kind === 'word' && words.thousand.has(tokens[place].folded);
  // "a thousand"
  const isOne = words.hundredth.has(token.folded) && isThousand(at + 1);
  const group = isThousand(at)
    ? { to: at, value: 1 }
    : isOne
      ? { to: at + 1, value: 1 }
      : belowThousand(tokens, at, words);
  if (!group) return undefined;
  const article = group.to === at + 1 && words.articles.has(token.folded);
  const spoken = (to: number, value: number): Numeral => ({
    to,
    digits: String(value),
    isSpoken: true,
    isArticle: article && to === at + 1,
    isDecimal: false,
  });
  let { to } = group;
  let total = group.value;
  for (const [names, size] of [
    [words.million, 1_000_000],
    [words.thousand, 1000],
  ] as const) {
    const name = tokens[to];
    if (name?.kind !== 'word' || !names.has(name.folded)) continue;
    total *= size;
    const rest =
      (names === words.million ? thousandsAt(tokens, to + 1, words) : undefined) ?? restAt(tokens, to + 1, words);
    to = rest?.to ?? to + 1;
    total += rest?.value ?? 0;
  }
  return spoken(to, total);
}

/** The thousands that follow millions: "three hundred thousand". */
function thousandsAt(
  tokens: readonly Token[],
  at: number,
  words: NumberWords,
): { to: number; value: number } | undefined {
  const start = words.and.has(tokens[at]?.folded ?? '') ? at + 1 : at;
  const count = belowThousand(tokens, start, words);
  if (!count || !words.thousand.has(tokens[count.to]?.folded ?? '')) return undefined;
  const rest = restAt(tokens, count.to + 1, words);
  return { to: rest?.to ?? count.to + 1, value: count.value * 1000 + (rest?.value ?? 0) };
}

/** The rest that follows thousands: "mil e duzentos", "two thousand twenty six", "mil e 200" as a model wrote it. */
function restAt(tokens: readonly Token[], at: number, words: NumberWords): { to: number; value: number } | undefined {
  const hasAnd = tokens[at]?.kind === 'word' && words.and.has(elementAt(tokens, at).folded);
  const written = tokens[hasAnd ? at + 1 : at];
  if (written?.kind === 'figure' && /^[1-9]\d\d$/.test(written.text))
    return { to: hasAnd ? at + 2 : at + 1, value: Number(written.text) };
  const rest = belowThousand(tokens, hasAnd ? at + 1 : at, words);
  if (!rest || rest.value === 0 || words.thousand.has(tokens[rest.to]?.folded ?? '')) return undefined;
  // "mil um"? A unit follows a thousand only with its "e".
  return !hasAnd && rest.value < 10 && words.needsAnd.hundreds ? undefined : rest;
}

function figureAt(tokens: readonly Token[], at: number, words: NumberWords): Numeral | undefined {
  const text = tokens[at]?.text ?? '';
  const digits = parseDigits(text, words.decimalSign);
  if (digits === undefined) return undefined;
  const thousand = tokens[at + 1];
  if (thousand?.kind === 'word' && words.hundred.has(thousand.folded) && /^[1-9]\d?$/.test(digits))
    return hundredsAt(tokens, at + 2, digits, words);
  if (thousand?.kind === 'word' && words.thousand.has(thousand.folded) && /^\d{1,3}$/.test(digits)) {
    const rest = restAt(tokens, at + 2, words);
    const value = Number(digits) * 1000 + (rest?.value ?? 0);
    return { to: rest?.to ?? at + 2, digits: String(value), isSpoken: true, isArticle: false, isDecimal: false };
  }
  return { to: at + 1, digits, isSpoken: false, isArticle: false, isDecimal: digits.includes('.') };
}

/** "12 hundred", "1 hundred and 5". */
function hundredsAt(tokens: readonly Token[], at: number, hundreds: string, words: NumberWords): Numeral {
  const from = words.and.has(tokens[at]?.folded ?? '') ? at + 1 : at;
  const rest = unscaledAt(tokens, from, words);
  const isRest = rest !== undefined && Number(rest.digits) > 0 && Number(rest.digits) < 100;
  const value = Number(hundreds) * 100 + (isRest ? Number(rest.digits) : 0);
  return { to: isRest ? rest.to : at, digits: String(value), isSpoken: true, isArticle: false, isDecimal: false };
}

/** The figure or digits in words for one decimal place, or several ("zero cinco", "vinte e cinco"). */
export function decimalsAt(
  tokens: readonly Token[],
  at: number,
  words: NumberWords,
  isDigitByDigit: boolean,
): { to: number; digits: string } | undefined {
  const digitAt = (place: number): string => {
    const token = tokens[place];
    if (token?.kind === 'figure') return /^\d$/.test(token.text) ? token.text : '';
    if (token?.kind !== 'word' || isFeminine(token)) return '';
    const value = words.values.get(token.folded);
    return value !== undefined && value < 10 ? String(value) : '';
  };
  const first = digitAt(at);
  if (first === '0' || (first !== '' && isDigitByDigit && unscaledAt(tokens, at, words)?.to === at + 1)) {
    let to = at;
    let digits = '';
    while (to < at + 6 && digitAt(to) !== '') {
      digits += digitAt(to);
      to += 1;
    }
    // "zero vinte e cinco": a separate number follows the zeros.
    const rest = /^0+$/.test(digits) ? integerAt(tokens, to, words) : undefined;
    return rest && Number(rest.digits) < 100 && !rest.isDecimal
      ? { to: rest.to, digits: digits + rest.digits }
      : { to, digits };
  }
  const number = unscaledAt(tokens, at, words);
  return number && Number(number.digits) < 1000 ? number : undefined;
}

/** A whole number without the million or thousand after it: the "two" of "one point two million". */
function unscaledAt(
  tokens: readonly Token[],
  at: number,
  words: NumberWords,
): { to: number; digits: string } | undefined {
  const token = tokens[at];
  if (token?.kind === 'figure') return /^\d+$/.test(token.text) ? { to: at + 1, digits: token.text } : undefined;
  const found = belowThousand(tokens, at, words);
  return found && { to: found.to, digits: String(found.value) };
}

/** The decimal number with the thousand after it: "one point five thousand" is 1500. A million stays a word. */
export function thousandfold(tokens: readonly Token[], numeral: Numeral, { thousand }: NumberWords): Numeral {
  const name = tokens[numeral.to];
  if (name?.kind !== 'word' || !thousand.has(name.folded)) return numeral;
  const [whole = '', decimals = ''] = numeral.digits.split('.');
  const [moved, rest] = [whole + decimals.padEnd(3, '0').slice(0, 3), decimals.slice(3)];
  const digits = `${moved.replace(/^0+(?=\d)/, '')}${rest === '' ? '' : `.${rest}`}`;
  return { ...numeral, to: numeral.to + 1, digits, isDecimal: rest !== '' };
}

/** "três vírgula cinco duas lesões": a number that agrees with a noun is no decimal place. */
export const isFeminine = (token: Token): boolean => /^(?:uma|duas|una)$/.test(token.folded);

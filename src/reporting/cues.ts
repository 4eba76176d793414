/**
 * Cues that reverse or scale the meaning of neighbouring words: signs, decimal marks, question marks, units and
 * denials, in words or as symbols. The same reading serves transcripts and written text; it uses the tables of the
 * language and nothing else of the steps, so that it finds what they lose.
 */
import type { Language } from '../contract/shared.ts';
import { fold, phraseList, wordSet } from '../domain/fold.ts';
import { tables } from './languages/index.ts';
import { indexPhrases, phraseWords } from './words/phrases.ts';
import type { PhraseIndex } from './words/phrases.ts';
import { readUnits } from './numbers/units.ts';
import type { Span } from './words/token.ts';
import { elementAt } from '../domain/elements.ts';

/** A word, a number, or one mark of a text. */
export interface Lexeme extends Span {
  readonly kind: 'word' | 'number' | 'mark';
  readonly text: string;
  readonly folded: string;
  /** Whether white space precedes it. */
  readonly isSpaced: boolean;
}

export interface Cue {
  readonly kind: 'sign' | 'decimal' | 'comma' | 'question' | 'unit' | 'denial';
  /** Equal for a cue in words and its symbol. */
  readonly value: string;
  /** Its lexemes, `from` up to, not including, `to`. */
  readonly from: number;
  readonly to: number;
  /** Including the lexemes that it belongs to. */
  readonly first: number;
  readonly last: number;
  /** Otherwise it may be an ordinary word or mark. */
  readonly isSure: boolean;
}

export interface CueText {
  readonly lexemes: readonly Lexeme[];
  readonly cues: readonly Cue[];
}

type CueName = Pick<Cue, 'kind' | 'value'>;

interface CueWords {
  readonly phrases: PhraseIndex<CueName>;
  /** Written units ("mAs", "T") → the part before the denominator. */
  readonly symbols: ReadonlyMap<string, string>;
  readonly articles: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  readonly thousand: ReadonlySet<string>;
  readonly million: ReadonlySet<string>;
  readonly sign: '.' | ',';
}

/** The written "m/s" is metres, as in "metros por segundo"; "mGy·cm" is milligrays. */
const findBase = (symbol: string): string => {
  const [first = '', rest = ''] = [symbol.slice(0, 1), symbol.slice(1)];
  return first + rest.slice(0, rest.search(/[/·]|$/));
};

const known = new Map<Language, CueWords>();

function findWords(language: Language): CueWords {
  const words = known.get(language) ?? readWords(language);
  known.set(language, words);
  return words;
}

function readWords(language: Language): CueWords {
  const { numbers, units, marks, facts } = tables[language];
  const { small, tens, hundreds, also, hundred, thousand, million, decimal, half, signs, minus, superlatives } =
    numbers;
  const named = (list: string, kind: Cue['kind'], value: string): [string, CueName][] =>
    phraseList(list).map((phrase) => [phrase, { kind, value }]);
  const each = (words: string): string => words.trim().split(/\s+/).join(', ');
  const comma = decimal.sign === ',' ? 'comma' : 'point';
  const measured = [...readUnits(units).units.values()].flat();
  const entries: [string, CueName][] = [
    ...Object.entries(signs).flatMap(([phrase, sign]) => named(phrase, 'sign', sign)),
    ...named(each(minus.spoken), 'sign', '-'),
    ...named(each(decimal.spoken), 'decimal', comma),
    ...named(each(`${decimal.point} ${decimal.unsure}`), 'decimal', 'perhaps'),
    ...named(`${half.after}, ${half.alone}`, 'decimal', 'half'),
    ...marks.marks.filter(({ out }) => out === '?').flatMap(({ phrases }) => named(phrases, 'question', '?')),
    ...named(facts.negations, 'denial', 'not'),
    ...measured.flatMap(({ words, value: { symbol } }): [string, CueName][] =>
      symbol === null ? [] : [[words.join(' '), { kind: 'unit', value: findBase(symbol) }]],
    ),
  ];
  return {
    phrases: indexPhrases(entries),
    symbols: new Map(
      measured.flatMap(({ value: { symbol } }) => (symbol === null ? [] : [[symbol, findBase(symbol)]])),
    ),
    articles: wordSet(superlatives.articles),
    numbers: new Set(phraseWords([small, tens, hundreds, ...Object.keys(also), hundred, thousand, million].join(' '))),
    thousand: wordSet(thousand),
    million: wordSet(million),
    sign: decimal.sign,
  };
}

const lexemePattern =
  /(?<=\p{N})[xX](?=[.,]?\p{N})|\p{L}[\p{L}\p{M}\p{N}'’]*|(?:(?<![\p{L}\p{M}\p{N}.,!?…)\]”»])|(?<=\p{N}[xX]))[.,]\p{Nd}+|\p{N}+(?:[.,]\p{Nd}+)*|\S/gu;

function readLexemes(text: string): Lexeme[] {
  let end = -1;
  return Array.from(text.matchAll(lexemePattern), ({ 0: piece, index: start }): Lexeme => {
    const isSpaced = start !== end;
    end = start + piece.length;
    const kind = /^\p{L}/u.test(piece) ? 'word' : /\p{N}$/u.test(piece) ? 'number' : 'mark';
    return { kind, text: piece, folded: kind === 'word' ? fold(piece) : piece, isSpaced, start, end };
  });
}

/** Reads a text in its normal form (NFC), in time that is linear in its length. */
export function readCues(text: string, language: Language): CueText {
  const lexemes = readLexemes(text);
  const words = findWords(language);
  const cues: Cue[] = [];
  for (let at = 0; at < lexemes.length; at += 1) {
    const cue = elementAt(lexemes, at).kind === 'word' ? spokenAt(lexemes, at, words) : writtenAt(lexemes, at, words);
    if (!cue) continue;
    cues.push(cue);
    at = cue.to - 1;
  }
  return { lexemes, cues };
}

/** The lexeme at a place, or the next one in a direction that is no mark; `undefined`: there is none. */
function wordFrom(lexemes: readonly Lexeme[], at: number, step: 1 | -1): number | undefined {
  for (let place = at, seen = 0; seen < 4 && lexemes[place]; place += step, seen += 1)
    if (elementAt(lexemes, place).kind !== 'mark') return place;
  return undefined;
}

const isNumber = (lexeme: Lexeme | undefined, { numbers }: CueWords): boolean =>
  lexeme?.kind === 'number' || (lexeme?.kind === 'word' && numbers.has(lexeme.folded));

const signs: Readonly<Record<string, string>> = { '−': '-', '–': '-', '—': '-', '≈': '~' };

function writtenAt(lexemes: readonly Lexeme[], at: number, words: CueWords): Cue | undefined {
  const [before, lexeme, next] = [lexemes[at - 1], elementAt(lexemes, at), lexemes[at + 1]];
  const { text } = lexeme;
  const cue = (kind: Cue['kind'], value: string, first: number, last: number, to = at + 1): Cue => ({
    kind,
    value,
    from: at,
    to,
    first,
    last,
    isSure: kind !== 'comma',
  });
  if (lexeme.kind === 'number') return hasDecimals(text, words.sign) ? cue('decimal', 'point', at, at) : undefined;
  const isJoined = before !== undefined && !lexeme.isSpaced && (before.kind !== 'mark' || before.text === ')');
  if (/^[-−–—+]$/.test(text) && next?.kind === 'number' && !next.isSpaced && !isJoined)
    return cue('sign', signs[text] ?? text, at, at + 1);
  if (/^[<>≤≥±~≈]$/.test(text) && next?.kind === 'number') return cue('sign', signs[text] ?? text, at, at + 1);
  if (text === '%' || text === '°') {
    const isScale = text === '°' && next?.isSpaced === false && /^[CF]$/i.test(next.text);
    const [value, to] = isScale ? [`°${next.text.toUpperCase()}`, at + 2] : [text, at + 1];
    return { ...cue('unit', value, Math.max(0, at - 1), at, to), isSure: isNumber(before, words) };
  }
  if (text === ',' && next && next.kind !== 'mark') return cue('comma', ',', at, at + 1);
  return text === '?' ? questionAt(lexemes, at, cue) : undefined;
}

/** It belongs to the word before it, to the one after it ("?fracture"), or perhaps to both ("opacity ? pneumonia"). */
function questionAt(
  lexemes: readonly Lexeme[],
  at: number,
  cue: (kind: 'question', value: string, first: number, last: number) => Cue,
): Cue | undefined {
  const [before, after] = [wordFrom(lexemes, at - 1, -1), wordFrom(lexemes, at + 1, 1)];
  if (before === undefined) return after === undefined ? undefined : cue('question', '?', at, after);
  const isBehind = !elementAt(lexemes, at).isSpaced && !/^[([{:]$/.test(elementAt(lexemes, at - 1).text);
  if (isBehind || after === undefined) return cue('question', '?', before, at);
  const isBeside = elementAt(lexemes, at).isSpaced && elementAt(lexemes, at + 1).isSpaced;
  return cue('question', '?', isBeside ? before : at, after);
}

/** A decimal sign, and no sign of thousands or of a date. */
function hasDecimals(text: string, sign: '.' | ','): boolean {
  const marks = text.match(/[.,]/g) ?? [];
  if (marks.length > 1) return marks.at(-1) !== marks[0];
  return marks.length === 1 && (marks[0] === sign || !/^[1-9]\p{Nd}{0,2}[.,]\p{Nd}{3}$/u.test(text));
}

function spokenAt(lexemes: readonly Lexeme[], at: number, words: CueWords): Cue | undefined {
  const symbol = isNumber(lexemes[at - 1], words) ? words.symbols.get(elementAt(lexemes, at).text) : undefined;
  const phrase = phraseFrom(lexemes, at, words.phrases);
  // "mm de mercúrio" is longer than "mm".
  const found =
    symbol === undefined || (phrase !== undefined && phrase.to > at + 1)
      ? phrase
      : { to: at + 1, value: { kind: 'unit' as const, value: symbol } };
  if (!found) return undefined;
  const { to, value: named } = found;
  const after = wordFrom(lexemes, to, 1) ?? to - 1;
  const cue = { ...named, from: at, to, first: at, last: after, isSure: true };
  switch (named.kind) {
    case 'sign':
      // "El mayor de 12 mm" compares with nothing.
      return /[<>]/.test(named.value) && words.articles.has(lexemes[at - 1]?.folded ?? '') ? undefined : cue;
    case 'question':
      return { ...cue, first: wordFrom(lexemes, at - 1, -1) ?? at };
    case 'denial':
      return { ...cue, last: to - 1 };
    case 'unit': {
      const isAfterNumber = isNumber(lexemes[at - 1]?.text === '-' ? lexemes[at - 2] : lexemes[at - 1], words);
      const isLetter = elementAt(lexemes, at).text.length === 1 && to === at + 1;
      // "5 m", and not "n 1 M 0".
      if (isLetter && symbol === undefined) return undefined;
      // "Por cento e vinte" is perhaps "by 120".
      const isFactor = isNumber(lexemes[to - 1], words) && [to, to + 1].some((next) => isNumber(lexemes[next], words));
      return { ...cue, first: Math.max(0, at - 1), last: to - 1, isSure: isAfterNumber && !isLetter && !isFactor };
    }
    default:
      return { ...cue, ...decimalAt(lexemes, at, to, named.value, words), first: Math.max(0, at - 1) };
  }
}

/** Whether the written text has a spoken decimal sign, as one or as the comma of a list. */
function decimalAt(
  lexemes: readonly Lexeme[],
  at: number,
  to: number,
  value: string,
  words: CueWords,
): Pick<Cue, 'value' | 'isSure'> {
  if ((value !== 'point' && value !== 'comma') || !isNumber(lexemes[to], words)) return { value, isSure: false };
  let end = to;
  while (isNumber(lexemes[end], words)) end += 1;
  const has = (scale: ReadonlySet<string>): boolean => lexemes.slice(to, end).some(({ folded }) => scale.has(folded));
  const isSure = isNumber(lexemes[at - 1], words) || phraseFrom(lexemes, end, words.phrases)?.value.kind === 'unit';
  // "One point five thousand" is 1500, and "dois vírgula um milhões" is no list.
  return { value: has(words.million) ? 'point' : value, isSure: isSure && !has(words.thousand) };
}

/** The longest phrase that begins at the lexeme `at`; a hyphen separates words as a space does. */
function phraseFrom<T>(
  lexemes: readonly Lexeme[],
  at: number,
  index: PhraseIndex<T>,
): { readonly value: T; readonly to: number } | undefined {
  for (const { words, value } of index.get(lexemes[at]?.folded ?? '') ?? []) {
    let place = at;
    const isThere = words.every((word, n) => {
      if (n > 0 && lexemes[place]?.text === '-' && !elementAt(lexemes, place).isSpaced) place += 1;
      place += 1;
      return lexemes[place - 1]?.folded === word;
    });
    if (isThere) return { value, to: place };
  }
  return undefined;
}

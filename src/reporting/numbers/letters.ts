/** Spoken names of letters, and abbreviations that are spelled with them. */
import { wordList, wordSet } from '../../domain/fold.ts';
import { markers, markerSeries } from '../languages/markers.ts';
import type { TermTables } from '../languages/tables.ts';
import type { Token } from '../words/token.ts';
import type { Conversion } from './conversion.ts';
import type { NumberReading } from './reading.ts';
import { elementAt } from '../../domain/elements.ts';

export interface LetterWords {
  /** Name of a letter, in lower case and with its accents → the letter. */
  readonly letters: ReadonlyMap<string, string>;
  readonly unsure: ReadonlySet<string>;
  /** Abbreviation in capitals → its written form. */
  readonly abbreviations: ReadonlyMap<string, string>;
  readonly onlySpelled: ReadonlySet<string>;
  readonly maxWords: number;
}

export function readLetters(terms: TermTables): LetterWords {
  const letters = Object.entries(terms.letters).flatMap(([letter, names]) =>
    wordList(names).map((name) => [name, letter] as const),
  );
  const abbreviations = wordList(terms.abbreviations).map((each) => [each.toUpperCase(), each] as const);
  return {
    letters: new Map(letters),
    unsure: wordSet(terms.unsureLetters),
    abbreviations: new Map(abbreviations),
    onlySpelled: wordSet(terms.onlySpelled),
    maxWords: Math.max(...abbreviations.map(([each]) => each.length)),
  };
}

export interface Letter {
  readonly letter: string;
  /** Cannot be another word. */
  readonly isSure: boolean;
}

/** The longest name of a letter has this many letters. */
const maxNameLetters = 8;

/** The letter that a token names. */
export function letterAt(tokens: readonly Token[], at: number, words: LetterWords): Letter | undefined {
  const token = tokens[at];
  if (token?.kind !== 'word' || token.text.length > maxNameLetters) return undefined;
  const known = words.letters.get(token.text);
  if (known !== undefined) return { letter: known, isSure: !words.unsure.has(token.text) };
  const name = token.text.toLowerCase();
  const letter = words.letters.get(name);
  // TE is an abbreviation, "te" a letter.
  if (letter === undefined || (name.length > 1 && token.text === token.text.toUpperCase())) return undefined;
  return { letter, isSure: !words.unsure.has(name) };
}

/** Letters that spell a known abbreviation, or one in lower case. */
export function abbreviationAt(tokens: readonly Token[], at: number, words: LetterWords): Conversion | undefined {
  const token = tokens[at];
  if (token?.kind !== 'word' || token.text.length > maxNameLetters) return undefined;
  const known = words.abbreviations.get(token.text.toUpperCase());
  if (known !== undefined) {
    const isLoose = token.text !== known && !words.onlySpelled.has(token.folded) && /^.\p{Ll}*$/u.test(token.text);
    return isLoose ? { rule: 'abbreviation', to: at + 1, pieces: [{ from: at, to: at + 1, text: known }] } : undefined;
  }
  let spelled = '';
  let isSure = false;
  let found: Conversion | undefined;
  for (let to = at; to < at + words.maxWords; to += 1) {
    const letter = letterAt(tokens, to, words);
    if (!letter) break;
    spelled += letter.letter;
    isSure ||= letter.isSure;
    const text = words.abbreviations.get(spelled);
    // Three letters of a known abbreviation are no coincidence.
    if (text !== undefined && to > at && (isSure || spelled.length > 2)) {
      found = { rule: 'abbreviation', to: to + 1, pieces: [{ from: at, to: to + 1, text }] };
    }
  }
  return found;
}

/** Letters in capitals → digits → the marker as it is written. */
const markersByLetters = Map.groupBy(markers, (name) => name.replace(/[^A-Za-z]/g, '').toUpperCase());
const digitsIn = (text: string): string => text.replace(/\D/g, '');

/** The most letters of a marker, each with a name, and the most numbers of one: "CA one twenty five". */
const maxLetters = 4;
const maxNumbers = 3;

/** A marker with its number: "cê dê vinte" → CD20, "K I 67" → Ki-67. */
export function markerAt(
  tokens: readonly Token[],
  at: number,
  { reading, words }: { reading: NumberReading; words: LetterWords },
): Conversion | undefined {
  const convert = (to: number, text: string): Conversion => ({ rule: 'marker', to, pieces: [{ from: at, to, text }] });
  const glued = /^(\p{L}+)(\d+)$/u.exec(tokens[at]?.text ?? '');
  if (glued) {
    const name = nameMarker(elementAt(glued, 1).toUpperCase(), elementAt(glued, 2));
    return name === undefined ? undefined : convert(at + 1, name);
  }
  let spelled = '';
  for (let to = at; to < at + maxLetters; to += 1) {
    const token = tokens[to];
    if (token?.kind !== 'word') return undefined;
    const isWhole = to === at && token.text.length > 1 && isMarkerName(token.text.toUpperCase());
    spelled += isWhole ? token.text.toUpperCase() : (letterAt(tokens, to, words)?.letter ?? ' ');
    if (!isMarkerName(spelled)) continue;
    const named = markerWith(spelled, tokens, to + 1, reading);
    if (named) return convert(named.to, named.text);
    const [joint, numeral] = [markerSeries[spelled], reading.numerals.get(to + 1)];
    if (joint === undefined) continue;
    if (!numeral || numeral.isDecimal || Number(numeral.digits) > 200) return undefined;
    return convert(numeral.to, `${spelled}${joint}${numeral.digits}`);
  }
  return undefined;
}

/** Whether the letters, in capitals, are those of a marker. */
export const isMarkerName = (letters: string): boolean => letters in markerSeries || markersByLetters.has(letters);

const nameMarker = (letters: string, digits: string): string | undefined =>
  markersByLetters.get(letters)?.find((name) => digitsIn(name) === digits);

/** The marker whose number follows, perhaps in parts, or behind a comma of the recogniser. */
function markerWith(
  letters: string,
  tokens: readonly Token[],
  from: number,
  { numerals }: NumberReading,
): { readonly text: string; readonly to: number } | undefined {
  const isJoint = (place: number): boolean => /^[,-]$/.test(tokens[place]?.text ?? '');
  let digits = '';
  let to = from;
  for (let count = 0; count < maxNumbers; count += 1) {
    const numeral = numerals.get(isJoint(to) ? to + 1 : to);
    if (!numeral || numeral.isDecimal) return undefined;
    digits += numeral.digits;
    ({ to } = numeral);
    const text = nameMarker(letters, digits);
    if (text !== undefined) return { text, to };
  }
  return undefined;
}

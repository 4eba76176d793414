/** Spoken names of letters, and abbreviations that are spelled with them. */
import { wordList, wordSet } from '../../domain/fold.ts';
import type { TermTables } from '../languages/tables.ts';
import type { Token } from '../words/token.ts';
import type { Conversion } from './conversion.ts';
import type { NumberReading } from './reading.ts';

export interface LetterWords {
  /** Name of a letter, in lower case and with its accents → the letter. */
  readonly letters: ReadonlyMap<string, string>;
  readonly unsure: ReadonlySet<string>;
  /** Abbreviation in capitals → its written form. */
  readonly abbreviations: ReadonlyMap<string, string>;
  readonly onlySpelled: ReadonlySet<string>;
  /** Abbreviation → its joint with a number. */
  readonly numbered: ReadonlyMap<string, string>;
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
    numbered: new Map(Object.entries(terms.numbered)),
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

/** A marker with its number: "cê dê vinte" → CD20. */
export function numberedAt(
  tokens: readonly Token[],
  at: number,
  { reading, words }: { reading: NumberReading; words: LetterWords },
): Conversion | undefined {
  let spelled = '';
  for (let to = at; to < at + 4; to += 1) {
    const token = tokens[to];
    if (token?.kind !== 'word') return undefined;
    spelled +=
      to === at && token.text.length > 1 && words.numbered.has(token.text.toUpperCase())
        ? token.text.toUpperCase()
        : (letterAt(tokens, to, words)?.letter ?? ' ');
    const joint = words.numbered.get(spelled);
    if (joint === undefined) continue;
    const numeral = reading.numerals.get(to + 1);
    if (!numeral || numeral.isDecimal || Number(numeral.digits) > 200) return undefined;
    return {
      rule: 'marker',
      to: numeral.to,
      pieces: [{ from: at, to: numeral.to, text: `${spelled}${joint}${numeral.digits}` }],
    };
  }
  return undefined;
}

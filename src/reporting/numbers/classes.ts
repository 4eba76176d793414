/** Classes and categories: "grau dois" → grau II, "birads quatro a" → BI-RADS 4A. */
import { wordList, wordSet } from '../../domain/fold.ts';
import { eponyms } from '../languages/names.ts';
import { rads } from '../languages/rads.ts';
import type { Rads } from '../languages/rads.ts';
import type { ClassRow, TermTables } from '../languages/tables.ts';
import { endsClause, indexPhrases, indexRows, phraseAt, phraseSet } from '../words/phrases.ts';
import type { PhraseIndex } from '../words/phrases.ts';
import type { Token } from '../words/token.ts';
import type { Conversion, Piece } from './conversion.ts';
import { roman } from './figures.ts';
import { letterAt } from './letters.ts';
import type { LetterWords } from './letters.ts';
import type { NumberReading } from './reading.ts';
import { unitAt } from './units.ts';
import type { UnitWords } from './units.ts';
import { elementAt } from '../../domain/elements.ts';

export interface ClassWords {
  readonly classes: PhraseIndex<ClassRow>;
  readonly rads: PhraseIndex<Rads>;
  readonly category: ReadonlySet<string>;
  readonly afterLetter: ReadonlySet<string>;
  /** Between the numbers of a class: "II, III e IV", "I a II". */
  readonly joints: ReadonlySet<string>;
  readonly markers: PhraseIndex<true>;
  /** Words that agree with a noun, and so are not the number of a class: "tipo uma". */
  readonly counting: ReadonlySet<string>;
  readonly notAfterOne: ReadonlySet<string>;
  /** Between the numbers of a sum: "três mais quatro igual a sete" → 3+4=7. */
  readonly sums: PhraseIndex<string>;
  readonly outOf: ReadonlySet<string>;
  /** Names of persons, as they are written. */
  readonly names: PhraseIndex<string>;
  readonly letters: LetterWords;
  readonly units: UnitWords;
}

export function readClasses(
  terms: TermTables,
  joints: string,
  markers: string,
  { letters, units }: { letters: LetterWords; units: UnitWords },
): ClassWords {
  return {
    classes: indexRows(terms.classes),
    rads: indexRows(rads),
    category: wordSet(terms.category),
    afterLetter: wordSet(terms.afterLetter),
    joints: wordSet(joints),
    markers: phraseSet(markers),
    counting: wordSet(terms.counting),
    notAfterOne: wordSet(terms.notAfterOne),
    sums: indexPhrases(Object.entries(terms.sums)),
    outOf: wordSet(terms.outOf),
    names: indexPhrases(eponyms),
    letters,
    units,
  };
}

interface Context {
  readonly reading: NumberReading;
  readonly words: ClassWords;
}

/** The allowed numbers of a class. */
interface Form {
  readonly style: 'roman' | 'arabic';
  readonly max: number;
  readonly lettersFor: (digits: string) => string;
  readonly alone: string;
  readonly isSure: boolean;
  readonly isSum: boolean;
}

interface Value {
  readonly to: number;
  readonly text: string;
}

/** Whether a letter is one here, not a word: "4 a na mama", and not "2 a esquerda". */
const isLetter = (
  tokens: readonly Token[],
  at: number,
  isSure: boolean,
  { afterLetter, markers }: ClassWords,
): boolean =>
  isSure ||
  !elementAt(tokens, at).spaced ||
  endsClause(tokens, at + 1) ||
  afterLetter.has(tokens[at + 1]?.folded ?? '') ||
  phraseAt(tokens, at + 1, markers) !== undefined;

/** The letter after a number: 4A, IIF, IVb. */
function suffixAt(tokens: readonly Token[], at: number, allowed: string, words: ClassWords): Value | undefined {
  const named = letterAt(tokens, at, words.letters);
  const letter = named && [...allowed].find((each) => each.toUpperCase() === named.letter);
  if (!named || letter === undefined || !isLetter(tokens, at, named.isSure, words)) return undefined;
  return { to: at + 1, text: letter };
}

/** A figure that is written in its class already: "4a", "IV", "2F". */
function writtenAt(tokens: readonly Token[], at: number, form: Form): Value | undefined {
  const token = tokens[at];
  if (token?.kind !== 'word') return undefined;
  const found = /^(i{1,3}|iv|vi{0,3})([a-f]?)$/i.exec(token.text);
  if (!found || form.style !== 'roman') return undefined;
  const [, number = '', letter = ''] = found;
  const suffix = [...form.lettersFor('')].find((each) => each.toUpperCase() === letter.toUpperCase());
  // "i" alone is a letter, and a word.
  if ((letter !== '' && suffix === undefined) || (token.text.length === 1 && token.text !== 'I' && token.text !== 'V'))
    return undefined;
  return { to: at + 1, text: number.toUpperCase() + (suffix ?? '') };
}

function valueAt(tokens: readonly Token[], at: number, form: Form, { reading, words }: Context): Value | undefined {
  const alone = letterAt(tokens, at, words.letters);
  if (alone && form.alone.includes(alone.letter) && isLetter(tokens, at, alone.isSure || form.isSure, words)) {
    return { to: at + 1, text: alone.letter };
  }
  const numeral = reading.numerals.get(at);
  if (!numeral) return writtenAt(tokens, at, form);
  const { digits } = numeral;
  if (numeral.isDecimal || Number(digits) > form.max || words.counting.has(elementAt(tokens, at).folded))
    return undefined;
  if (unitAt(tokens, numeral.to, words.units) || startsPhrase(tokens, numeral.to, digits, words)) return undefined;
  const suffix = suffixAt(tokens, numeral.to, form.lettersFor(digits), words);
  const number = form.style === 'roman' && numeral.isSpoken ? roman(digits) : digits;
  if (number === undefined) return undefined;
  return suffix ? { to: suffix.to, text: number + suffix.text } : { to: numeral.to, text: number };
}

/** "tipo um pouco maior": a number word that belongs to the word after it. */
const startsPhrase = (tokens: readonly Token[], at: number, digits: string, { notAfterOne }: ClassWords): boolean =>
  digits === '1' && notAfterOne.has(tokens[at]?.folded ?? '');

/** Consecutive numbers of one class: "quatro, cinco e oito", "um a dois", "quatro a digo quatro b". */
function valuesAt(
  tokens: readonly Token[],
  at: number,
  form: Form,
  context: Context,
): { to: number; pieces: Piece[] } | undefined {
  const { words } = context;
  const first = valueAt(tokens, at, form, context);
  if (!first) return undefined;
  const pieces: Piece[] = [{ from: at, to: first.to, text: first.text }];
  let { to } = first;
  for (;;) {
    const joint = form.isSum ? (sumAt(tokens, to, words) ?? jointAt(tokens, to, words)) : jointAt(tokens, to, words);
    const value = joint && valueAt(tokens, joint.to, form, context);
    if (!joint || !value) {
      const parts = pieces.length === 1 ? partsAt(tokens, to, form, context) : undefined;
      return parts ? { to: parts.to, pieces: [...pieces, ...parts.pieces] } : { to, pieces };
    }
    const isTight = joint.text !== undefined;
    pieces.push({
      from: to,
      to: joint.to,
      ...(isTight && { text: joint.text }),
      isTight: isTight || !elementAt(tokens, to).spaced,
    });
    pieces.push({
      from: joint.to,
      to: value.to,
      text: value.text,
      isTight: isTight || !elementAt(tokens, joint.to).spaced,
    });
    ({ to } = value);
  }
}

interface Joint {
  readonly to: number;
  readonly text?: string | undefined;
}

/** "gleason sete três mais quatro": the sum, and what it is made of. */
function partsAt(
  tokens: readonly Token[],
  at: number,
  form: Form,
  context: Context,
): { to: number; pieces: Piece[] } | undefined {
  const first = form.isSum ? valueAt(tokens, at, form, context) : undefined;
  const plus = first && sumAt(tokens, first.to, context.words);
  const second = plus?.text === '+' ? valueAt(tokens, plus.to, form, context) : undefined;
  return (
    first && second && { to: second.to, pieces: [{ from: at, to: second.to, text: `(${first.text}+${second.text})` }] }
  );
}

/** "mais", "plus", `+` */
export const sumAt = (tokens: readonly Token[], at: number, { sums }: Pick<ClassWords, 'sums'>): Joint | undefined => {
  const found = phraseAt(tokens, at, sums);
  if (found) return { to: found.to, text: found.value };
  return /^[+=]$/.test(tokens[at]?.text ?? '') ? { to: at + 1, text: elementAt(tokens, at).text } : undefined;
};

/** ",", "e", ", e", "a", or a correction: "quatro a, digo, quatro b" */
function jointAt(tokens: readonly Token[], at: number, { joints, markers }: ClassWords): Joint | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  const afterComma = token.text === ',' ? at + 1 : at;
  const marker = phraseAt(tokens, afterComma, markers);
  if (marker) return { to: tokens[marker.to]?.text === ',' ? marker.to + 1 : marker.to };
  if (joints.has(tokens[afterComma]?.folded ?? '')) return { to: afterComma + 1 };
  return /^[,/-]$/.test(token.text) ? { to: at + 1 } : undefined;
}

const radsForm = ({ letters = {}, alone = '' }: Rads): Form => ({
  style: 'arabic',
  max: 6,
  lettersFor: (digits) => letters[digits] ?? '',
  alone,
  isSure: false,
  isSum: false,
});

const classForm = ({ style, max, letters = '', alone = '', isSure, isSum }: ClassRow): Form => ({
  style,
  max,
  lettersFor: () => letters,
  alone,
  isSure: isSure === true,
  isSum: isSum === true,
});

/** The name of a reporting system, with its category if one follows. */
export function radsAt(tokens: readonly Token[], at: number, context: Context): Conversion | undefined {
  const found = phraseAt(tokens, at, context.words.rads);
  if (!found) return undefined;
  const { value: row } = found;
  const start = overCategory(tokens, found.to, context.words);
  const values = valuesAt(tokens, start, radsForm(row), context);
  // "l r" is a name only before its category.
  if (row.joint !== undefined && (!values || start !== found.to)) return undefined;
  const name: Piece = { from: at, to: found.to, text: row.name };
  if (!values) return { rule: 'category', to: found.to, pieces: [name] };
  if (row.joint !== undefined) {
    const [first, ...rest] = values.pieces as [Piece, ...Piece[]];
    const joined = { from: at, to: first.to, text: `${row.name}${row.joint}${first.text}` };
    return { rule: 'category', to: values.to, pieces: [joined, ...rest] };
  }
  const between =
    start > found.to
      ? [{ from: found.to, to: start, ...(elementAt(tokens, found.to).spaced ? {} : { isTight: true }) }]
      : [];
  return { rule: 'category', to: values.to, pieces: [name, ...between, ...values.pieces] };
}

/** Skips "categoria", a hyphen or a colon between a system's name and its category. */
function overCategory(tokens: readonly Token[], at: number, { category }: ClassWords): number {
  let to = at;
  while (to < at + 3 && (category.has(tokens[to]?.folded ?? '') || /^[:-]$/.test(tokens[to]?.text ?? ''))) to += 1;
  return to;
}

/** Skips "of" between a score and its number. */
const overJoint = (tokens: readonly Token[], at: number, { joint = '' }: ClassRow): number =>
  wordList(joint).includes(tokens[at]?.folded ?? '') ? at + 1 : at;

/** A noun with its number in the form that the field writes. */
export function classAt(tokens: readonly Token[], at: number, context: Context): Conversion | undefined {
  const found = phraseAt(tokens, at, context.words.classes);
  if (!found) return undefined;
  const { value: row } = found;
  const isArabic = [tokens[at - 1], tokens[found.to + 1]].some(
    (token) => token?.kind === 'word' && wordList(row.arabicBeside ?? '').includes(token.folded),
  );
  const start = overCategory(tokens, overJoint(tokens, found.to, row), context.words);
  const form = classForm(isArabic ? { ...row, style: 'arabic' } : row);
  const values = scaledAt(tokens, start, context) ?? valuesAt(tokens, start, form, context);
  if (!values) return undefined;
  const next = context.reading.numerals.get(values.to);
  // "segments five six and seven": all of them, or none.
  if (next?.isSpoken && !next.isArticle && !unitAt(tokens, next.to, context.words.units)) return undefined;
  const noun = nounPieces(tokens, at, found.to, context.words);
  const joint = start > found.to ? [{ from: found.to, to: start }] : [];
  return { rule: row.style, to: values.to, pieces: [...noun, ...joint, ...values.pieces] };
}

/** "grade two over six": 2/6 */
function scaledAt(
  tokens: readonly Token[],
  at: number,
  { reading, words }: Context,
): { to: number; pieces: Piece[] } | undefined {
  const value = reading.numerals.get(at);
  const scale =
    value && words.outOf.has(tokens[value.to]?.folded ?? '') ? reading.numerals.get(value.to + 1) : undefined;
  if (!value || !scale || value.isDecimal || scale.isDecimal) return undefined;
  const [least, most] = [Number(value.digits), Number(scale.digits)];
  if (least > most || most > 10 || unitAt(tokens, scale.to, words.units)) return undefined;
  return { to: scale.to, pieces: [{ from: at, to: scale.to, text: `${least}/${most}` }] };
}

/** The noun, with names of persons and abbreviations in their written form: "gleason score" → "Gleason score". */
function nounPieces(tokens: readonly Token[], from: number, to: number, { names, letters }: ClassWords): Piece[] {
  const pieces: Piece[] = [];
  for (let at = from; at < to;) {
    const name = phraseAt(tokens, at, names);
    const isName = name !== undefined && name.to <= to;
    const end = isName ? name.to : at + 1;
    const text = isName
      ? name.value
      : to === from + 1
        ? letters.abbreviations.get(elementAt(tokens, at).text.toUpperCase())
        : undefined;
    pieces.push({ from: at, to: end, ...(text !== undefined && { text }) });
    at = end;
  }
  return pieces;
}

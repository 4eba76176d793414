/** Numbers that were spoken: "três vírgula cinco" → 3,5 and "sessenta por cento" → 60%. */
import type { Language } from '../../contract/shared.ts';
import { entryOf } from '../entry-of.ts';
import { adjoin, applyEdits, fold, wordList, wordsOf } from './words.ts';
import type { Edit, Word } from './words.ts';

interface NumberWords {
  /** Compared without accents; the place is the value. */
  readonly small: readonly string[];
  /** 20, 30, … 90. */
  readonly tens: readonly string[];
  /** 100, 200, … 900, where they are words of their own; else the word that makes hundreds of the units before it. */
  readonly hundreds: readonly (readonly string[])[];
  readonly timesHundred?: string;
  readonly also: Readonly<Record<string, number>>;
  /** Between hundreds, tens and units. */
  readonly and: string;
  /** Spoken between the whole and the decimals, and how it is written. */
  readonly decimal: { readonly spoken: string; readonly written: string };
  /** Spoken after the number. */
  readonly percent: readonly string[];
  /** "three point one four": decimals are said digit by digit. */
  readonly digitByDigit: boolean;
}

export const numberWords: Readonly<Record<Language, NumberWords>> = {
  'pt-BR': {
    small: wordList(
      `
        zero um dois tres quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete
        dezoito dezenove
      `,
    ),
    tens: wordList('vinte trinta quarenta cinquenta sessenta setenta oitenta noventa'),
    hundreds: [
      ['cem', 'cento'],
      ...wordList('duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos').map((w) => [
        w,
      ]),
    ],
    also: { uma: 1, duas: 2, catorze: 14 },
    and: 'e',
    decimal: { spoken: 'virgula', written: ',' },
    percent: ['por', 'cento'],
    digitByDigit: false,
  },
  'en-US': {
    small: wordList(
      `
        zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
        seventeen eighteen nineteen
      `,
    ),
    tens: wordList('twenty thirty forty fifty sixty seventy eighty ninety'),
    hundreds: [],
    timesHundred: 'hundred',
    also: { oh: 0 },
    and: 'and',
    decimal: { spoken: 'point', written: '.' },
    percent: ['percent', 'sign'],
    digitByDigit: true,
  },
  'es-ES': {
    small: wordList(
      `
        cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis
        diecisiete dieciocho diecinueve
      `,
    ),
    tens: wordList('veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa'),
    hundreds: [
      ['cien', 'ciento'],
      ...wordList(
        'doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos',
      ).map((w) => [w]),
    ],
    also: {
      un: 1,
      una: 1,
      veintiuno: 21,
      veintidos: 22,
      veintitres: 23,
      veinticuatro: 24,
      veinticinco: 25,
      veintiseis: 26,
      veintisiete: 27,
      veintiocho: 28,
      veintinueve: 29,
    },
    and: 'y',
    decimal: { spoken: 'coma', written: ',' },
    percent: ['por', 'ciento'],
    digitByDigit: false,
  },
};

function valueOf(word: string, of: NumberWords): number | undefined {
  const small = of.small.indexOf(word);
  if (small >= 0) return small;
  const tens = of.tens.indexOf(word);
  if (tens >= 0) return 20 + 10 * tens;
  const hundreds = of.hundreds.findIndex((words) => words.includes(word));
  return hundreds >= 0 ? 100 * (hundreds + 1) : entryOf(of.also, word);
}

/** Digits of a number of up to three digits given as words (`vinte e cinco` → `25`), or `undefined`. */
function parseNumber(words: readonly string[], of: NumberWords): string | undefined {
  if (words.length === 1 && /^\d+$/.test(words[0] ?? '')) return words[0];
  let total = 0;
  let room = 1000;
  let previousWasNumber = false;
  for (const word of words) {
    if (word === of.and && previousWasNumber) {
      previousWasNumber = false;
      continue;
    }
    if (word === of.timesHundred && total > 0 && total < 10) {
      total *= 100;
      room = 100;
      previousWasNumber = true;
      continue;
    }
    const value = valueOf(word, of);
    if (value === undefined || value >= room || (value === 0 && words.length > 1)) return undefined;
    total += value;
    room = value >= 100 ? 100 : value >= 20 ? 10 : 1;
    previousWasNumber = true;
  }
  return previousWasNumber ? String(total) : undefined;
}

/** Longest number in words: cento e vinte e cinco. */
const longestNumber = 5;

/** Whether the words from `from` to `to` follow one another with nothing but spaces or hyphens between. */
const areJoined = (text: string, words: readonly Word[], from: number, to: number): boolean =>
  words.slice(from + 1, to).every((word, i) => /^[\s-]+$/.test(text.slice(words[from + i]?.end ?? 0, word.start)));

interface Found {
  readonly digits: string;
  readonly from: number;
  readonly to: number;
}

function numberEndingBefore(text: string, words: readonly Word[], end: number, of: NumberWords): Found | undefined {
  for (let from = Math.max(0, end - longestNumber); from < end; from += 1) {
    const digits = areJoined(text, words, from, end)
      ? parseNumber(
          words.slice(from, end).map((word) => word.folded),
          of,
        )
      : undefined;
    if (digits !== undefined) return { digits, from, to: end };
  }
  return undefined;
}

function decimalsStartingAt(text: string, words: readonly Word[], from: number, of: NumberWords): Found | undefined {
  const said = (to: number): string[] => words.slice(from, to).map((word) => word.folded);
  // Digit by digit where that is how decimals are said, and after a zero everywhere ("zero cinco" → 05).
  const digitAt = (at: number): string => {
    const value = valueOf(words[at]?.folded ?? '', of);
    return value !== undefined && value < 10 && areJoined(text, words, from, at + 1) ? String(value) : '';
  };
  let digits = digitAt(from);
  if (digits === '0' || of.digitByDigit) {
    let to = from;
    for (digits = ''; to < from + longestNumber && digitAt(to) !== ''; to += 1) digits += digitAt(to);
    if (digits !== '') return { digits, from, to };
  }
  for (let to = Math.min(words.length, from + 3); to > from; to -= 1) {
    const number = areJoined(text, words, from, to) ? parseNumber(said(to), of) : undefined;
    if (number !== undefined) return { digits: number, from, to };
  }
  return undefined;
}

function withDecimals(text: string, of: NumberWords): string {
  const words = wordsOf(text);
  const edits: Edit[] = [];
  let free = 0;
  words.forEach((word, at) => {
    const [before, after] = [words[at - 1], words[at + 1]];
    if (word.folded !== of.decimal.spoken || at <= free || !before || !after) return;
    if (!adjoin(text, before, word) || !adjoin(text, word, after)) return;
    const whole = numberEndingBefore(text, words, at, of);
    const decimals = decimalsStartingAt(text, words, at + 1, of);
    const [first, last] = [words[whole?.from ?? -1], words[(decimals?.to ?? 0) - 1]];
    if (!whole || !decimals || !first || !last || whole.from < free) return;
    edits.push({ start: first.start, end: last.end, out: `${whole.digits}${of.decimal.written}${decimals.digits}` });
    free = decimals.to;
  });
  return applyEdits(text, edits);
}

function withPercents(text: string, of: NumberWords): string {
  const words = wordsOf(text);
  const edits: Edit[] = [];
  words.forEach((word, at) => {
    const before = words[at - 1];
    const last = words[at + of.percent.length - 1];
    const isSaid = of.percent.every((part, i) => words[at + i]?.folded === part);
    if (!isSaid || !before || !last || !adjoin(text, before, word) || !areJoined(text, words, at, at + 2)) return;
    const number = numberEndingBefore(text, words, at, of);
    const first = words[number?.from ?? -1];
    if (number && first) {
      const isWritten = number.to === number.from + 1 && /\d/.test(first.folded);
      edits.push({
        start: isWritten ? before.end : first.start,
        end: last.end,
        out: isWritten ? '%' : `${number.digits}%`,
      });
    }
  });
  return applyEdits(text, edits);
}

/** Writes spoken decimals and percentages in digits; other numbers stay as they were said. */
export function writeNumbers(text: string, language: Language): string {
  const of = numberWords[language];
  const folded = fold(text);
  const decimals = folded.includes(of.decimal.spoken) ? withDecimals(text, of) : text;
  return folded.includes(of.percent[1] ?? '') ? withPercents(decimals, of) : decimals;
}

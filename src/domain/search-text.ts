/**
 * Text as people look for it: without case, accents and the separators of DICOM names, each word by its beginning. A word
 * begins at a letter or digit that follows neither, and goes on to the next space: `SL-0042` is found as `sl-00`, `0042`,
 * and `42`, for leading zeros may be left out.
 */
import { isLetterOrDigit, withoutMarks } from './character-class.ts';
import { normalForm } from './normal-form.ts';

const isAscii = /^[\x00-\x7f]*$/;

/** Single characters that represent a sentence of 8 to 18 letters: nobody looks for its words. */
const sentences = /[\ufdfa\ufdfb]/g;

/** Lower case, without accents; spaces and separators stay. */
export const foldLetters = (text: string): string =>
  (isAscii.test(text) ? text : withoutMarks(normalForm(text.replace(sentences, ' '), 'NFKD'))).toLowerCase();

/** Folded, with the separators of DICOM names as spaces and single spaces: `TESTE^PACIENTE` becomes `teste paciente`. */
export const foldText = (text: string): string =>
  foldLetters(text)
    .replace(/[\s^=]+/g, ' ')
    .trim();

/** Several texts as one, folded; no word goes from one into the next. */
export const foldTexts = (texts: readonly (string | null)[]): string =>
  foldText(texts.filter((text) => text !== null).join('\n'));

const beforeWord = /^[^\p{L}\p{N}]+/u;

/** The beginnings of words that a query asks for, folded. A word with neither letter nor digit asks for nothing. */
export const wordsSought = (query: string): string[] => [
  ...new Set(
    foldText(query)
      .split(' ')
      .map((word) => word.replace(beforeWord, ''))
      .filter((word) => word !== ''),
  ),
];

/** A test whether texts together have, for every word of `query`, a word that begins with it. */
export function textSearch(query: string): (texts: readonly (string | null)[]) => boolean {
  const words = wordsSought(query);
  return (texts) => {
    const folded = foldTexts(texts);
    return words.every((word) => hasWord(folded, word));
  };
}

/** Whether a word of the folded text begins with `beginning`. */
export function hasWord(folded: string, beginning: string): boolean {
  for (let at = folded.indexOf(beginning); at >= 0; at = folded.indexOf(beginning, at + 1)) {
    if (isWordAt(folded, at)) return true;
  }
  return false;
}

/** Whether a word begins there, with or without leading zeros. */
export function isWordAt(folded: string, at: number): boolean {
  let start = at;
  if (isFrom1To9(folded.charCodeAt(at))) while (folded[start - 1] === '0') start--;
  return start === 0 || !isLetterOrDigit(codeBefore(folded, start));
}

/** All words of the folded text, with and without leading zeros, each cut off after so many characters. */
export function splitWords(folded: string, maxLength: number): string[] {
  const words: string[] = [];
  let wordEnd = -1;
  const add = (start: number): void => {
    if (start >= wordEnd) wordEnd = folded.indexOf(' ', start);
    if (wordEnd < 0) wordEnd = folded.length;
    words.push(folded.slice(start, Math.min(wordEnd, start + maxLength)));
  };
  let at = 0;
  let isInside = false;
  let onlyZeros = false;
  for (let code = folded.codePointAt(0); code !== undefined; code = folded.codePointAt(at)) {
    const isWord = isLetterOrDigit(code);
    if (isWord && (!isInside || (onlyZeros && isFrom1To9(code)))) add(at);
    at += code > 0xffff ? 2 : 1;
    onlyZeros = isWord && code === 0x30 && (!isInside || onlyZeros);
    isInside = isWord;
  }
  return words;
}

const isFrom1To9 = (code: number): boolean => code >= 0x31 && code <= 0x39;

/** The character that ends there. */
function codeBefore(text: string, end: number): number {
  const low = text.charCodeAt(end - 1);
  const isPair = low >= 0xdc00 && low < 0xe000 && end > 1;
  const code = isPair ? text.codePointAt(end - 2) : undefined;
  return code !== undefined && code > 0xffff ? code : low;
}

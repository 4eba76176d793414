/** Sentences: where they end, how they begin, and the spaces between. */
import { fold, wordList } from './words.ts';

/** Written with a full stop that ends no sentence (compared folded). */
const abbreviations = new Set(
  wordList(`
    dr dra sr sra srta mr mrs ms prof aprox approx ex eg ie vs cf fig obs ref tel no num art max min dx tx st jr etc
  `),
);

/** Whether the full stop that `before` ends with belongs to an abbreviation (`Dr.`, `J.`) and not to a sentence. */
function endsInAbbreviation(before: string): boolean {
  const word = /([\p{L}\p{M}]+)\.$/u.exec(before)?.[1];
  return word !== undefined && (abbreviations.has(fold(word)) || (word.length === 1 && /\p{Lu}/u.test(word)));
}

const sentenceEnd = /[.?!]["')\]”»]*(?=\s)|\n/g;

/** The sentences of a text, each with its own punctuation, trimmed; a line break ends one as well. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const match of text.matchAll(sentenceEnd)) {
    const end = match.index + match[0].length;
    if (match[0] === '.' && endsInAbbreviation(text.slice(Math.max(start, end - 16), end))) continue;
    sentences.push(text.slice(start, end).trim());
    start = end;
  }
  sentences.push(text.slice(start).trim());
  return sentences.filter((sentence) => sentence !== '');
}

const tidySpaces = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/ +([.,;:?!](?:\s|$))/g, '$1')
    .trim();

/** A word such as pH or mRNA has its own case. */
const hasOwnCase = (word: string): boolean => /^.\p{L}*\p{Lu}/u.test(word);

/** The text with a capital first, where there is one that stands for that letter alone (`ß` and `ϰ` stay). */
export function withCapital(text: string): string {
  const [small, large] = [text.charAt(0), text.charAt(0).toUpperCase()];
  return large.toLowerCase() === small ? large + text.slice(1) : text;
}

/** Begins each sentence with a capital and puts spaces in order; every word stays. */
export function tidy(text: string): string {
  const spaced = tidySpaces(text);
  return spaced.replace(
    /(^|\n|[.?!]["')\]”»]*\s)((?:[-*•]\s+)?["'(“«]*)(\p{Ll}[\p{L}\p{M}]*)/gu,
    (whole, before: string, opening: string, word: string, at: number) => {
      const isAbbreviated = before.startsWith('.') && endsInAbbreviation(spaced.slice(Math.max(0, at - 15), at + 1));
      return isAbbreviated ? whole : `${before}${opening}${hasOwnCase(word) ? word : withCapital(word)}`;
    },
  );
}

/** Ends a text of one paragraph with a full stop where it has no mark of its own, or one that leads on to nothing. */
export function closed(text: string): string {
  if (text.includes('\n')) return text;
  const ended = text.replace(/(?<![,;:\s])[\s,;:]+$/, '');
  return /[\p{L}\p{M}\p{N}%)"”»]$/u.test(ended) ? `${ended}.` : ended;
}

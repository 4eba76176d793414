/** Finds phrases of the tables among tokens. */
import { fold, phraseList } from '../../domain/fold.ts';
import { isQuery } from './sentences.ts';
import { isBoundary } from './token.ts';
import type { Token } from './token.ts';
import { normalForm } from '../../domain/normal-form.ts';

/** Phrases by their first word, the longest first, so that `ponto e vírgula` is found before `ponto`. */
export type PhraseIndex<T> = ReadonlyMap<string, readonly { readonly words: readonly string[]; readonly value: T }[]>;

/** The words of a phrase for comparison; a hyphen separates words as a space does. */
export const phraseWords = (phrase: string): string[] => fold(normalForm(phrase)).match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? [];

export function indexPhrases<T>(entries: Iterable<readonly [phrase: string, value: T]>): PhraseIndex<T> {
  const index = new Map<string, { words: readonly string[]; value: T }[]>();
  for (const [phrase, value] of entries) {
    const words = phraseWords(phrase);
    const first = words[0];
    if (first === undefined) continue;
    const found = index.get(first) ?? [];
    found.push({ words, value });
    index.set(first, found);
  }
  for (const found of index.values()) found.sort((a, b) => b.words.length - a.words.length);
  return index;
}

/** A list of phrases for membership tests. */
export const phraseSet = (phrases: string): PhraseIndex<true> =>
  indexPhrases(phraseList(phrases).map((phrase) => [phrase, true]));

/** Rows of a table, each by all of its phrases. */
export const indexRows = <T extends { readonly phrases: string }>(rows: readonly T[]): PhraseIndex<T> =>
  indexPhrases(rows.flatMap((row) => phraseList(row.phrases).map((phrase) => [phrase, row] as const)));

const isHyphen = (token: Token | undefined): boolean => token?.kind === 'mark' && token.text === '-';

/** The place of the next word, skipping a hyphen right after the word: `bi-rads` is two words. */
export const nextWord = (tokens: readonly Token[], at: number): number =>
  isHyphen(tokens[at]) && !tokens[at]?.spaced && at > 0 && tokens[at + 1]?.kind !== 'break' ? at + 1 : at;

function findEnd(tokens: readonly Token[], at: number, words: readonly string[]): number | undefined {
  let place = at;
  for (let i = 0; i < words.length; i += 1) {
    if (i > 0) place = nextWord(tokens, place);
    const token = tokens[place];
    if (token === undefined || token.folded !== words[i] || (token.kind !== 'word' && token.kind !== 'figure'))
      return undefined;
    place += 1;
  }
  return place;
}

export interface FoundPhrase<T> {
  readonly value: T;
  /** The token after the phrase. */
  readonly to: number;
}

/** The longest phrase that begins at the token `at`, its words separated only by white space or a hyphen. */
export function phraseAt<T>(tokens: readonly Token[], at: number, index: PhraseIndex<T>): FoundPhrase<T> | undefined {
  const first = tokens[at];
  if (first === undefined) return undefined;
  const candidates = index.get(first.folded);
  if (candidates === undefined) return undefined;
  for (const { words, value } of candidates) {
    const to = findEnd(tokens, at, words);
    if (to !== undefined) return { value, to };
  }
  return undefined;
}

/** The largest number of words from the first to the last of a loose phrase. */
const maxLooseWords = 10;

/**
 * The longest phrase that begins at the token `at`, with other words between its own: at most so many, each of which the
 * caller allows, and any fillers. Phrases of one word are not looked for.
 */
export function loosePhraseAt<T>(
  tokens: readonly Token[],
  at: number,
  index: PhraseIndex<T>,
  {
    max,
    isBetween,
    isFiller,
  }: {
    readonly max: number;
    readonly isBetween: (token: Token) => boolean;
    readonly isFiller: (token: Token) => boolean;
  },
): FoundPhrase<T> | undefined {
  for (const { words, value } of index.get(tokens[at]?.folded ?? '') ?? []) {
    let place = at + 1;
    let others = 0;
    let next = 1;
    for (let token = tokens[place]; token && next < words.length; token = tokens[place]) {
      if (token.kind === 'word' && token.folded === words[next]) next += 1;
      else if (others < max && isBetween(token)) others += 1;
      else if (!isFiller(token) || place > at + maxLooseWords) break;
      place += 1;
    }
    if (words.length > 1 && next === words.length) return { value, to: place };
  }
  return undefined;
}

/** The ends of all phrases that begin at the token `at`, the longest first. */
export const phraseEndsAt = (tokens: readonly Token[], at: number, index: PhraseIndex<unknown>): number[] =>
  (index.get(tokens[at]?.folded ?? '') ?? []).flatMap(({ words }) => findEnd(tokens, at, words) ?? []);

/** Whether a token begins a sentence: it is the first, or follows a mark that ends one. */
export function beginsSentence(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return before === undefined || isBoundary(before) || (/^[.?!;…]$/.test(before.text) && !isQuery(tokens, at - 1));
}

/** Whether the words end before the token `at`: at a mark, a break, or the end. */
export const endsClause = (tokens: readonly Token[], at: number): boolean => {
  const token = tokens[at];
  return token === undefined || isBoundary(token) || /^[.,;:?!…)]$/.test(token.text);
};

/** Finds words that no dictionary contains, and suggests corrections. Independent of threads and files. */
import type { Span } from '../../../../src/reporting/words/token.ts';
import { fieldsIn } from '../../../../src/reporting/vocabulary/macros.ts';
import { elementAt } from '../../../../src/domain/elements.ts';

export interface Dictionary {
  /** Looks up a word as written, or in lower case. */
  readonly has: (word: string) => boolean;
  /** Similar words, nearest first, with their distance in the dictionary's unit. */
  readonly near: (word: string) => readonly { readonly word: string; readonly cost: number }[];
}

export interface Speller {
  /** In text order. `known`: additional words, in lower case. */
  misspelt(text: string, known: ReadonlySet<string>): Span[];
  /** Most likely first; capitalised if `word` is. */
  suggest(word: string): string[];
}

/** Maximum number of suggestions. */
const maxSuggestions = 4;
/** A prefix is removed from longer words only: the rest must be a word. */
const shortestRest = 4;

/** A word: letters with inner apostrophes and hyphens. */
const words = /\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*/gu;
/** Characters that make an adjacent word part of a code or address: "L4", "T2-weighted", "pi_rads". */
const partOfCode = /[\p{N}_@/\\]/u;

/** All words of the texts, in lower case. */
export const wordsOf = (texts: Iterable<string>): Set<string> =>
  new Set([...texts].flatMap((text) => [...text.matchAll(words)].flatMap(([word]) => partsOf(inLetters(word)))));

/** A typographic apostrophe counts as an apostrophe. */
const inLetters = (word: string): string => word.normalize('NFC').replaceAll('’', "'").toLowerCase();
const partsOf = (word: string): string[] => (word.includes('-') ? [word, ...word.split('-')] : [word]);

/** An abbreviation: "CT", "MRI", "ADCs", "cT". */
const isAbbreviation = (word: string): boolean => /\p{Lu}/u.test(word.slice(1));

export function createSpeller(dictionaries: readonly Dictionary[], prefixes: readonly string[]): Speller {
  const has = (word: string): boolean => dictionaries.some((each) => each.has(word));
  const isKnownPart = (word: string, known: ReadonlySet<string>): boolean => {
    const small = inLetters(word);
    const isKnown = (each: string): boolean => known.has(each) || has(each);
    return (
      small.length < 3 ||
      isKnown(small) ||
      has(word) ||
      isKnown(small.replace(/'s$|'$/, '')) ||
      prefixes.some((prefix) => {
        const rest = small.slice(prefix.length);
        return small.startsWith(prefix) && rest.length >= shortestRest && isKnown(rest);
      })
    );
  };
  return {
    misspelt(text, known) {
      const fields = fieldsIn(text);
      return [...text.matchAll(words)].flatMap(({ 0: word, index: start }) => {
        const end = start + word.length;
        const isInField = fields.some((field) => field.start <= start && end <= field.end);
        const isCode = partOfCode.test(text[start - 1] ?? '') || partOfCode.test(text[end] ?? '');
        if (isInField || isCode || isAbbreviation(word) || known.has(inLetters(word))) return [];
        return word.split('-').every((part) => isKnownPart(part, known)) ? [] : [{ start, end }];
      });
    },
    suggest(word) {
      const near = dictionaries.flatMap((each) => each.near(inLetters(word))).toSorted((a, b) => a.cost - b.cost);
      const isCapital = /^\p{Lu}/u.test(word);
      const written = near.map(({ word: each }) =>
        isCapital ? elementAt(each, 0).toUpperCase() + each.slice(1) : each,
      );
      return [...new Set(written)].slice(0, maxSuggestions);
    },
  };
}

/**
 * Facts of two hearings that are no facts of a report: months, ordinals and units of time. In a
 * report they may be words ("may represent", "a second nodule"); in the same sound they are not. An article is the
 * number one.
 */
import { elementAt } from '../domain/elements.ts';
import type { ComparedWord } from './facts.ts';
import type { Rules } from './rules.ts';
import { unitAt } from './numbers/units.ts';
import { stem } from './words/stem.ts';
import type { Token } from './words/token.ts';

export const markHeardFacts = (
  words: readonly ComparedWord[],
  tokens: readonly Token[],
  { numbers: { dates, grammar } }: Rules,
): ComparedWord[] =>
  words.map((word, at) => {
    const { folded, kind } = elementAt(tokens, word.from);
    if (word.fact === undefined && grammar.words.articles.has(folded)) return { ...word, key: '1' };
    const isTime = unitAt(tokens, word.from, grammar.units)?.of === 'time';
    if (isTime && words[at - 1]?.fact === 'number') return asFact(word, 'unit', stem(folded));
    const ordinal = dates.ordinals.get(folded) ?? /^(\d+)(?:st|nd|rd|th)$/.exec(word.value ?? '')?.[1];
    if (ordinal !== undefined) return asFact(word, 'number', `${ordinal}th`);
    const month = word.fact === undefined && kind === 'word' ? dates.months.get(folded) : undefined;
    const isNumbered = [at - 2, at - 1, at + 1, at + 2].some((place) => words[place]?.fact === 'number');
    return month !== undefined && isNumbered ? asFact(word, 'number', `month ${month}`) : word;
  });

const asFact = (word: ComparedWord, fact: 'number' | 'unit', value: string): ComparedWord => ({
  ...word,
  key: value,
  fact,
  value,
});

/** Beginnings that exclude each other before the same rest, a row each: one sound apart, and the opposite. */
const opposites: readonly (readonly RegExp[])[] = [
  [/^h[iy]po/, /^h[iy]per/, /^iso/],
  [/^intra/, /^inter/, /^extra/, /^infra/, /^supra/],
  [/^pre/, /^pos/],
  [/^ante/, /^retro/],
  [/^micro/, /^macro/],
  [/^(?:brady|bradi)/, /^(?:tachy|taqui)/],
  [/^in/, /^de/],
  [/^ab/, /^ad/],
  [/^benign/, /^malign(?:ant$)?/],
];
/** "Impression" denies no pressure. */
const denied = /^(?!impres)(?:ab|an|a|in|im|il|ir|un|non|dis|des)(?=\p{L}{5})/u;

/** "Hypodense" and "hyperdense", "normal" and "abnormal", "benign" and "malignant". */
export function areOpposites(a: string, b: string): boolean {
  const excludesOther = (row: readonly RegExp[]): boolean => {
    const [first, second] = [a, b].map((word) => row.find((beginning) => beginning.test(word)));
    return first !== second && !!first && !!second && a.replace(first, '') === b.replace(second, '');
  };
  // "Instável" begins the word that is "estável" without its denial.
  const isDenied = (long: string, short: string): boolean =>
    long !== short && [short, short.replace(/^e(?=s[^aeiou])/, '')].includes(long.replace(denied, ''));
  return opposites.some(excludesOther) || isDenied(a, b) || isDenied(b, a);
}

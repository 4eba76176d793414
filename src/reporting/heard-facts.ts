/**
 * Facts of two hearings that are no facts of a report: months, ordinals and units of time. In a
 * report they may be words ("may represent", "a second nodule"); in the same sound they are not.
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

/** Beginnings that turn a word into its opposite. */
const opposites = [/^(?:hypo|hipo)/, /^(?:hyper|hiper)/, /^iso/];
const turned = /^(?:ab|an|a|in|im|un|non|dis|des)(?=\p{L}{5})/u;

/** "Hypodense" and "hyperdense", "normal" and "abnormal": one sound apart, and the opposite. */
export function areOpposites(a: string, b: string): boolean {
  const split = (word: string): { readonly kind: number; readonly rest: string } => {
    const kind = opposites.findIndex((beginning) => beginning.test(word));
    return { kind, rest: kind < 0 ? word : word.replace(elementAt(opposites, kind), '') };
  };
  const [first, second] = [split(a), split(b)];
  if (first.kind >= 0 && second.kind >= 0) return first.kind !== second.kind && first.rest === second.rest;
  const isTurned = (long: string, short: string): boolean =>
    long.length > short.length && long.endsWith(short) && long.replace(turned, '') === short;
  return isTurned(a, b) || isTurned(b, a);
}

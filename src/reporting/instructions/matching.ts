/** Fits the words of an instruction to a pattern. */
import { phraseAt } from '../words/phrases.ts';
import type { PhraseIndex } from '../words/phrases.ts';
import type { Token } from '../words/token.ts';
import type { Element, Slot } from './patterns.ts';
import { valueAt } from '../../domain/elements.ts';

/** The words of each slot: tokens `from` up to `to`. */
export type Binding = Readonly<Partial<Record<Slot, { readonly from: number; readonly to: number }>>>;

/** The largest number of readings of one instruction: nobody says more, and the work stays bounded. */
const maxWays = 40;

/** A mark between the parts of an instruction; the sign of a number belongs to the number. */
const isLoose = (tokens: readonly Token[], at: number): boolean => {
  const [token, next] = [tokens[at], tokens[at + 1]];
  const isSign = token?.text === '-' && next?.kind === 'figure' && !next.spaced;
  return token?.kind === 'mark' && !isSign && /^[,:;.“”"'«»-]$/.test(token.text);
};

/** Skips marks between the parts of an instruction. */
function overMarks(tokens: readonly Token[], at: number, to: number): number {
  let place = at;
  while (place < to && isLoose(tokens, place)) place += 1;
  return place;
}

/** Every way in which the tokens `from` up to `to` fit the pattern: the last one has the longest words. */
export function findBindings(
  tokens: readonly Token[],
  { from, to }: { from: number; to: number },
  elements: readonly Element[],
  words: ReadonlyMap<string, PhraseIndex<unknown>>,
): Binding[] {
  const found: Binding[] = [];
  const go = (at: number, element: number, binding: Binding): void => {
    if (found.length >= maxWays) return;
    const next = elements[element];
    const start = overMarks(tokens, at, to);
    if (next === undefined) {
      if (start === to) found.push(binding);
      return;
    }
    if ('words' in next) {
      const phrase = phraseAt(tokens, start, valueAt(words, next.words));
      // A shorter phrase may leave its last word to the next slot: "pela" and "pela direita".
      const shorter =
        phrase && phrase.to > start + 1 ? shorterAt(tokens, start, phrase.to, valueAt(words, next.words)) : undefined;
      if (shorter !== undefined) go(shorter, element + 1, binding);
      if (phrase && phrase.to <= to) go(phrase.to, element + 1, binding);
      return;
    }
    const ends = findEnds(tokens, start, to, elements[element + 1], words);
    for (const end of ends) go(end, element + 1, { ...binding, [next.slot]: trimMarks(tokens, start, end) });
  };
  go(from, 0, {});
  return found;
}

function shorterAt(tokens: readonly Token[], at: number, to: number, index: PhraseIndex<unknown>): number | undefined {
  for (let end = to - 1; end > at; end -= 1) {
    const found = phraseAt(tokens.slice(at, end), 0, index);
    if (found) return at + found.to;
  }
  return undefined;
}

/** The places where a slot can end: before each place of the words that come next, or at the end. */
function findEnds(
  tokens: readonly Token[],
  at: number,
  to: number,
  next: Element | undefined,
  words: ReadonlyMap<string, PhraseIndex<unknown>>,
): number[] {
  if (next === undefined) return to > at ? [to] : [];
  const ends: number[] = [];
  for (let end = at + 1; end < to && ends.length < maxWays; end += 1) {
    if ('slot' in next || phraseAt(tokens, end, valueAt(words, next.words))) ends.push(end);
  }
  return ends;
}

/** The range without the marks around it. */
function trimMarks(tokens: readonly Token[], from: number, to: number): { from: number; to: number } {
  let [start, end] = [from, to];
  while (start < end && isLoose(tokens, start)) start += 1;
  while (end > start && isLoose(tokens, end - 1)) end -= 1;
  return { from: start, to: end };
}

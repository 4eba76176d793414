/** Compares what a recogniser heard in the same sound twice: only differing facts matter. */
import type { Language } from '../contract/shared.ts';
import { elementAt } from '../domain/elements.ts';
import { alignWords } from './checks/edit-distance.ts';
import type { AlignedPair } from './checks/edit-distance.ts';
import { readHeardWords } from './heard-words.ts';
import type { HeardWords } from './heard-words.ts';
import type { Span } from './words/token.ts';

/** A part of the first text with other facts in the second. */
export interface ReadingDifference extends Span {
  /** The words of the second text, as a report has them. */
  readonly text: string;
}

/** The sentences of a text with numbers, units, sides, levels or negations; none of a text without. */
export function findSentencesToCompare(text: string, language: Language): Span[] {
  const { words, sentences, findPlace } = readHeardWords(text, language);
  return words.some(({ fact }) => fact !== undefined) ? sentences.map(({ from, to }) => findPlace(from, to)) : [];
}

/** Words that only one text has at its beginning or end are ignored: there the sound was cut. */
export function compareReadings(first: string, second: string, language: Language): ReadingDifference[] {
  const [a, b] = [readHeardWords(first, language), readHeardWords(second, language)];
  const pairs = alignWords(
    a.words.map(({ key }) => key),
    b.words.map(({ key }) => key),
  );
  const isEqual = (pair: AlignedPair | undefined): boolean => {
    if (pair?.from === undefined || pair.to === undefined) return false;
    return elementAt(a.words, pair.from).key === elementAt(b.words, pair.to).key;
  };
  const isShared = ({ from, to }: AlignedPair): boolean => from !== undefined && to !== undefined;
  const [begin, end] = [pairs.findIndex(isShared), pairs.findLastIndex(isShared) + 1];
  const differences: ReadingDifference[] = [];
  for (let at = begin < 0 ? end : begin; at < end; at += 1) {
    if (isEqual(pairs[at])) continue;
    let to = at;
    while (to < end && !isEqual(pairs[to])) to += 1;
    if (differsInFacts(pairs.slice(at, to), a, b)) {
      // The words around a fact belong to it: "9 mm", "no effusion".
      const hull = pairs.slice(isFact(pairs[at - 1], a) ? at - 1 : at, to + 1);
      const difference = toDifference(hull, a, b);
      if (difference) differences.push(difference);
    }
    at = to;
  }
  return differences;
}

const isFact = (pair: AlignedPair | undefined, { words }: HeardWords): boolean =>
  pair?.from !== undefined && words[pair.from]?.fact !== undefined;

/** Whether the facts of the words differ, in any order of other words. */
function differsInFacts(pairs: readonly AlignedPair[], a: HeardWords, b: HeardWords): boolean {
  const facts = ({ words }: HeardWords, places: readonly (number | undefined)[]): string =>
    places
      .flatMap((at) => {
        const word = at === undefined ? undefined : words[at];
        return word?.fact === undefined ? [] : [`${word.fact} ${word.value}`];
      })
      .join();
  return (
    facts(
      a,
      pairs.map(({ from }) => from),
    ) !==
    facts(
      b,
      pairs.map(({ to }) => to),
    )
  );
}

/** `undefined` if one of the texts has no words there. */
function toDifference(pairs: readonly AlignedPair[], a: HeardWords, b: HeardWords): ReadingDifference | undefined {
  const inFirst = pairs.flatMap(({ from }) => from ?? []);
  const inSecond = pairs.flatMap(({ to }) => to ?? []);
  const [first, last, other, end] = [inFirst[0], inFirst.at(-1), inSecond[0], inSecond.at(-1)];
  if (first === undefined || last === undefined || other === undefined || end === undefined) return undefined;
  return { ...a.findPlace(first, last + 1), text: b.written(other, end + 1) };
}

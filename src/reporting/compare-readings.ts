/** Compares what a recogniser heard in the same sound twice: only differing facts matter. */
import type { Language } from '../contract/shared.ts';
import { elementAt } from '../domain/elements.ts';
import { findChange } from '../domain/text-change.ts';
import { alignWords } from './checks/edit-distance.ts';
import type { AlignedPair } from './checks/edit-distance.ts';
import type { ComparedWord } from './facts.ts';
import { areOpposites, markHeardFacts } from './heard-facts.ts';
import { readHeardWords } from './heard-words.ts';
import type { HeardWords } from './heard-words.ts';
import { findRules } from './rules.ts';
import { phraseAt } from './words/phrases.ts';
import type { Span } from './words/token.ts';

/** A part of the first text with other facts in the second. */
export interface ReadingDifference extends Span {
  /** The words of the second text, as a report has them. */
  readonly text: string;
}

/**
 * The sentences of a text, also between spoken marks, if it has facts, or findings, whose denial may be lost; none of
 * another text.
 */
export function findSentencesToCompare(text: string, language: Language): Span[] {
  const { words, tokens, sentences, findPlace } = readFacts(text, language);
  const { findings } = findRules(language).lexicon;
  const isCompared = words.some(({ fact, from }) => fact !== undefined || phraseAt(tokens, from, findings));
  return isCompared ? sentences.map(({ from, to }) => findPlace(from, to)) : [];
}

/** The words of the first text that are the same in the second, each at its place. */
export function findSharedWords(first: string, second: string, language: Language): Span[] {
  const { a, b, pairs } = alignReadings(first, second, language);
  return pairs.flatMap((pair) =>
    pair.from !== undefined && isEqualPair(pair, a, b) ? [a.findPlace(pair.from, pair.from + 1)] : [],
  );
}

interface AlignedReadings {
  readonly a: HeardWords;
  readonly b: HeardWords;
  readonly pairs: readonly AlignedPair[];
}

function alignReadings(first: string, second: string, language: Language): AlignedReadings {
  const [a, b] = [readFacts(first, language), readFacts(second, language)];
  const [keys, others] = [a, b].map(({ words }) => words.map(({ key }) => key)) as [string[], string[]];
  return { a, b, pairs: alignWords(keys, others) };
}

function readFacts(text: string, language: Language): HeardWords {
  const heard = readHeardWords(text, language);
  return { ...heard, words: markHeardFacts(heard.words, heard.tokens, findRules(language)) };
}

/**
 * Words that only one text has at its beginning or end are ignored, since there the sound was cut, except facts that
 * only the second has in the sentences of the first: a denial before it, and what it ends with. A denial of the first
 * before a word that they have differently was not cut off: "no duro" of "nódulo".
 */
export function compareReadings(first: string, second: string, language: Language): ReadingDifference[] {
  const { a, b, pairs } = alignReadings(first, second, language);
  const isEqual = (pair: AlignedPair | undefined): boolean => isEqualPair(pair, a, b);
  const isShared = ({ from, to }: AlignedPair): boolean => from !== undefined && to !== undefined;
  const [firstShared, lastShared] = [pairs.findIndex(isShared), pairs.findLastIndex(isShared)];
  const begin = beginWithDenial(pairs, firstShared, [a, b]);
  const end = endWithSentence(pairs, lastShared, b, second);
  const differences: ReadingDifference[] = [];
  for (let at = begin < 0 ? end : begin; at < end; at += 1) {
    if (isEqual(pairs[at])) continue;
    let to = at;
    while (to < end && !isEqual(pairs[to])) to += 1;
    if (differsInFacts(pairs.slice(at, to), a, b)) {
      // The words around a fact belong to it: "9 mm", "no effusion".
      const isOnlyOther = pairs.slice(at, to + 1).every(({ from }) => from === undefined);
      const hull = pairs.slice(isOnlyOther || isFact(pairs[at - 1], a) ? at - 1 : at, to + 1);
      const difference = toDifference(hull, a, b);
      if (difference) differences.push(difference);
    }
    at = to;
  }
  return differences;
}

function isEqualPair(pair: AlignedPair | undefined, first: HeardWords, second: HeardWords): boolean {
  if (pair?.from === undefined || pair.to === undefined) return false;
  return elementAt(first.words, pair.from).key === elementAt(second.words, pair.to).key;
}

/** "Derrame" and "Sem derrame": the place of a denial that only one text has before the words of both. */
function beginWithDenial(
  pairs: readonly AlignedPair[],
  shared: number,
  [first, second]: readonly [HeardWords, HeardWords],
): number {
  const { from, to } = pairs[shared - 1] ?? {};
  const isDenial = (text: HeardWords, place: number | undefined): boolean =>
    place !== undefined && text.words[place]?.fact === 'negation' && endOfSentence(text, place) > place + 1;
  const differs = !isEqualPair(pairs[shared], first, second);
  return isDenial(second, to) || (differs && isDenial(first, from)) ? shared - 1 : shared;
}

/** "Lesão no rim." and "Lesão no rim direito.": the end of the sentence, if the second text ends it. */
function endWithSentence(pairs: readonly AlignedPair[], shared: number, second: HeardWords, text: string): number {
  const place = pairs[shared]?.to;
  if (place === undefined) return shared + 1;
  const end = endOfSentence(second, place);
  const isEnded = /^\s*[.?!]/.test(text.slice(second.findPlace(place, end).end));
  return isEnded ? Math.min(pairs.length, shared + end - place) : shared + 1;
}

const endOfSentence = ({ sentences }: HeardWords, word: number): number =>
  sentences.find(({ from, to }) => from <= word && word < to)?.to ?? word + 1;

const isFact = (pair: AlignedPair | undefined, { words }: HeardWords): boolean =>
  pair?.from !== undefined && words[pair.from]?.fact !== undefined;

/** Whether the facts of the words differ. */
function differsInFacts(pairs: readonly AlignedPair[], a: HeardWords, b: HeardWords): boolean {
  const first = pairs.flatMap(({ from }) => (from === undefined ? [] : elementAt(a.words, from)));
  const second = pairs.flatMap(({ to }) => (to === undefined ? [] : elementAt(b.words, to)));
  const turns = pairs.some(({ from, to }) => {
    const [one, other] = [from === undefined ? undefined : a.words[from], to === undefined ? undefined : b.words[to]];
    return one !== undefined && other !== undefined && areOpposites(one.key, other.key);
  });
  return turns || (listFacts(first) !== listFacts(second) && !areSpelledApart(first, second));
}

const listFacts = (words: readonly ComparedWord[]): string =>
  words.flatMap(({ fact, value }) => (fact === undefined ? [] : [`${fact} ${value}`])).join();

/** Letters of a word that may be heard as a denial and the rest; a shorter one may be a denial ("now", "nos"). */
const shortestDivided = 6;

/**
 * "Tálamo derecho" and "tala moderecho", "nódulo" and "no duelo": the second hearing divides the same sound elsewhere. A
 * denial of the first is none of those, nor is a number, nor a side that only the second has.
 */
function areSpelledApart(first: readonly ComparedWord[], second: readonly ComparedWord[]): boolean {
  const isDivided = ({ fact, key }: ComparedWord, at: number): boolean => {
    const whole = key + (second[at + 1]?.key ?? '');
    return (
      fact === 'negation' && first.some((word) => word.key.length >= shortestDivided && isLetterApart(word.key, whole))
    );
  };
  const rest = second.filter((word, at) => !isDivided(word, at));
  if (rest.length < second.length) return listFacts(first) === listFacts(rest);
  const hasFact = (words: readonly ComparedWord[], ...kinds: readonly ComparedWord['fact'][]): boolean =>
    words.some(({ fact }) => fact !== undefined && kinds.includes(fact));
  if (hasFact(first, 'negation', 'number') || hasFact(second, 'negation', 'number', 'side')) return false;
  const [one, other] = [first, second].map((words) => words.map(({ key }) => key).join(''));
  return one === other;
}

function isLetterApart(one: string, other: string): boolean {
  const { from, to, by } = findChange(one, other);
  return to - from <= 1 && by.length <= 1;
}

/** `undefined` if one of the texts has no words there. */
function toDifference(pairs: readonly AlignedPair[], a: HeardWords, b: HeardWords): ReadingDifference | undefined {
  const inFirst = pairs.flatMap(({ from }) => from ?? []);
  const inSecond = pairs.flatMap(({ to }) => to ?? []);
  const [first, last, other, end] = [inFirst[0], inFirst.at(-1), inSecond[0], inSecond.at(-1)];
  if (first === undefined || last === undefined || other === undefined || end === undefined) return undefined;
  return { ...a.findPlace(first, last + 1), text: b.written(other, end + 1) };
}

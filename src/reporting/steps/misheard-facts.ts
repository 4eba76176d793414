/** Words that a recogniser writes for a denial, a side, a number or a level, and that mean nothing there. */
import type { Language } from '../../contract/shared.ts';
import { findFirstIndex } from '../../domain/binary-search.ts';
import { elementAt } from '../../domain/elements.ts';
import { fold, phraseList, wordList, wordSet } from '../../domain/fold.ts';
import { tables } from '../languages/index.ts';
import type { NumberGrammar } from '../numbers/reading.ts';
import { unitAt } from '../numbers/units.ts';
import type { Token } from '../words/token.ts';

export interface MisheardPlace {
  readonly from: number;
  readonly to: number;
}

interface MisheardWords {
  readonly phrases: RegExp;
  readonly beforeUnits: ReadonlySet<string>;
}

const read = new Map<Language, MisheardWords>();

function findWords(language: Language): MisheardWords {
  const known = read.get(language);
  if (known) return known;
  const { facts, lexicon } = tables[language];
  const sets: Readonly<Record<string, readonly string[]>> = {
    finding: Object.values<string>(lexicon.findings)
      .flatMap(phraseList)
      .map((name) => elementAt(name.split(' '), 0)),
    place: facts.places.flatMap((row) => Object.values(row).flatMap(wordList)),
    part: wordList(facts.sidedParts),
  };
  const phrases = facts.misheard.map((phrase) =>
    phrase.replace(/\{([a-z]+)\}/g, (_, set: string) => `(?:${[...new Set(sets[set])].join('|')})`),
  );
  const words = {
    phrases: new RegExp(`(?<= )(?:${fold(phrases.join('|'))})(?= )`, 'g'),
    beforeUnits: wordSet(fold(facts.beforeUnits)),
  };
  read.set(language, words);
  return words;
}

/** In order; they may overlap. */
export function findMisheardFacts(
  tokens: readonly Token[],
  language: Language,
  { words: numbers, units }: NumberGrammar,
): MisheardPlace[] {
  const { phrases, beforeUnits } = findWords(language);
  // Marks and breaks are `$`, so that each token is one word of the text.
  let text = ' $';
  const ends = tokens.map(({ kind, folded }) => {
    text += ` ${kind === 'word' || kind === 'figure' ? folded : '$'}`;
    return text.length;
  });
  const tokenAt = (place: number): number => findFirstIndex(ends.length, (at) => elementAt(ends, at) > place);
  const places = Array.from(`${text} $ `.matchAll(phrases), ({ 0: found, index }): MisheardPlace => {
    const words = found.replace(/^\$ | \$$/g, '');
    const start = index + found.indexOf(words);
    return { from: tokenAt(start), to: tokenAt(start + words.length - 1) + 1 };
  });
  // A length without its number: "of to millimeters".
  const isMeasured = (at: number): boolean => {
    const { folded, kind } = elementAt(tokens, at);
    return kind !== 'word' || beforeUnits.has(folded) || numbers.values.has(folded) || !!unitAt(tokens, at, units);
  };
  const lengths = tokens.flatMap(({ kind }, at): MisheardPlace[] => {
    if (kind !== 'word' || at === 0 || isMeasured(at - 1)) return [];
    const unit = unitAt(tokens, at, units);
    return unit?.symbol === 'mm' || unit?.symbol === 'cm' ? [{ from: at - 1, to: unit.to }] : [];
  });
  return [...places, ...lengths].toSorted((a, b) => a.from - b.from);
}

/**
 * Vocabulary: words that the speaker wants written in one way. No number, unit, side, place or negation changes, and a
 * word of the language's tables or the vocabulary is never mistaken for one that sounds similar.
 */
import { comparedWords } from '../facts.ts';
import { carryOut, buildFates, findHull, startWork } from '../operation.ts';
import type { Change } from '../operation.ts';
import { nextWord, phraseAt } from '../words/phrases.ts';
import type { Rules } from '../rules.ts';
import { splitSentences } from '../words/sentences.ts';
import { stem } from '../words/stem.ts';
import { textOf, tokenise, writtenTokens } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import { soundsAlike, findLongest, maxFormWords, maxWindowWords } from '../vocabulary/vocabulary.ts';
import type { VocabularyIndex } from '../vocabulary/vocabulary.ts';
import { writeNumbers } from './numbers.ts';
import { elementAt } from '../../domain/elements.ts';

export interface VocabularyContext {
  readonly index: VocabularyIndex;
  readonly rules: Rules;
  readonly isHeard: boolean;
  /** Whether the token is final. Default: all are. */
  readonly isSettled?: (token: Token) => boolean;
}

/** The written form of the tokens from one up to `to`. */
interface Correction {
  readonly rule: 'form' | 'spelling' | 'alike';
  readonly to: number;
  readonly write: string;
}

export function writeTerms(tokens: readonly Token[], context: VocabularyContext): Change[] {
  return splitSentences(tokens).flatMap(({ from, to }) => {
    const changes: Change[] = [];
    for (let at = from; at < to;) {
      const found = correctionAt(tokens, at, to, context);
      const isSettled = found && (context.isSettled?.(elementAt(tokens, found.to - 1)) ?? true);
      const isFree = isSettled && !cutsCommand(tokens, at, found.to, context.rules);
      const change = found && isFree && buildChange(tokens, at, found);
      if (change && hasSameFacts(tokens.slice(at, found.to), change.out, context.rules)) changes.push(change);
      at = found?.to ?? at + 1;
    }
    const before = tokens.slice(from, to);
    return changes.length === 0 || hasSameFacts(before, withChanges(tokens, { from, to }, changes), context.rules)
      ? changes
      : [];
  });
}

/** The largest number of words in a delete command. */
const maxCommandWords = 8;

/** Whether the tokens hold a part of such a command: in "desconsiderar a última frase" no "a" becomes another word. */
function cutsCommand(tokens: readonly Token[], from: number, to: number, { corrections }: Rules): boolean {
  for (let at = Math.max(0, from - maxCommandWords); at < to; at += 1) {
    const command = phraseAt(tokens, at, corrections.scratch) ?? phraseAt(tokens, at, corrections.markers);
    if (command && command.to > from && (at < from || command.to > to)) return true;
  }
  return false;
}

const isSaidWord = ({ kind, origin }: Token): boolean => (kind === 'word' || kind === 'figure') && origin === 'said';

/** The places of the words from the token `at` on that only white space or a hyphen separates. */
function placesFrom(tokens: readonly Token[], at: number, end: number): number[] {
  const places: number[] = [];
  for (let place = at; places.length < maxFormWords;) {
    const token = place < end ? tokens[place] : undefined;
    if (!token || !isSaidWord(token)) break;
    places.push(place);
    place = nextWord(tokens, place + 1);
  }
  return places;
}

/** A term's listed forms take precedence over similar sounds, and more words over fewer. */
function correctionAt(
  tokens: readonly Token[],
  at: number,
  end: number,
  { index, isHeard }: VocabularyContext,
): Correction | undefined {
  const first = elementAt(tokens, at);
  if (!isSaidWord(first)) return undefined;
  const isKnown = ({ folded }: Token): boolean => index.ordinary.has(stem(folded));
  const startsTerm = index.forms.next.has(first.folded) || (isHeard && index.spellings.next.has(first.folded));
  const next = tokens[at + 1];
  const isPlain = isKnown(first) && (next === undefined || !isSaidWord(next) || isKnown(next));
  if (!startsTerm && (!isHeard || isPlain)) return undefined;
  const places = placesFrom(tokens, at, end);
  const words = places.map((place) => elementAt(tokens, place).folded);
  const endOf = (count: number): number => elementAt(places, count - 1) + 1;
  const named = findLongest(index.forms, words);
  if (named) return { rule: 'form', to: endOf(named.words), write: named.write };
  if (!isHeard) return undefined;
  const spelt = findLongest(index.spellings, words);
  if (spelt) {
    // "normal" in a name makes no name of every "normal".
    const to = endOf(spelt.words);
    const isName = spelt.words > 1 || !isKnown(first);
    return { rule: 'spelling', to, write: isName ? spelt.write : textOf(tokens.slice(at, to)) };
  }
  for (let count = Math.min(maxWindowWords, words.length); count > 0; count -= 1) {
    const window = tokens.slice(at, at + count);
    const isParted = endOf(count) - at > count;
    if (isParted || window.every(isKnown) || window.some(({ folded }) => index.own.has(stem(folded)))) continue;
    const write = soundsAlike(window, index);
    if (write !== undefined) return { rule: 'alike', to: endOf(count), write };
  }
  return undefined;
}

function buildChange(tokens: readonly Token[], from: number, { rule, to, write }: Correction): Change | undefined {
  const said = tokens.slice(from, to);
  const text = textOf(said);
  // The capital at the beginning of a sentence is the sentence's.
  if (text === write || text === write.charAt(0).toUpperCase() + write.slice(1)) return undefined;
  const hull = findHull(said);
  return {
    rule,
    from,
    to,
    out: writtenTokens(write, hull.from, hull.to, elementAt(said, 0).spaced),
    fates: buildFates(said, 'converted'),
  };
}

function withChanges(
  tokens: readonly Token[],
  { from, to }: { readonly from: number; readonly to: number },
  changes: readonly Change[],
): Token[] {
  const after: Token[] = [];
  let at = from;
  for (const change of changes) {
    after.push(...tokens.slice(at, change.from), ...change.out);
    at = change.to;
  }
  return [...after, ...tokens.slice(at, to)];
}

const hasSameFacts = (before: readonly Token[], after: readonly Token[], rules: Rules): boolean =>
  listFacts(before, rules) === listFacts(after, rules);

/** Whether the one may replace the other: counts, measures, sides and denials are the same in both. */
export const keepsFacts = (form: string, write: string, rules: Rules): boolean =>
  factsIn(form, rules) === factsIn(write, rules);

const listFacts = (tokens: readonly Token[], rules: Rules): string => factsIn(textOf(tokens), rules);

/** Numbers, units, sides, places and negations, in order. */
function factsIn(text: string, rules: Rules): string {
  const work = startWork(text, tokenise(text), new Set());
  carryOut(work, 'numbers', writeNumbers(work.tokens, rules.numbers).changes);
  return comparedWords(work.tokens, rules.facts)
    .flatMap(({ fact, value }) => (fact === undefined ? [] : [`${fact} ${value}`]))
    .join('\n');
}

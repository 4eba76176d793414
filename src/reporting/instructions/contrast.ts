/** "It is 6 and not 5", "left, not right", "não é 5, é 6": two values of a kind, one of which replaces the other. */
import { areSameKind } from '../words/token-kinds.ts';
import { phraseAt } from '../words/phrases.ts';
import { textOf } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import { isHard, isLoose, valuesIn } from './exchange.ts';
import type { Value } from './exchange.ts';
import type { InstructionOperation } from './operations.ts';
import { readKeys, findPlaces, hasNeighbours } from './places.ts';
import type { Page } from './places.ts';
import type { Rules } from '../rules.ts';
import { elementAt, valueAt } from '../../domain/elements.ts';

/** Words that only say that something is so. */
const copulas = ['is', 'put', 'make', 'becomes', 'size', 'side', 'of', 'but'] as const;
const denials = ['not', 'instead'] as const;

/**
 * The exchange that a contrast asks for, if the sentence of the old value has all its other words. `tokens`: the
 * contrast alone, with its numbers written.
 */
export function contrastIn(
  tokens: readonly Token[],
  sections: readonly string[],
  pages: readonly Page[],
  rules: Rules,
): InstructionOperation | undefined {
  const whole = { from: 0, to: tokens.length };
  const pair = findPair(valuesIn(tokens, whole, rules));
  if (!pair) return undefined;
  const [first, second] = pair;
  const before = denialIn(tokens, 0, first.from, rules);
  const between = denialIn(tokens, first.to, second.from, rules);
  if ((before === undefined) === (between === undefined)) return undefined;
  // "5 no, 7": a denial before a comma denies what it follows.
  const isFirst = between === undefined || /^[,;.]$/.test(tokens[between]?.text ?? '');
  const [old, now] = isFirst ? [first, second] : [second, first];
  const beside = findSubject(tokens, pair, rules);
  const areHard = pair.every(({ like, from }) => isHard(like, elementAt(tokens, from).folded, rules));
  // "Small, not large" could be about anything.
  if (!areHard && beside.length === 0) return undefined;
  const words = valueKeys(tokens, old, rules);
  const meant = sections.length === 0 ? pages : pages.filter(({ key }) => sections.includes(key));
  const what = { words, said: textOf(tokens.slice(old.from, old.to)), beside };
  const isThere = findPlaces(words, meant, rules).some((place) => hasNeighbours(what, place, rules));
  return isThere
    ? { kind: 'replace', sections, what, by: textOf(tokens.slice(now.from, now.to)), all: false }
    : undefined;
}

/** The only two values of one kind; others belong to the subject: "in the right upper lobe, not the left". */
function findPair(values: readonly Value[]): readonly [Value, Value] | undefined {
  const pairs = values.flatMap((first, at) =>
    values
      .slice(at + 1)
      .filter((second) => areSameKind(first.like, second.like))
      .map((second) => [first, second] as const),
  );
  return pairs.length === 1 ? pairs[0] : undefined;
}

/** The words of an old value; its unit is not searched for, since a speaker may omit it. */
const valueKeys = (tokens: readonly Token[], { from, to }: Value, rules: Rules): string[] =>
  readKeys(tokens, rules, from, to).map(({ key }) => key);

/** The end of a denial between the places. */
function denialIn(tokens: readonly Token[], from: number, to: number, { instructions }: Rules): number | undefined {
  for (let at = from; at < to; at += 1)
    for (const name of denials) {
      const found = phraseAt(tokens, at, valueAt(instructions.words, name));
      if (found && found.to <= to) return found.to;
    }
  return undefined;
}

/** The subject of the values: the words that are no value, no denial and no "it is". */
function findSubject(tokens: readonly Token[], values: readonly Value[], rules: Rules): string[] {
  const { instructions } = rules;
  const left: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const value = values.find(({ from }) => from === at);
    const found = [...copulas, ...denials]
      .map((name) => phraseAt(tokens, at, valueAt(instructions.words, name))?.to ?? at)
      .reduce((a, b) => Math.max(a, b));
    const to = value?.to ?? found;
    if (to > at) at = to - 1;
    else if (!isLoose(elementAt(tokens, at), rules) && !instructions.and.has(elementAt(tokens, at).folded))
      left.push(elementAt(tokens, at));
  }
  return readKeys(left, rules).map(({ key }) => key);
}

/** "It is 6 and not 5", "left, not right", "não é 5, é 6": two values of a kind, one of which is to give way to the other. */
import { areLike } from '../likes.ts';
import { phraseAt } from '../phrases.ts';
import { textOf } from '../token.ts';
import type { Token } from '../token.ts';
import { isHard, isLoose, valuesIn } from './exchange.ts';
import type { Value } from './exchange.ts';
import type { InstructionOperation } from './operations.ts';
import { keysOf, placesOf, standBeside } from './places.ts';
import type { Page } from './places.ts';
import type { Rules } from '../rules.ts';

/** Words that only say that something is so. */
const copulas = ['is', 'put', 'make', 'becomes', 'size', 'side', 'of', 'but'] as const;
const denials = ['not', 'instead'] as const;

/**
 * The exchange that a contrast asks for, where all its other words name what stands in the sentence of the old value.
 * `tokens`: the contrast alone, with its numbers written.
 */
export function contrastIn(
  tokens: readonly Token[],
  sections: readonly string[],
  pages: readonly Page[],
  rules: Rules,
): InstructionOperation | undefined {
  const whole = { from: 0, to: tokens.length };
  const values = valuesIn(tokens, whole, rules);
  const [first, second, ...others] = values;
  if (!first || !second || others.length > 0 || !areLike(first.like, second.like)) return undefined;
  if (!values.every(({ like, from }) => isHard(like, tokens[from]!.folded, rules))) return undefined;
  const isDenied = [
    hasAny(tokens, 0, first.from, denials, rules),
    hasAny(tokens, first.to, second.from, denials, rules),
  ];
  if (isDenied[0] === isDenied[1]) return undefined;
  const [old, now] = isDenied[0] ? [first, second] : [second, first];
  const beside = subjectOf(tokens, values, rules);
  const words = valueKeys(tokens, old, rules);
  const meant = sections.length === 0 ? pages : pages.filter(({ key }) => sections.includes(key));
  const what = { words, said: textOf(tokens.slice(old.from, old.to)), beside };
  const isThere = placesOf(words, meant, rules).some((place) => standBeside(what, place, rules));
  return isThere
    ? { kind: 'replace', sections, what, by: textOf(tokens.slice(now.from, now.to)), all: false }
    : undefined;
}

/** The words of an old value; its unit is not looked for where it may have been said for short. */
const valueKeys = (tokens: readonly Token[], { from, to }: Value, rules: Rules): string[] =>
  keysOf(tokens, rules, from, to).map(({ key }) => key);

function hasAny(
  tokens: readonly Token[],
  from: number,
  to: number,
  names: readonly string[],
  { instructions }: Rules,
): boolean {
  for (let at = from; at < to; at += 1)
    if (names.some((name) => (phraseAt(tokens, at, instructions.words.get(name)!)?.to ?? to + 1) <= to)) return true;
  return false;
}

/** What the values are said of: the words that are no value, no denial and no "it is". */
function subjectOf(tokens: readonly Token[], values: readonly Value[], rules: Rules): string[] {
  const { instructions } = rules;
  const left: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const value = values.find(({ from }) => from === at);
    const found = [...copulas, ...denials]
      .map((name) => phraseAt(tokens, at, instructions.words.get(name)!)?.to ?? at)
      .reduce((a, b) => Math.max(a, b));
    const to = value?.to ?? found;
    if (to > at) at = to - 1;
    else if (!isLoose(tokens[at]!, rules) && !instructions.and.has(tokens[at]!.folded)) left.push(tokens[at]!);
  }
  return keysOf(left, rules).map(({ key }) => key);
}

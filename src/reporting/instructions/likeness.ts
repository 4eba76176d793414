/** "It's number seventeen", "é do quarto metacarpo": the only words of the report that differ in one value of a kind. */
import { areSameKind, kindAt } from '../words/token-kinds.ts';
import { textOf } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import { isLoose } from './exchange.ts';
import { Problem } from './operations.ts';
import type { InstructionOperation } from './operations.ts';
import { findPlaces, readKeys } from './places.ts';
import type { Place } from './places.ts';
import type { Range } from './scopes.ts';
import { convertWords } from './sought-words.ts';
import type { ParsedInstruction } from './sought-words.ts';
import { elementAt } from '../../domain/elements.ts';

/** More words than name a thing with its value. */
const maxWords = 5;

export function buildLikeChange(
  sections: readonly string[],
  by: Range,
  parsed: ParsedInstruction,
): InstructionOperation | Problem | undefined {
  const { rules } = parsed.reading;
  const converted = convertWords(parsed, by);
  const first = converted.findIndex((token) => !isLoose(token, rules));
  const said = first < 0 ? [] : converted.slice(first);
  if (said.length < 2 || said.length > maxWords) return undefined;
  const meant = parsed.pages.filter(({ key }) => sections.length === 0 || sections.includes(key));
  const places = meant.flatMap((page) =>
    page.sentences.flatMap(({ from, to }): Place[] =>
      Array.from({ length: Math.max(0, to - from - said.length + 1) }, (_, i) => from + i)
        .filter((at) => differsInOne(page.tokens.slice(at, at + said.length), said, parsed))
        .map((at) => ({ page, from: at, to: at + said.length })),
    ),
  );
  const [only, ...others] = places;
  if (!only) return undefined;
  if (others.length > 0) return new Problem('several', textOf(said), places.length);
  const words = readKeys(only.page.tokens, rules, only.from, only.to).map(({ key }) => key);
  const isFound = findPlaces(words, [only.page], rules).length === 1;
  const what = { words, said: textOf(only.page.tokens.slice(only.from, only.to)) };
  return isFound ? { kind: 'replace', sections: [only.page.key], what, by: textOf(said), all: false } : undefined;
}

/** Whether all words are the same but one value, and one of them names a thing. */
function differsInOne(tokens: readonly Token[], said: readonly Token[], { reading }: ParsedInstruction): boolean {
  const { likes } = reading.rules.corrections;
  const different = said.flatMap((token, at) => (token.folded === tokens[at]?.folded ? [] : [at]));
  const [at] = different;
  const isNamed = said.some((token, i) => i !== at && token.kind === 'word' && !isLoose(token, reading.rules));
  if (at === undefined || different.length > 1 || !isNamed) return false;
  const [old, now] = [kindAt(tokens, at, likes), kindAt(said, at, likes)];
  const isOne = [old, now].every((like) => like?.to === at + 1);
  return old !== undefined && now !== undefined && isOne && areSameKind(old, now) && elementAt(said, at).spaced;
}

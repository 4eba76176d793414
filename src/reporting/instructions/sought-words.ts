/** The words of a report that an instruction names. */
import { carryOut, startWork } from '../operation.ts';
import { writeNumbers } from '../steps/numbers.ts';
import { phraseAt } from '../words/phrases.ts';
import { textOf } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import { Problem } from './operations.ts';
import type { SoughtWords } from './operations.ts';
import { findPlaces, readKeys } from './places.ts';
import type { Page } from './places.ts';
import type { Range, Reading, Scope } from './scopes.ts';
import { elementAt, valueAt } from '../../domain/elements.ts';

export interface ParsedInstruction {
  readonly tokens: readonly Token[];
  readonly scope: Scope;
  readonly reading: Reading;
  readonly pages: readonly Page[];
}

/** The words of a slot as a report writes them. */
export function convertWords(
  { tokens, reading }: Pick<ParsedInstruction, 'tokens' | 'reading'>,
  { from, to }: Range,
): readonly Token[] {
  const work = startWork('', reading.heard, new Set());
  work.tokens = tokens.slice(from, to);
  carryOut(work, 'numbers', writeNumbers(work.tokens, reading.rules.numbers).changes);
  return work.tokens;
}

export const inline = (parsed: ParsedInstruction, range: Range): string => textOf(convertWords(parsed, range));

/** "The second nodule", "the last cyst": one of several places. */
function findNth(
  { from, to }: Range,
  all: boolean,
  parsed: ParsedInstruction,
): { what: SoughtWords; all: boolean } | undefined {
  const { nth, words } = parsed.reading.rules.instructions;
  const number = phraseAt(parsed.tokens, from, nth);
  const last = phraseAt(parsed.tokens, from, valueAt(words, 'last'));
  const start = number?.to ?? last?.to;
  if (all || start === undefined || start >= to) return undefined;
  const found = findSoughtWords({ from: start, to }, parsed);
  return found instanceof Problem || found.what.nth !== undefined
    ? undefined
    : { what: { ...found.what, nth: number?.value ?? -1 }, all };
}

/** More words of a report than people quote. */
const maxWanted = 80;

/** Words that the meant sections must have; an article may be the speaker's. */
export function findSoughtWords(
  range: Range,
  parsed: ParsedInstruction,
): { what: SoughtWords; all: boolean } | Problem {
  const { tokens, scope, reading, pages } = parsed;
  const { instructions } = reading.rules;
  const isMeant = ({ key }: Page): boolean => scope.sections.length === 0 || scope.also || scope.sections.includes(key);
  const meant = pages.filter(isMeant);
  let { from, to } = range;
  // "Move it": only the speaker knows what.
  if (phraseAt(tokens, from, valueAt(instructions.words, 'change'))?.to === to)
    return new Problem('unclear', textOf(tokens.slice(from, to)));
  if (to - from > maxWanted) return new Problem('not_found', textOf(tokens.slice(from, to)));
  const every = phraseAt(tokens, from, instructions.all);
  const isEvery = every !== undefined && every.to < to;
  let all = isEvery || scope.everywhere;
  if (isEvery) from = every.to;
  for (let at = from + 1; at < to; at += 1) {
    if (phraseAt(tokens, at, instructions.all)?.to !== to) continue;
    all = true;
    to = at;
  }
  for (let start = from; start < to; start += 1) {
    const words = readKeys(convertWords(parsed, { from: start, to }), reading.rules).map(({ key }) => key);
    if (words.length > 0 && findPlaces(words, meant, reading.rules).length > 0) {
      return { what: { words, said: inline(parsed, { from: start, to }) }, all };
    }
    if (!instructions.articles.has(elementAt(tokens, start).folded)) break;
  }
  return findNth({ from, to }, all, parsed) ?? new Problem('not_found', inline(parsed, range));
}

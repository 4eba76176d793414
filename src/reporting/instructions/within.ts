/** The sentence or item that an instruction concerns: "in the second sentence, change …", "at L4-L5 replace …". */
import { kindAt } from '../words/token-kinds.ts';
import { phraseEndsAt } from '../words/phrases.ts';
import type { Token } from '../words/token.ts';
import { Problem } from './operations.ts';
import { readPassage } from './passages.ts';
import type { NamedPassage } from './passages.ts';
import type { Page } from './places.ts';
import { sectionsFrom, startsInstruction, withoutEnd } from './scopes.ts';
import type { Range, Reading, Scope } from './scopes.ts';
import { convertWords, findSoughtWords } from './sought-words.ts';
import type { ParsedInstruction } from './sought-words.ts';
import { valueAt } from '../../domain/elements.ts';

/** More words than people name a passage with. */
const maxWords = 12;

/** The scopes that a passage before or after the request makes. */
export function findScopesWithin(
  tokens: readonly Token[],
  range: Range,
  reading: Reading,
  pages: readonly Page[],
): Scope[] {
  const whole = everywhereIn(range);
  const parsed: ParsedInstruction = { tokens, scope: whole, reading, pages };
  const scopes: Scope[] = [];
  const verb = findVerb(tokens, range, reading);
  if (verb !== undefined) {
    const named = readPrelude(withoutEnd(tokens, { from: range.from, to: verb }), parsed);
    const rest = { from: verb, to: range.to };
    if (named) scopes.push({ ...whole, range: rest, sections: named.sections, within: named.which });
  }
  for (let at = Math.max(range.from + 1, range.to - maxWords); at < range.to; at += 1) {
    const named = afterPreposition(tokens, at, reading)
      .map((from) => readPassage({ from, to: range.to }, parsed) ?? readLevel({ from, to: range.to }, parsed))
      .find((each) => each && !(each instanceof Problem));
    if (!named || named instanceof Problem) continue;
    const rest = withoutEnd(tokens, { from: range.from, to: at });
    scopes.push({ ...whole, range: rest, sections: named.sections, within: named.which });
    break;
  }
  return scopes;
}

const everywhereIn = (range: Range): Scope => ({ range, sections: [], everywhere: false, also: false });

/** Whether the words only name a passage: "at L4-L5", "in the second sentence". */
export function namesPassage(
  tokens: readonly Token[],
  range: Range,
  reading: Reading,
  pages: readonly Page[],
): boolean {
  const isShort = range.to - range.from <= maxWords;
  return isShort && readPrelude(range, { tokens, scope: everywhereIn(range), reading, pages }) !== undefined;
}

/** The passage named before a request, with or without a preposition. */
const readPrelude = (range: Range, parsed: ParsedInstruction): NamedPassage | undefined =>
  [...afterPreposition(parsed.tokens, range.from, parsed.reading), range.from]
    .map((from) => readNamed({ from, to: range.to }, from > range.from, parsed))
    .find((named) => named !== undefined);

/** The verb of the request, after the words before it. */
function findVerb(tokens: readonly Token[], { from, to }: Range, reading: Reading): number | undefined {
  for (let at = from + 1; at < Math.min(to, from + maxWords); at += 1)
    if (startsInstruction(tokens, at, to, reading)) return at;
  return undefined;
}

/** The ends of the prepositions at a place, the longest first. */
const afterPreposition = (tokens: readonly Token[], at: number, { rules }: Reading): number[] => {
  const { inSection, words } = rules.instructions;
  const ends = [valueAt(words, 'at'), inSection].flatMap((index) => phraseEndsAt(tokens, at, index));
  return [...new Set(ends)].toSorted((a, b) => b - a);
};

/** A passage before the request: without a preposition only a level is one. */
function readNamed(range: Range, hasPreposition: boolean, parsed: ParsedInstruction): NamedPassage | undefined {
  if (range.to <= range.from) return undefined;
  const named = readPassage(range, parsed) ?? readLevel(range, parsed);
  if (named && !(named instanceof Problem)) return named;
  if (!hasPreposition || sectionsFrom(parsed.tokens, range.from, range.to, parsed.reading)) return undefined;
  const sought = findSoughtWords(range, parsed);
  return sought instanceof Problem ? undefined : { which: { about: sought.what }, sections: [] };
}

/** The sentence with a level that the report has. */
function readLevel(range: Range, parsed: ParsedInstruction): NamedPassage | undefined {
  const tokens = convertWords(parsed, range);
  const like = kindAt(tokens, 0, parsed.reading.rules.corrections.likes);
  const sought = like?.kind === 'level' && like.to === tokens.length ? findSoughtWords(range, parsed) : undefined;
  return sought && !(sought instanceof Problem) ? { which: { about: sought.what }, sections: [] } : undefined;
}

/** Parses an instruction: the operations that it asks for, and their sections. */
import { phraseAt } from '../words/phrases.ts';
import type { Token } from '../words/token.ts';
import { build, fromMacro, macroIn } from './building.ts';
import { convertWords } from './sought-words.ts';
import { contrastIn } from './contrast.ts';
import { findBindings } from './matching.ts';
import { Problem } from './operations.ts';
import type { InstructionOperation } from './operations.ts';
import { elementsOf, patterns } from './patterns.ts';
import type { Element, InstructionKind } from './patterns.ts';
import { readPage } from './places.ts';
import type { Page } from './places.ts';
import { findPassage, pageWithin } from './passages.ts';
import { findScopesWithin, namesPassage } from './within.ts';
import { stripCourtesies, findScopes, splitAt, withoutEnd } from './scopes.ts';
import type { Range, Reading, Scope } from './scopes.ts';
import { textOf } from '../words/token.ts';
import { valueAt } from '../../domain/elements.ts';

const shapes: readonly { readonly kind: InstructionKind; readonly elements: readonly Element[] }[] = patterns.map(
  ([kind, pattern]) => ({
    kind,
    elements: elementsOf(pattern),
  }),
);

/** The operations that the instruction asks for, in order; or why it is not understood. */
export function parseInstruction(tokens: readonly Token[], reading: Reading): InstructionOperation[] | Problem {
  const pages = reading.sections.map((section) => readPage(section, reading.rules));
  const whole = withoutEnd(tokens, { from: 0, to: tokens.length });
  const parts = splitAt(tokens, whole, reading, (range) => namesPassage(tokens, range, reading, pages));
  return parts.length > 0 ? parseAll(tokens, parts, reading, pages) : new Problem('not_understood');
}

function parseAll(
  tokens: readonly Token[],
  parts: readonly Range[],
  reading: Reading,
  pages: readonly Page[],
): InstructionOperation[] | Problem {
  const operations: (readonly InstructionOperation[])[] = [];
  for (const [at, part] of parts.entries()) {
    const parsed =
      parseTwo(tokens, part, reading, pages) ??
      parseStatement(tokens, part, reading, pages) ??
      parsePart(tokens, part, reading, pages);
    if (!(parsed instanceof Problem)) {
      operations.push([parsed].flat());
      continue;
    }
    // "remove A and add B": if A is a sentence, B goes to its place, unless it has another.
    const removed = parsed.reason === 'which_section' ? parts[at - 1] : undefined;
    const both = removed && parsePart(tokens, { from: removed.from, to: part.to }, reading, pages);
    if (!both || both instanceof Problem || both.kind !== 'replace_passage') return parsed;
    operations[at - 1] = [both];
    operations.push([]);
  }
  return operations.flat();
}

/** The largest number of places at which an instruction is split on trial, so that the work stays bounded. */
const maxJoints = 4;

/** Operations that say how a thing is. */
const statements: ReadonlySet<string> = new Set(['change_word', 'change_value', 'change_category']);

/** "mude A para B e C para D": a second replacement, without its verb. */
function parseTwo(
  tokens: readonly Token[],
  part: Range,
  reading: Reading,
  pages: readonly Page[],
): InstructionOperation[] | Problem | undefined {
  const { words, and } = reading.rules.instructions;
  const range = stripCourtesies(tokens, part, reading.rules.instructions);
  const verb = phraseAt(tokens, range.from, valueAt(words, 'replace'));
  if (!verb) return undefined;
  const jointAt = (at: number): number | undefined =>
    phraseAt(tokens, at, and)?.to ?? (tokens[at]?.text === ',' ? at + 1 : undefined);
  let tried = 0;
  for (let at = verb.to + 1; at < range.to && tried < maxJoints; at += 1) {
    const joint = jointAt(at);
    if (joint === undefined) continue;
    tried += 1;
    const first = parsePart(tokens, { from: range.from, to: at }, reading, pages);
    if (first instanceof Problem) continue;
    const rest = [...tokens.slice(range.from, verb.to), ...tokens.slice(joint, range.to)];
    const all = { from: 0, to: rest.length };
    const others = [parseTwo(rest, all, reading, pages) ?? parsePart(rest, all, reading, pages)].flat();
    // If the first one names its sections, the words after them are certainly another one.
    const [scope] = findScopes(tokens, { from: range.from, to: at }, reading);
    const failed = others.find((each) => each instanceof Problem);
    if (failed && failed.reason !== 'not_understood' && scope && scope.sections.length > 0) return failed;
    if (!others.some((each) => each instanceof Problem)) return [first, ...(others as InstructionOperation[])];
  }
  return undefined;
}

/** Operations that a statement may follow: the words of the others are sentences, and may go on with "and". */
const changesWords: ReadonlySet<string> = new Set(['replace', 'delete', ...statements]);

/** Statements after another at most, so that the work stays bounded. */
const maxStatements = 3;

/** "change A to B and the effusion is small": a statement of how another thing is, without a verb. */
function parseStatement(
  tokens: readonly Token[],
  part: Range,
  reading: Reading,
  pages: readonly Page[],
  more = maxStatements - 1,
): InstructionOperation[] | undefined {
  const { words, then } = reading.rules.instructions;
  const range = stripCourtesies(tokens, part, reading.rules.instructions);
  const copula = tokens.findLastIndex(
    (_, at) => at < range.to && phraseAt(tokens, at, valueAt(words, 'is')) !== undefined,
  );
  let tried = 0;
  for (let at = range.to - 1; at > range.from && tried < maxJoints; at -= 1) {
    const joint = phraseAt(tokens, at, then)?.to ?? (tokens[at]?.text === ',' ? at + 1 : undefined);
    if (joint === undefined || joint >= copula) continue;
    tried += 1;
    const second = parsePart(tokens, { from: joint, to: range.to }, reading, pages);
    if (second instanceof Problem || !statements.has(second.kind)) continue;
    const before = { from: range.from, to: at };
    const first =
      (more > 0 ? parseStatement(tokens, before, reading, pages, more - 1) : undefined) ??
      parsePart(tokens, before, reading, pages);
    if (first instanceof Problem) continue;
    const all = [...[first].flat(), second];
    if (all.every(({ kind }) => changesWords.has(kind))) return all;
  }
  return undefined;
}

function parsePart(
  tokens: readonly Token[],
  part: Range,
  reading: Reading,
  pages: readonly Page[],
): InstructionOperation | Problem {
  const range = stripCourtesies(tokens, part, reading.rules.instructions);
  if (range.to <= range.from) return new Problem('not_understood');
  let problem: Problem | undefined;
  const scopes = findScopes(tokens, range, reading);
  // The whole first: the name of a macro may end like the name of a section.
  for (const scope of scopes.toReversed()) {
    const macro = macroIn({ tokens, reading }, scope.range);
    if (macro) return fromMacro('append', scope.sections, macro, { reading });
  }
  for (const scope of findScopesWithin(tokens, range, reading, pages)) {
    const built = buildWithin(tokens, scope, reading, pages);
    if (!(built instanceof Problem)) return built;
    problem = graver(problem, built);
  }
  for (const scope of scopes) {
    const contrast = contrastIn(convertWords({ tokens, reading }, scope.range), scope.sections, pages, reading.rules);
    if (contrast) return contrast;
  }
  for (const scope of scopes) {
    const built = buildIn(tokens, scope, reading, pages);
    if (!(built instanceof Problem)) return built;
    problem = graver(problem, built);
  }
  return problem ?? new Problem('not_understood');
}

/** An operation on words of one passage. */
function buildWithin(
  tokens: readonly Token[],
  scope: Scope,
  reading: Reading,
  pages: readonly Page[],
): InstructionOperation | Problem {
  const meant = pages.filter(({ key }) => scope.sections.length === 0 || scope.sections.includes(key));
  const place = scope.within && findPassage(scope.within, meant, reading.rules);
  if (!place || place instanceof Problem) return place ?? new Problem('not_understood');
  const page = pageWithin(place);
  const built =
    contrastIn(convertWords({ tokens, reading }, scope.range), scope.sections, [page], reading.rules) ??
    buildIn(tokens, scope, reading, [page]);
  if (built instanceof Problem) return built;
  return 'what' in built || 'anchor' in built || built.kind === 'change_category'
    ? { ...built, sections: [page.key], ...(scope.within && { within: scope.within }) }
    : new Problem('unclear', textOf(tokens.slice(scope.range.from, scope.range.to)));
}

/** The first operation that a pattern, and the words of the report, allow in the scope. */
function buildIn(
  tokens: readonly Token[],
  scope: Scope,
  reading: Reading,
  pages: readonly Page[],
): InstructionOperation | Problem {
  let problem: Problem | undefined;
  for (const { kind, elements } of shapes) {
    // The longest words that the report has are meant: "aumento por edema por redução".
    for (const binding of findBindings(tokens, scope.range, elements, reading.rules.instructions.words).toReversed()) {
      const built = build(kind, binding, { tokens, scope, reading, pages });
      if (built !== undefined && !(built instanceof Problem)) return built;
      problem = graver(problem, built);
    }
  }
  return problem ?? new Problem('not_understood');
}

const gravity: readonly Problem['reason'][] = [
  'not_understood',
  'nothing',
  'not_found',
  'which_section',
  'unclear',
  'dangling',
  'negation',
  'several',
];
const graver = (a: Problem | undefined, b: Problem | undefined): Problem | undefined =>
  a && b ? (gravity.indexOf(b.reason) > gravity.indexOf(a.reason) ? b : a) : (a ?? b);

/** Reads an instruction: which operations it asks for, on which sections. */
import type { Section } from '../../../contract/document.ts';
import { sectionFor } from '../input.ts';
import { likeAt } from '../likes.ts';
import { phraseAt } from '../phrases.ts';
import type { PhraseIndex } from '../phrases.ts';
import { render } from '../render.ts';
import type { Rules } from '../rules.ts';
import { sectionNameAt } from '../section-names.ts';
import type { SectionNames } from '../section-names.ts';
import { carryOut, startWork } from '../operation.ts';
import { writeNumbers } from '../steps/numbers.ts';
import { textOf } from '../token.ts';
import type { HeardToken, Token } from '../token.ts';
import { fits } from './matching.ts';
import type { Binding } from './matching.ts';
import { Problem } from './operations.ts';
import type { InstructionOperation, Wanted } from './operations.ts';
import { elementsOf, patterns } from './patterns.ts';
import type { Element, InstructionKind } from './patterns.ts';
import type { InstructionWords } from './words.ts';
import { keysOf, placesOf, readPage } from './places.ts';
import type { Page } from './places.ts';

export interface Reading {
  readonly sections: readonly Section[];
  readonly rules: Rules;
  readonly names: SectionNames;
  readonly heard: readonly HeardToken[];
}

/** Tokens `from` up to `to` of the instruction. */
interface Range {
  readonly from: number;
  readonly to: number;
}

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
  const parts = splitAt(tokens, whole, reading);
  return parts.length > 0 ? parseAll(tokens, parts, reading, pages) : new Problem('not_understood');
}

function parseAll(
  tokens: readonly Token[],
  parts: readonly Range[],
  reading: Reading,
  pages: readonly Page[],
): InstructionOperation[] | Problem {
  const operations: InstructionOperation[] = [];
  for (const part of parts) {
    const parsed = parsePart(tokens, part, reading, pages);
    if (parsed instanceof Problem) return parsed;
    operations.push(parsed);
  }
  return operations;
}

const isEnd = (token: Token | undefined): boolean =>
  token?.kind === 'break' || (token?.kind === 'mark' && /^[.,;:!?…]$/.test(token.text));

function withoutEnd(tokens: readonly Token[], { from, to }: Range): Range {
  let end = to;
  while (end > from && isEnd(tokens[end - 1])) end -= 1;
  return { from, to: end };
}

/** Where one instruction ends and the next begins: after a stop, a comma or an "e", before a verb. */
function splitAt(tokens: readonly Token[], { from, to }: Range, reading: Reading): Range[] {
  const { then: joints } = reading.rules.instructions;
  const parts: Range[] = [];
  let start = from;
  for (let at = from + 1; at < to; at += 1) {
    const then = phraseAt(tokens, at, joints);
    const next = then?.to ?? at;
    if ((!then && !isEnd(tokens[at - 1])) || !startsInstruction(tokens, next, to, reading)) continue;
    if (isPrelude(tokens, { from: start, to: at }, reading)) continue;
    parts.push(withoutEnd(tokens, { from: start, to: at }));
    start = next;
    at = next;
  }
  parts.push(withoutEnd(tokens, { from: start, to }));
  return parts.filter((part) => part.to > part.from);
}

/** "por favor,", "na impressão,": what stands before a verb and belongs to it. */
function isPrelude(tokens: readonly Token[], part: Range, reading: Reading): boolean {
  const range = bare(tokens, part, reading.rules.instructions);
  if (range.to <= range.from) return true;
  const scope = phraseAt(tokens, range.from, reading.rules.instructions.inSection);
  return scope !== undefined && sectionsFrom(tokens, scope.to, range.to, reading)?.to === range.to;
}

/** A verb, or the section that it is about before it: "na impressão, acrescente". */
function startsInstruction(tokens: readonly Token[], at: number, to: number, reading: Reading): boolean {
  const { instructions } = reading.rules;
  const start = overPolite(tokens, at, instructions);
  if (phraseAt(tokens, start, instructions.starts)) return true;
  const scope = phraseAt(tokens, start, instructions.inSection);
  const sections = scope && sectionsFrom(tokens, scope.to, to, reading);
  if (!sections) return false;
  const verb = /^[,:]$/.test(tokens[sections.to]?.text ?? '') ? sections.to + 1 : sections.to;
  return phraseAt(tokens, overPolite(tokens, verb, instructions), instructions.starts) !== undefined;
}

function overPolite(tokens: readonly Token[], at: number, { polite }: InstructionWords): number {
  let place = at;
  for (let found = phraseAt(tokens, place, polite); found; found = phraseAt(tokens, place, polite)) {
    place = found.to;
    while (isEnd(tokens[place])) place += 1;
  }
  return place;
}

/** An instruction without what is said around it. */
function bare(tokens: readonly Token[], { from, to }: Range, words: InstructionWords): Range {
  let start = from;
  while (start < to && isEnd(tokens[start])) start += 1;
  start = overPolite(tokens, start, words);
  let end = to;
  for (let at = Math.max(start, end - 4); at < end; at += 1) {
    if (phraseAt(tokens, at, words.polite)?.to === end) end = at;
  }
  return withoutEnd(tokens, { from: start, to: end });
}

/** An instruction with the sections that it names before or after what it says. */
interface Scope {
  readonly range: Range;
  readonly sections: readonly string[];
}

function parsePart(
  tokens: readonly Token[],
  part: Range,
  reading: Reading,
  pages: readonly Page[],
): InstructionOperation | Problem {
  const range = bare(tokens, part, reading.rules.instructions);
  if (range.to <= range.from) return new Problem('not_understood');
  let problem: Problem | undefined;
  for (const scope of scopesOf(tokens, range, reading)) {
    for (const { kind, elements } of shapes) {
      // The longest words that stand in the document are meant: "aumento por edema por redução".
      for (const binding of fits(tokens, scope.range, elements, reading.rules.instructions.words).toReversed()) {
        const built = build(kind, binding, { tokens, scope, reading, pages });
        if (built !== undefined && !(built instanceof Problem)) return built;
        problem = graver(problem, built);
      }
    }
  }
  return problem ?? new Problem('not_understood');
}

const gravity: readonly Problem['reason'][] = [
  'not_understood',
  'nothing',
  'not_found',
  'which_section',
  'dangling',
  'negation',
  'several',
];
const graver = (a: Problem | undefined, b: Problem | undefined): Problem | undefined =>
  a && b ? (gravity.indexOf(b.reason) > gravity.indexOf(a.reason) ? b : a) : (a ?? b);

/** The sections named at the beginning or at the end, first, and then none. */
function scopesOf(tokens: readonly Token[], range: Range, reading: Reading): Scope[] {
  const scopes: Scope[] = [];
  const { inSection } = reading.rules.instructions;
  const leading = phraseAt(tokens, range.from, inSection);
  const first = leading && sectionsFrom(tokens, leading.to, range.to, reading);
  if (first && first.to < range.to) {
    let from = first.to;
    while (isEnd(tokens[from])) from += 1;
    scopes.push({ range: { from, to: range.to }, sections: first.keys });
  }
  for (let at = range.from + 1; at < range.to; at += 1) {
    const found = phraseAt(tokens, at, inSection);
    for (const start of found ? startsAfter(tokens, at, found.to, inSection) : []) {
      const last = sectionsFrom(tokens, start, range.to, reading);
      if (last?.to !== range.to) continue;
      scopes.push({ range: withoutEnd(tokens, { from: range.from, to: at }), sections: last.keys });
      at = range.to;
      break;
    }
  }
  return [...scopes, { range, sections: [] }];
}

/** A phrase may be the beginning of the name: "na impressão", "na seção impressão". */
function startsAfter(tokens: readonly Token[], at: number, to: number, index: PhraseIndex<true>): number[] {
  const starts = [to];
  for (let end = to - 1; end > at; end -= 1)
    if (phraseAt(tokens.slice(at, end), 0, index)?.to === end - at) starts.push(end);
  return starts;
}

/** Names of sections after each other: "achados e na impressão". */
function sectionsFrom(
  tokens: readonly Token[],
  at: number,
  to: number,
  reading: Reading,
): { keys: string[]; to: number } | undefined {
  const { instructions } = reading.rules;
  const keys: string[] = [];
  let place = at;
  for (;;) {
    const found = sectionAt(tokens, place, reading);
    if (!found || found.to > to) break;
    keys.push(found.key);
    place = found.to;
    let next = tokens[place]?.text === ',' ? place + 1 : place;
    next = phraseAt(tokens, next, instructions.and)?.to ?? next;
    next = phraseAt(tokens, next, instructions.inSection)?.to ?? next;
    if (next === place || next >= to || !sectionAt(tokens, next, reading)) break;
    place = next;
  }
  return keys.length > 0 ? { keys, to: place } : undefined;
}

/** The name of a section, with its article and the word "section". */
function sectionAt(
  tokens: readonly Token[],
  at: number,
  { sections, rules, names }: Reading,
): { key: string; to: number } | undefined {
  let from = at;
  const { articles } = rules.instructions;
  const isSection = (token: Token | undefined): boolean =>
    /^(?:secao|section|seccion|campo|field|apartado)$/.test(token?.folded ?? '');
  while (articles.has(tokens[from]?.folded ?? '') || isSection(tokens[from])) from += 1;
  const found = sectionNameAt(tokens, from, names);
  if (!found) return undefined;
  const template = sections.map(({ key, title }) => ({ key, title }));
  return { key: sectionFor(found.value.key, template), to: isSection(tokens[found.to]) ? found.to + 1 : found.to };
}

interface Parsed {
  readonly tokens: readonly Token[];
  readonly scope: Scope;
  readonly reading: Reading;
  readonly pages: readonly Page[];
}

/** The words of a slot as a report writes them. */
function convert({ tokens, reading }: Parsed, { from, to }: Range): readonly Token[] {
  const work = startWork('', reading.heard, new Set());
  work.tokens = tokens.slice(from, to);
  carryOut(work, 'numbers', writeNumbers(work.tokens, reading.rules.numbers).changes);
  return work.tokens;
}

const inline = (parsed: Parsed, range: Range): string => textOf(convert(parsed, range));

/** What fills a slot, read as the slot wants it. */
function build(kind: InstructionKind, binding: Binding, parsed: Parsed): InstructionOperation | Problem | undefined {
  const { tokens, scope, reading } = parsed;
  const named = binding.section && sectionsFrom(tokens, binding.section.from, binding.section.to, reading);
  if (binding.section && (named?.to !== binding.section.to || named.keys.length > 1)) return undefined;
  const sections = named ? named.keys : scope.sections;
  const [section] = sections;
  switch (kind) {
    case 'undo':
      return scope.sections.length > 0 ? undefined : { kind };
    case 'delete_last':
      return { kind, sections };
    case 'delete_nth': {
      const found = phraseAt(tokens, binding.nth!.from, reading.rules.instructions.nth);
      return found && found.to === binding.nth!.to ? { kind, sections, nth: found.value } : undefined;
    }
    case 'clear':
      return section === undefined || scope.sections.length > 0 ? undefined : { kind, section };
    case 'append':
    case 'prepend':
    case 'rewrite':
      return written(kind, sections, binding.text!, parsed);
    case 'insert_before':
    case 'insert_after': {
      const anchor = wantedIn(binding.anchor!, parsed);
      return anchor instanceof Problem
        ? anchor
        : { kind, sections, anchor: anchor.what, text: inline(parsed, binding.text!) };
    }
    default:
      return changed(kind, sections, binding, parsed);
  }
}

/** Words that come into a section as sentences. */
function written(
  kind: 'append' | 'prepend' | 'rewrite',
  sections: readonly string[],
  range: Range,
  parsed: Parsed,
): InstructionOperation | Problem | undefined {
  const text = render([convert(parsed, range)]).text;
  if (text === '') return undefined;
  const [section] = sections;
  return section === undefined || sections.length > 1
    ? new Problem('which_section', inline(parsed, range))
    : { kind, section, text };
}

function changed(
  kind: InstructionKind,
  sections: readonly string[],
  binding: Binding,
  parsed: Parsed,
): InstructionOperation | Problem | undefined {
  const wanted = binding.what && wantedIn(binding.what, parsed);
  if (wanted instanceof Problem) return wanted;
  const what = wanted?.what ?? null;
  const all = wanted?.all ?? false;
  switch (kind) {
    case 'replace':
      return what && binding.by ? replacing({ sections, what, all }, binding.by, parsed) : undefined;
    case 'delete':
      return what ? { kind, sections, what, all } : undefined;
    case 'delete_sentence':
      return what ? { kind, sections, what } : undefined;
    case 'change_side': {
      const side = sideOf(binding.side!, parsed);
      return side === undefined ? undefined : { kind, sections, side, what, all };
    }
    case 'change_number': {
      const measure = measureOf(binding.measure!, parsed);
      return measure === undefined ? undefined : { kind, sections, measure, what };
    }
    default:
      return categoryOf(sections, binding, parsed);
  }
}

/** A side alone, with the small words before it: "o lado esquerdo", "à esquerda". */
function sideOf({ from, to }: Range, { tokens, reading }: Parsed): string | undefined {
  const { facts, corrections } = reading.rules;
  const side = tokens[to - 1]!;
  const isSide =
    facts.sides.has(side.folded) && tokens.slice(from, to - 1).every(({ folded }) => corrections.fillers.has(folded));
  return isSide ? side.text : undefined;
}

/** A number alone, with or without its unit. */
function measureOf(range: Range, parsed: Parsed): string | undefined {
  const tokens = convert(parsed, range);
  const like = likeAt(tokens, 0, parsed.reading.rules.corrections.likes);
  return like?.kind === 'measure' && like.to === tokens.length ? textOf(tokens) : undefined;
}

/** Words by others; a number or a side for words that hold none is a number or a side of what they name. */
function replacing(
  { sections, what, all }: { sections: readonly string[]; what: Wanted; all: boolean },
  by: Range,
  parsed: Parsed,
): InstructionOperation | Problem {
  const { rules } = parsed.reading;
  const isOf = (test: (key: string) => boolean): boolean => what.words.some(test);
  const measure = measureOf(by, parsed);
  if (measure !== undefined && !isOf((key) => /\d/.test(key) || rules.numbers.grammar.words.values.has(key))) {
    return { kind: 'change_number', sections, measure, what };
  }
  const side = sideOf(by, parsed);
  if (side !== undefined && !isOf((key) => rules.facts.sides.has(key)))
    return { kind: 'change_side', sections, side, what, all };
  return { kind: 'replace', sections, what, by: inline(parsed, by), all };
}

/** "o BI-RADS", "o grau", "BI-RADS 3": the name of a class that stands in the document, and its value. */
function categoryOf(
  sections: readonly string[],
  binding: Binding,
  parsed: Parsed,
): InstructionOperation | Problem | undefined {
  const { tokens, reading } = parsed;
  const { classes } = reading.rules.numbers;
  const isLoose = (at: number): boolean =>
    reading.rules.instructions.articles.has(tokens[at]?.folded ?? '') || classes.category.has(tokens[at]?.folded ?? '');
  let { from, to } = binding.category!;
  const nameAt = (at: number): number | undefined =>
    (phraseAt(tokens, at, classes.rads) ?? phraseAt(tokens, at, classes.classes))?.to;
  while (from < to && nameAt(from) === undefined && isLoose(from)) from += 1;
  const end = nameAt(from);
  if (end === undefined || end > to) return undefined;
  if (binding.text) while (to > end && isLoose(to - 1)) to -= 1;
  const value = binding.text ?? { from: end, to };
  if ((binding.text && end !== to) || value.to <= value.from || value.to - value.from > 6) return undefined;
  const said = inline(parsed, { from, to: end });
  const words = keysOf(convert(parsed, { from, to: end }), reading.rules).map(({ key }) => key);
  return placesOf(words, parsed.pages, reading.rules).length > 0
    ? { kind: 'change_category', sections, name: { words, said }, value: textOf(tokens.slice(value.from, value.to)) }
    : new Problem('not_found', said);
}

/** Nobody quotes more words of a document. */
const longestWanted = 80;

/** Words that must stand in the sections that are meant; an article may be the speaker's own. */
function wantedIn(range: Range, parsed: Parsed): { what: Wanted; all: boolean } | Problem {
  const { tokens, scope, reading, pages } = parsed;
  const { instructions } = reading.rules;
  const meant = scope.sections.length === 0 ? pages : pages.filter(({ key }) => scope.sections.includes(key));
  let { from, to } = range;
  if (to - from > longestWanted) return new Problem('not_found', textOf(tokens.slice(from, to)));
  const every = phraseAt(tokens, from, instructions.all);
  let all = every !== undefined && every.to < to;
  if (all) from = every!.to;
  for (let at = from + 1; at < to; at += 1) {
    if (phraseAt(tokens, at, instructions.all)?.to !== to) continue;
    all = true;
    to = at;
  }
  for (let start = from; start < to; start += 1) {
    const words = keysOf(convert(parsed, { from: start, to }), reading.rules).map(({ key }) => key);
    if (words.length > 0 && placesOf(words, meant, reading.rules).length > 0) {
      return { what: { words, said: inline(parsed, { from: start, to }) }, all };
    }
    if (!instructions.articles.has(tokens[start]!.folded)) break;
  }
  return new Problem('not_found', inline(parsed, range));
}

/** Reads an instruction: which operations it asks for, on which sections. */
import type { Section } from '../../../contract/document.ts';
import { sectionFor } from '../input.ts';
import { phraseAt } from '../phrases.ts';
import type { PhraseIndex } from '../phrases.ts';
import { render } from '../render.ts';
import type { Rules } from '../rules.ts';
import { sectionNameAt } from '../section-names.ts';
import type { SectionNames } from '../section-names.ts';
import { textOf } from '../token.ts';
import type { Token } from '../token.ts';
import { fits } from './matching.ts';
import type { Binding } from './matching.ts';
import { Problem } from './operations.ts';
import type { InstructionOperation, Wanted } from './operations.ts';
import { elementsOf, patterns } from './patterns.ts';
import type { Element, InstructionKind, Slot } from './patterns.ts';
import type { InstructionWords } from './words.ts';
import { keysOf, placesOf, readPage } from './places.ts';
import type { Page } from './places.ts';

export interface Reading {
  readonly sections: readonly Section[];
  readonly rules: Rules;
  readonly names: SectionNames;
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
  const parts = splitAt(tokens, whole, reading.rules.instructions);
  const several = parts.length > 1 ? parseAll(tokens, parts, reading, pages) : undefined;
  if (several !== undefined && !(several instanceof Problem)) return several;
  const one = parseAll(tokens, [whole], reading, pages);
  return one instanceof Problem && several !== undefined ? several : one;
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
function splitAt(tokens: readonly Token[], { from, to }: Range, words: InstructionWords): Range[] {
  const parts: Range[] = [];
  let start = from;
  for (let at = from + 1; at < to; at += 1) {
    const hasMark = isEnd(tokens[at - 1]);
    const then = phraseAt(tokens, at, words.then);
    const next = then?.to ?? at;
    if ((!then && !hasMark) || !phraseAt(tokens, overPolite(tokens, next, words), words.starts)) continue;
    parts.push(withoutEnd(tokens, { from: start, to: at }));
    start = next;
    at = next;
  }
  parts.push(withoutEnd(tokens, { from: start, to }));
  return parts.filter((part) => part.to > part.from);
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
      for (const binding of fits(tokens, scope.range, elements, reading.rules.instructions.words)) {
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

/** What fills a slot, read as the slot wants it. */
function build(kind: InstructionKind, binding: Binding, parsed: Parsed): InstructionOperation | Problem | undefined {
  const { tokens, scope, reading } = parsed;
  const range = (slot: Slot): Range | undefined => binding[slot];
  const sectionSlot = range('section');
  const named = sectionSlot && sectionsFrom(tokens, sectionSlot.from, sectionSlot.to, reading);
  if (sectionSlot && (named?.to !== sectionSlot.to || named.keys.length > 1)) return undefined;
  const sections = named ? named.keys : scope.sections;
  const [section] = sections;
  const text = range('text');
  switch (kind) {
    case 'undo':
      return scope.sections.length > 0 ? undefined : { kind };
    case 'delete_last':
      return { kind, sections };
    case 'delete_nth': {
      const nth = range('nth');
      const found = nth && phraseAt(tokens, nth.from, reading.rules.instructions.nth);
      return found && found.to === nth.to ? { kind, sections, nth: found.value } : undefined;
    }
    case 'clear':
      return section === undefined || scope.sections.length > 0 ? undefined : { kind, section };
    case 'append':
    case 'prepend':
    case 'rewrite':
      return written(kind, sections, text!, parsed);
    case 'insert_before':
    case 'insert_after': {
      const anchor = wantedIn(range('anchor')!, parsed);
      return anchor instanceof Problem ? anchor : { kind, sections, anchor: anchor.what, text: inline(tokens, text!) };
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
  { tokens }: Parsed,
): InstructionOperation | Problem | undefined {
  const said = render([tokens.slice(range.from, range.to)]).text;
  if (said === '') return undefined;
  const [section] = sections;
  if (section === undefined) return new Problem('which_section', textOf(tokens.slice(range.from, range.to)));
  return sections.length > 1 ? new Problem('which_section', said) : { kind, section, text: said };
}

/** Words that come into a sentence. */
const inline = (tokens: readonly Token[], { from, to }: Range): string => textOf(tokens.slice(from, to));

function changed(
  kind: InstructionKind,
  sections: readonly string[],
  binding: Binding,
  parsed: Parsed,
): InstructionOperation | Problem | undefined {
  const { tokens, reading } = parsed;
  const wanted = binding.what && wantedIn(binding.what, parsed);
  if (wanted instanceof Problem) return wanted;
  const what = wanted?.what ?? null;
  const all = wanted?.all ?? false;
  switch (kind) {
    case 'replace':
      return what && binding.by ? { kind, sections, what, by: inline(tokens, binding.by), all } : undefined;
    case 'delete':
      return what ? { kind, sections, what, all } : undefined;
    case 'delete_sentence':
      return what ? { kind, sections, what } : undefined;
    case 'change_side': {
      const { from, to } = binding.side!;
      const side = tokens[to - 1]!;
      const isSide = to - from <= 3 && reading.rules.facts.sides.has(side.folded);
      return isSide ? { kind, sections, side: side.text, what, all } : undefined;
    }
    case 'change_number': {
      const { from, to } = binding.measure!;
      const keys = keysOf(tokens, from, to, reading.rules);
      const isMeasure = keys.length > 0 && keys.length <= 8 && /^\d/.test(keys[0]!.key);
      return isMeasure ? { kind, sections, measure: inline(tokens, { from, to }), what } : undefined;
    }
    default:
      return categoryOf(sections, binding, parsed);
  }
}

/** "o BI-RADS", "o grau": the name of a class that stands in the document. */
function categoryOf(
  sections: readonly string[],
  binding: Binding,
  { tokens, reading, pages }: Parsed,
): InstructionOperation | Problem | undefined {
  const { from, to } = binding.category!;
  const { articles } = reading.rules.instructions;
  const { classes } = reading.rules.numbers;
  const start = articles.has(tokens[from]!.folded) ? from + 1 : from;
  const isName = (at: number): boolean =>
    phraseAt(tokens, at, classes.rads)?.to === to || phraseAt(tokens, at, classes.classes)?.to === to;
  const isPrefixed = classes.category.has(tokens[start]?.folded ?? '') && start + 1 < to;
  if (!isName(start) && !(isPrefixed && isName(start + 1))) return undefined;
  const name = keysOf(tokens, isName(start) ? start : start + 1, to, reading.rules).map(({ key }) => key);
  const value = inline(tokens, binding.text!);
  if (tokens.slice(binding.text!.from, binding.text!.to).length > 6) return undefined;
  return placesOf(name, pages, reading.rules).length > 0
    ? { kind: 'change_category', sections, name: { words: name, said: inline(tokens, { from, to }) }, value }
    : new Problem('not_found', inline(tokens, { from, to }));
}

/** Words that must stand in the sections that are meant; an article may be the speaker's own. */
function wantedIn(range: Range, { tokens, scope, reading, pages }: Parsed): { what: Wanted; all: boolean } | Problem {
  const { instructions } = reading.rules;
  const meant = scope.sections.length === 0 ? pages : pages.filter(({ key }) => scope.sections.includes(key));
  const said = inline(tokens, range);
  let { from, to } = range;
  const every = phraseAt(tokens, from, instructions.all);
  if (every && every.to < to) from = every.to;
  let all = every !== undefined && every.to < to;
  for (let at = from + 1; at < to; at += 1) {
    if (phraseAt(tokens, at, instructions.all)?.to === to) {
      all = true;
      to = at;
    }
  }
  for (let start = from; start < to; start += 1) {
    const words = keysOf(tokens, start, to, reading.rules).map(({ key }) => key);
    if (words.length > 0 && placesOf(words, meant, reading.rules).length > 0)
      return { what: { words, said: inline(tokens, { from: start, to }) }, all };
    if (!instructions.articles.has(tokens[start]!.folded)) break;
  }
  return new Problem('not_found', said);
}

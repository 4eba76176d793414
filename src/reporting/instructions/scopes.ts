/** Splits an instruction into single ones, and each into its request and the sections that it concerns. */
import type { Section } from '../../contract/document.ts';
import { sectionFor } from '../input.ts';
import type { MacroIndex } from '../vocabulary/macros.ts';
import { phraseAt } from '../words/phrases.ts';
import type { PhraseIndex } from '../words/phrases.ts';
import type { Rules } from '../rules.ts';
import { sectionNameAt } from '../sections/section-names.ts';
import type { SectionNames } from '../sections/section-names.ts';
import type { HeardToken, Token } from '../words/token.ts';
import type { InstructionWords } from './instruction-words.ts';
import type { Passage } from './operations.ts';
import { valueAt } from '../../domain/elements.ts';

export interface Reading {
  readonly sections: readonly Section[];
  readonly rules: Rules;
  readonly names: SectionNames;
  readonly heard: readonly HeardToken[];
  readonly macros: MacroIndex;
}

/** Tokens `from` up to `to` of the instruction. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const isEnd = (token: Token | undefined): boolean =>
  token?.kind === 'break' || (token?.kind === 'mark' && /^[.,;:!?…]$/.test(token.text));

export function withoutEnd(tokens: readonly Token[], { from, to }: Range): Range {
  let end = to;
  while (end > from && isEnd(tokens[end - 1])) end -= 1;
  return { from, to: end };
}

/**
 * The places where one instruction ends and the next begins: after a stop, a comma or an "e", before a verb. What only names
 * a passage belongs to the instruction after it.
 */
export function splitAt(
  tokens: readonly Token[],
  { from, to }: Range,
  reading: Reading,
  namesPassage: (range: Range) => boolean,
): Range[] {
  const { then: joints } = reading.rules.instructions;
  const parts: Range[] = [];
  let start = from;
  for (let at = from + 1; at < to; at += 1) {
    const then = phraseAt(tokens, at, joints);
    const next = then?.to ?? at;
    if ((!then && !isEnd(tokens[at - 1])) || !startsInstruction(tokens, next, to, reading)) continue;
    const part = { from: start, to: at };
    if (isPrelude(tokens, part, reading) || namesPassage(withoutEnd(tokens, part))) continue;
    parts.push(withoutEnd(tokens, { from: start, to: at }));
    start = next;
    at = next;
  }
  parts.push(withoutEnd(tokens, { from: start, to }));
  return parts.filter((part) => part.to > part.from);
}

/** "por favor,", "no,", "na impressão,": a prelude before a verb that belongs to it. */
function isPrelude(tokens: readonly Token[], part: Range, reading: Reading): boolean {
  const range = stripCourtesies(tokens, part, reading.rules.instructions);
  if (range.to <= range.from) return true;
  if (phraseAt(tokens, range.from, valueAt(reading.rules.instructions.words, 'oops'))?.to === range.to) return true;
  const scope = phraseAt(tokens, range.from, reading.rules.instructions.inSection);
  return scope !== undefined && sectionsFrom(tokens, scope.to, range.to, reading)?.to === range.to;
}

/** A verb, or the section that it concerns before it: "na impressão, acrescente". */
export function startsInstruction(tokens: readonly Token[], at: number, to: number, reading: Reading): boolean {
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

/** "Sorry, the placenta is posterior"; a denial is one of these words only with a comma after it. */
function overOops(tokens: readonly Token[], at: number, to: number, { words, opening }: InstructionWords): number {
  const oops = phraseAt(tokens, at, valueAt(words, 'oops'));
  if (!oops || oops.to >= to) return at;
  const isSure = isEnd(tokens[oops.to]) || !opening.has(tokens[at]?.folded ?? '');
  return isSure ? (isEnd(tokens[oops.to]) ? oops.to + 1 : oops.to) : at;
}

/** An instruction without the words around it. */
export function stripCourtesies(tokens: readonly Token[], { from, to }: Range, words: InstructionWords): Range {
  let start = from;
  while (start < to && isEnd(tokens[start])) start += 1;
  start = overOops(tokens, overPolite(tokens, start, words), to, words);
  return withoutEnd(tokens, withoutLast(tokens, withoutEnd(tokens, { from: start, to }), words.polite));
}

/** An instruction with the sections that it names before or after the request. */
export interface Scope {
  readonly range: Range;
  readonly sections: readonly string[];
  /** Whether every place of the words is meant: "em todo o laudo". */
  readonly everywhere: boolean;
  /** The only sentence or item that is meant: "in the second sentence", "at L4-L5". */
  readonly within?: Passage;
  /** Whether the section is meant in addition to the one that has the words: "and in the impression too". */
  readonly also: boolean;
}

/** The range without "em todo o laudo" at the beginning or the end. */
function withoutEverywhere(tokens: readonly Token[], range: Range, { everywhere }: InstructionWords): Range {
  const first = phraseAt(tokens, range.from, everywhere);
  if (first && first.to < range.to) {
    return { from: isEnd(tokens[first.to]) ? first.to + 1 : first.to, to: range.to };
  }
  for (let at = range.from + 1; at < range.to; at += 1) {
    if (phraseAt(tokens, at, everywhere)?.to === range.to) return withoutEnd(tokens, { from: range.from, to: at });
  }
  return range;
}

/** Without the phrases at its end. */
function withoutLast(tokens: readonly Token[], { from, to }: Range, ...indexes: PhraseIndex<true>[]): Range {
  for (let back = 3; back > 0; back -= 1) {
    const at = to - back;
    if (at > from && indexes.some((index) => phraseAt(tokens.slice(at, to), 0, index)?.to === back))
      return withoutLast(tokens, withoutEnd(tokens, { from, to: at }), ...indexes);
  }
  return { from, to };
}

/** The sections named at the beginning or at the end, first, and then none. */
export function findScopes(tokens: readonly Token[], whole: Range, reading: Reading): Scope[] {
  const range = withoutEverywhere(tokens, whole, reading.rules.instructions);
  const everywhere = range !== whole;
  const scopes: Scope[] = [];
  const { inSection, also: alsoWords, only, and } = reading.rules.instructions;
  const leading = phraseAt(tokens, phraseAt(tokens, range.from, only)?.to ?? range.from, inSection);
  const first = leading && sectionsFrom(tokens, leading.to, range.to, reading);
  if (first && first.to < range.to) {
    let from = first.to;
    while (isEnd(tokens[from])) from += 1;
    scopes.push({ range: { from, to: range.to }, sections: first.keys, everywhere, also: false });
  }
  const end = withoutLast(tokens, range, alsoWords);
  for (let at = range.from + 1; at < range.to; at += 1) {
    const found = isPlace(tokens, at, reading) ? undefined : phraseAt(tokens, at, inSection);
    for (const start of found ? startsAfter(tokens, at, found.to, inSection) : []) {
      const last = sectionsFrom(tokens, start, end.to, reading);
      if (last?.to !== end.to) continue;
      const said = withoutLast(tokens, withoutEnd(tokens, { from: range.from, to: at }), only);
      const rest = withoutLast(tokens, said, alsoWords, and);
      const isJoined = end.to < range.to || rest.to < said.to || phraseAt(tokens, at, and) !== undefined;
      scopes.push({ range: rest, sections: last.keys, everywhere, also: isJoined && last.keys.length === 1 });
      at = range.to;
      break;
    }
  }
  return [...scopes, { range, sections: [], everywhere, also: false }];
}

/** Within "no final dos" or "at the beginning of the" the section is no scope, but the target of the words. */
const isPlace = (tokens: readonly Token[], at: number, { rules }: Reading): boolean =>
  ['beginning', 'end'].some((name) =>
    [1, 2, 3].some((back) => (phraseAt(tokens, at - back, valueAt(rules.instructions.words, name))?.to ?? at) > at),
  );

/** A phrase may be the beginning of the name: "na impressão", "na seção impressão". */
function startsAfter(tokens: readonly Token[], at: number, to: number, index: PhraseIndex<true>): number[] {
  const starts = [to];
  for (let end = to - 1; end > at; end -= 1)
    if (phraseAt(tokens.slice(at, end), 0, index)?.to === end - at) starts.push(end);
  return starts;
}

/** Consecutive names of sections: "achados e na impressão". */
export function sectionsFrom(
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

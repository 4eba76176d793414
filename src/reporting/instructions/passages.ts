/** Passages: the sentences, and the items of numbered lists, that instructions name. */
import { integerAt } from '../numbers/numeral.ts';
import type { Rules } from '../rules.ts';
import { phraseAt } from '../words/phrases.ts';
import { isBoundary } from '../words/token.ts';
import { findBindings } from './matching.ts';
import type { Binding } from './matching.ts';
import { isNumberedList } from './numbered-list.ts';
import { Problem } from './operations.ts';
import type { Passage, SoughtWords } from './operations.ts';
import { elementsOf, passages } from './patterns.ts';
import type { PassageKind } from './patterns.ts';
import { findPlaces, isItemNumber, isWholeSentence, sentenceOf } from './places.ts';
import type { Page, Place } from './places.ts';
import { sectionsFrom } from './scopes.ts';
import type { Range } from './scopes.ts';
import { findSoughtWords } from './sought-words.ts';
import type { ParsedInstruction } from './sought-words.ts';
import { valueAt } from '../../domain/elements.ts';

export interface NamedPassage {
  readonly which: Passage;
  /** Keys of the sections named with it. */
  readonly sections: readonly string[];
}

const shapes = passages.flatMap(([kind, pattern]) =>
  [pattern, `${pattern} {of} <section>`].map((form) => ({ kind, elements: elementsOf(form) })),
);

/** The passage that the words name; `undefined`: they name none. A bare one says nothing but its words. */
export function readPassage(
  range: Range,
  parsed: ParsedInstruction,
  mayBeBare = false,
): NamedPassage | Problem | undefined {
  const { tokens, reading } = parsed;
  const { words } = reading.rules.instructions;
  const isNamed = (at: number): boolean =>
    ['sentence', 'item'].some((name) => phraseAt(tokens, at, valueAt(words, name)) !== undefined);
  const isBare = !tokens.slice(range.from, range.to).some((_, at) => isNamed(range.from + at));
  if (isBare && !mayBeBare) return undefined;
  let problem: Problem | undefined;
  for (const { kind, elements } of shapes) {
    if (isBare !== (kind === 'bare')) continue;
    for (const binding of findBindings(tokens, range, elements, words)) {
      const named = buildPassage(kind, binding, parsed);
      if (named && !(named instanceof Problem)) return named;
      problem ??= named;
    }
  }
  return problem;
}

function buildPassage(
  kind: PassageKind,
  { nth, what, section }: Binding,
  parsed: ParsedInstruction,
): NamedPassage | Problem | undefined {
  const { tokens, scope, reading, pages } = parsed;
  const named = section && sectionsFrom(tokens, section.from, section.to, reading);
  if (section && (named?.to !== section.to || named.keys.length > 1)) return undefined;
  const sections = named ? named.keys : scope.sections;
  const number = nth && readNumber(nth, parsed);
  switch (kind) {
    case 'last':
      return { which: { nth: -1 }, sections };
    case 'last_item':
      return { which: { item: -1 }, sections };
    case 'nth':
      return number === undefined ? undefined : { which: { nth: number }, sections };
    case 'item':
      return number === undefined ? undefined : { which: { item: number }, sections };
    default: {
      const sought = what && findSoughtWords(what, { ...parsed, scope: { ...scope, sections } });
      if (!sought || sought instanceof Problem) return sought;
      const isWhole = (place: Place): boolean => isWholeSentence(place);
      if (kind !== 'about' && !findPlaces(sought.what.words, pages, reading.rules).every(isWhole)) return undefined;
      return { which: { about: sought.what }, sections };
    }
  }
}

/** "two", "2", "second", "the last but one" */
export function readNumber({ from, to }: Range, { tokens, reading }: ParsedInstruction): number | undefined {
  const { instructions, numbers } = reading.rules;
  const nth = phraseAt(tokens, from, instructions.nth);
  if (nth?.to === to) return nth.value;
  const numeral = integerAt(tokens, from, numbers.grammar.words);
  return numeral?.to === to && !numeral.isDecimal && Number(numeral.digits) > 0 ? Number(numeral.digits) : undefined;
}

/** The place of a passage on the pages, if there is only one. */
export function findPassage(which: Passage, pages: readonly Page[], rules: Rules): Place | Problem {
  if ('about' in which) return findOnlySentence(which.about, pages, rules);
  return 'item' in which ? findItem(which.item, pages) : findNthSentence(which.nth, pages);
}

/** The sentence that holds the words. */
function findOnlySentence(what: SoughtWords, pages: readonly Page[], rules: Rules): Place | Problem {
  const places = findPlaces(what.words, pages, rules);
  const [place] = places;
  if (!place) return new Problem('not_found', what.said);
  const sentences = new Set(places.map((each) => `${each.page.key} ${sentenceOf(each).from}`));
  return sentences.size > 1
    ? new Problem('several', what.said, sentences.size)
    : { page: place.page, ...sentenceOf(place) };
}

const pickNth = <T>(list: readonly T[], nth: number): T | undefined => list.at(nth > 0 ? nth - 1 : nth);

/** The nth sentence of the only section that has as many; from the end of the last one that has any. */
function findNthSentence(nth: number, pages: readonly Page[]): Place | Problem {
  const written = pages.filter(({ sentences }) => sentences.length >= Math.max(1, nth));
  if (written.length > 1 && nth > 0) return new Problem('several', String(nth), written.length);
  const page = written.at(-1);
  const sentence = page && pickNth(page.sentences, nth);
  return page && sentence ? { page, ...sentence } : new Problem('not_found', String(nth));
}

/** The item of the only numbered list, without its number. */
function findItem(number: number, pages: readonly Page[]): Place | Problem {
  const lists = pages.filter(({ text }) => isNumberedList(text));
  if (lists.length > 1) return new Problem('several', String(number), lists.length);
  const [page] = lists;
  const item = page && pickNth(itemsOf(page), number);
  return page && item ? { page, ...item } : new Problem('not_found', String(number));
}

function itemsOf({ tokens }: Page): Range[] {
  const items: Range[] = [];
  let from = 0;
  for (let at = 0; at <= tokens.length; at += 1) {
    const token = tokens[at];
    if (token && !isBoundary(token)) continue;
    const start = isItemNumber(tokens, { from, to: from + 2 }) ? from + 2 : from;
    if (at > start) items.push({ from: start, to: at });
    from = at + 1;
  }
  return items;
}

/** The page with nothing but the passage. */
export const pageWithin = ({ page, from, to }: Place): Page => ({
  ...page,
  sentences: page.sentences.filter((sentence) => from <= sentence.from && sentence.to <= to),
});

/** Carries out typed operations on a copy of the sections; one that cannot be carried out stops them all. */
import type { Section } from '../../contract/document.ts';
import { comparedWords } from '../facts.ts';
import { fold } from '../../domain/fold.ts';
import type { Rules } from '../rules.ts';
import { phraseAt } from '../words/phrases.ts';
import { sectionKinds } from '../sections/section-kinds.ts';
import type { SectionNames } from '../sections/section-names.ts';
import { tokenise } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import {
  appendSentences,
  asSentence,
  cutAt,
  insertAt,
  insertSentence,
  prepended,
  replaceAt,
  matchCase,
} from './editing.ts';
import { checkOutcome } from './checking.ts';
import { exchangesAt } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { performFill } from './fields.ts';
import { isNumberedList, renumber, withoutItem } from './numbered-list.ts';
import { Problem } from './operations.ts';
import type { InstructionOperation, SoughtWords } from './operations.ts';
import { backwards, findPlaces, readPage, sentenceOf, hasNeighbours, startsSentence } from './places.ts';
import type { Page, Place } from './places.ts';
import { withText } from '../versions/with-text.ts';
import { withAgreement } from './sections.ts';
import type { OperationResult } from './sections.ts';
import { agreeing, asWritten, changeCategory, changeNumber, changeSide, wholeDate } from './values.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { elementAt, findElement } from '../../domain/elements.ts';

interface Context {
  readonly rules: Rules;
  readonly names: SectionNames;
}

/** The sections after the operations, or why they cannot be carried out. */
export function perform(
  operations: readonly InstructionOperation[],
  sections: readonly Section[],
  context: Context,
): Section[] | Problem {
  let after: Section[] = sections.map((section) => ({ ...section, text: normalForm(section.text) }));
  for (const operation of operations) {
    const done = performOne(operation, after, context);
    if (done instanceof Problem) return done;
    const problem = onlyDenies(operation, after, done, context) ?? checkOutcome(operation, after, done, context);
    if (problem) return problem;
    // A rewritten section is a list only if the new text is one.
    after = operation.kind === 'rewrite' ? done : keepNumbered(after, done);
  }
  return after;
}

/** A section that was a numbered list stays one. */
const keepNumbered = (before: readonly Section[], after: readonly Section[]): Section[] =>
  after.map((section) => {
    const old = before.find(({ key }) => key === section.key);
    return old && old.text !== section.text && isNumberedList(old.text) && section.text !== ''
      ? { ...section, text: renumber(section.text) }
      : section;
  });

function performOne(operation: InstructionOperation, sections: readonly Section[], context: Context): OperationResult {
  const { rules } = context;
  const pagesOf = (keys: readonly string[]): Page[] =>
    sections.filter(({ key }) => keys.length === 0 || keys.includes(key)).map((section) => readPage(section, rules));
  switch (operation.kind) {
    case 'replace':
      return replaceWords(operation, sections, pagesOf(operation.sections), context);
    case 'delete':
      return deleteWords(operation, sections, pagesOf(operation.sections), context);
    case 'insert_before':
    case 'insert_after': {
      const place = findOnlyPlace(operation.anchor, pagesOf(operation.sections), rules);
      if (place instanceof Problem) return place;
      const isSentence = operation.isSentence || makesSentence(operation.text, place, rules);
      const { from, to } = isSentence ? sentenceOf(place) : place;
      const { start, end } = place.page.spanOf(from, to);
      const at = operation.kind === 'insert_before' ? start : end;
      const { text } = place.page;
      const after = isSentence
        ? insertSentence(text, at, asSentence(operation.text))
        : insertAt(text, at, operation.text);
      return withText(sections, place.page.key, withAgreement(after, at, rules));
    }
    case 'append':
    case 'prepend':
    case 'rewrite':
      return writeSection(operation, sections, context);
    case 'fill':
      return performFill(operation, sections);
    case 'clear':
      return sections.some(({ key, text }) => key === operation.section && text !== '')
        ? withText(sections, operation.section, '')
        : new Problem('not_found', operation.section);
    case 'delete_sentence': {
      const place = findOnlySentence(operation.what, pagesOf(operation.sections), rules);
      return place instanceof Problem ? place : cutSentence(sections, place);
    }
    case 'delete_last':
      return deleteSentence(sections, pagesOf(operation.sections), -1);
    case 'delete_nth':
      return deleteNth(sections, pagesOf(operation.sections), operation.nth);
    case 'delete_item': {
      const [page, ...others] = pagesOf(operation.sections).filter(({ text }) => isNumberedList(text));
      if (others.length > 0) return new Problem('several', String(operation.number), others.length + 1);
      const rest = page && withoutItem(page.text, operation.number);
      return page && rest !== undefined
        ? withText(sections, page.key, rest)
        : new Problem('not_found', String(operation.number));
    }
    case 'move_sentence':
    case 'copy_sentence':
      return moveSentence(operation, sections, pagesOf(operation.sections), context);
    case 'replace_sentence':
      return replaceSentence(operation, sections, pagesOf(operation.sections), rules);
    case 'change_side':
      return changeSide(operation, sections, pagesOf(operation.sections), rules);
    case 'change_number':
      return changeNumber(operation, sections, pagesOf(operation.sections), rules);
    case 'change_category':
      return changeCategory(operation, sections, pagesOf(operation.sections), rules);
    case 'undo':
      return new Problem('not_understood');
  }
}

/** The meant place, if there is only one. */
function findOnlyPlace(what: SoughtWords, pages: readonly Page[], rules: Rules): Place | Problem {
  const [place, ...others] = findPlaces(what.words, pages, rules);
  if (!place) return new Problem('not_found', what.said);
  return others.length > 0 ? new Problem('several', what.said, others.length + 1) : place;
}

/**
 * The meant places: one; with "all", every one; or one in each named section. Several in one section lead to a
 * question.
 */
function findMeantPlaces(
  what: SoughtWords,
  pages: readonly Page[],
  { all, sections }: { all: boolean; sections: readonly string[] },
  rules: Rules,
): Place[] | Problem {
  const places = findPlaces(what.words, pages, rules).filter((place) => hasNeighbours(what, place, rules));
  if (places.length === 0) return new Problem('not_found', what.said);
  if (all || (places.length === 1 && sections.length < 2)) return places;
  const perSection = sections.map((key) => places.filter(({ page }) => page.key === key));
  if (sections.length > 1 && perSection.every((each) => each.length === 1)) return places;
  const several = Math.max(...perSection.map((each) => each.length), places.length);
  return perSection.some((each) => each.length === 0)
    ? new Problem('not_found', what.said)
    : new Problem('several', what.said, several);
}

type Replace = Extract<InstructionOperation, { kind: 'replace' }>;

function replaceWords(
  operation: Replace,
  sections: readonly Section[],
  pages: readonly Page[],
  { rules }: Context,
): OperationResult {
  const places = findMeantPlaces(operation.what, pages, operation, rules);
  if (places instanceof Problem) return places;
  let after = [...sections];
  for (const found of backwards(places)) {
    const exchanges = exchangesAt(wholeDate(found, operation.by, rules), operation.by, rules);
    if (!exchanges) return new Problem('unclear', operation.by);
    for (const exchange of exchanges.toSorted((a, b) => b.place.from - a.place.from))
      after = putInPlace(after, exchange, rules);
  }
  return after;
}

function putInPlace(sections: readonly Section[], { place, by: words }: Exchange, rules: Rules): Section[] {
  const { page, from, to } = place;
  const span = page.spanOf(from, to);
  const text = findElement(sections, ({ key }) => key === page.key).text;
  const replaced = elementAt(page.tokens, from);
  const isSide = to === from + 1 && rules.facts.sides.has(replaced.folded) && rules.facts.sides.has(fold(words));
  const by = isSide ? agreeing(replaced.text, words) : asWritten(words, place, rules);
  const changed = replaceAt(text, span, matchCase(text.slice(span.start, span.end), by, startsSentence(place)));
  return withText(sections, page.key, withAgreement(changed, span.start, rules));
}

type Delete = Extract<InstructionOperation, { kind: 'delete' }>;

function deleteWords(
  operation: Delete,
  sections: readonly Section[],
  pages: readonly Page[],
  { rules }: Context,
): OperationResult {
  const places = findMeantPlaces(operation.what, pages, operation, rules);
  if (places instanceof Problem) return places;
  let after = [...sections];
  for (const place of backwards(places)) {
    const { page } = place;
    if (isWholeSentence(place)) {
      after = cutSentence(after, place);
      continue;
    }
    if (leavesNothing(place, rules) || leavesNoFinding(place, rules))
      return new Problem('dangling', operation.what.said);
    const text = findElement(after, ({ key }) => key === page.key).text;
    after = withText(after, page.key, cutAt(text, page.spanOf(place.from, place.to)));
  }
  return after;
}

/** Words put before or after a whole sentence are one too, unless they go on with it: "controle" and "em 12 meses". */
function makesSentence(text: string, place: Place, { instructions }: Rules): boolean {
  const words = tokenise(text).filter(isWord);
  return isWholeSentence(place) && words.length > 1 && !instructions.dangling.has(words[0]?.folded ?? '');
}

const isWord = (token: Token | undefined): boolean => token?.kind === 'word' || token?.kind === 'figure';

function isWholeSentence(place: Place): boolean {
  const { from, to } = sentenceOf(place);
  const rest = [...place.page.tokens.slice(from, place.from), ...place.page.tokens.slice(place.to, to)];
  return !rest.some(isWord);
}

/** Whether the rest would be no sentence: "Sem ." */
function leavesNothing(place: Place, { instructions, facts, lexicon }: Rules): boolean {
  const { tokens } = place.page;
  const { from, to } = sentenceOf(place);
  const isEmpty = (token: Token): boolean =>
    !isWord(token) ||
    instructions.dangling.has(token.folded) ||
    facts.sides.has(token.folded) ||
    lexicon.small.has(token.folded);
  const rest = [...tokens.slice(from, place.from), ...tokens.slice(place.to, to)];
  if (rest.every(isEmpty)) return true;
  const before = tokens[place.from - 1];
  const after = tokens[place.to];
  const dangles =
    place.from > from && before !== undefined && isWord(before) && instructions.dangling.has(before.folded);
  return dangles && (after === undefined || !isWord(after) || instructions.dangling.has(after.folded));
}

/**
 * Whether a finding is removed, whole or in part, from the middle of a clause, and leaves its description: "No pleural
 * ."
 */
function leavesNoFinding(place: Place, { instructions, lexicon }: Rules): boolean {
  const { from, to } = place;
  const { tokens } = place.page;
  if (!isWord(tokens[from - 1]) || instructions.dangling.has(elementAt(tokens, from).folded)) return false;
  for (let at = sentenceOf(place).from; at < to; at += 1)
    if ((phraseAt(tokens, at, lexicon.findings)?.to ?? 0) > from) return true;
  return false;
}

function cutSentence(sections: readonly Section[], place: Place): Section[] {
  const { page } = place;
  const { from, to } = sentenceOf(place);
  const text = findElement(sections, ({ key }) => key === page.key).text;
  return withText(sections, page.key, cutAt(text, page.spanOf(from, to)));
}

/** The sentence that holds the words, if there is only one. */
function findOnlySentence(what: SoughtWords, pages: readonly Page[], rules: Rules): Place | Problem {
  const places = findPlaces(what.words, pages, rules);
  const [place] = places;
  if (!place) return new Problem('not_found', what.said);
  const sentences = new Set(places.map((each) => `${each.page.key} ${sentenceOf(each).from}`));
  return sentences.size > 1 ? new Problem('several', what.said, sentences.size) : place;
}

function deleteSentence(sections: readonly Section[], pages: readonly Page[], nth: number): OperationResult {
  const page = pages.findLast(({ sentences }) => sentences.length > 0);
  const sentence = page?.sentences.at(nth);
  return page && sentence ? cutSentence(sections, { page, ...sentence }) : new Problem('nothing');
}

/** The nth sentence of the only section that has any; negative `nth`: from the end. */
function findNthSentence(pages: readonly Page[], nth: number): Place | Problem {
  const written = pages.filter(({ sentences }) => sentences.length > 0);
  if (written.length > 1) return new Problem('several', String(nth), written.length);
  const [page] = written;
  const sentence = page?.sentences.at(nth > 0 ? nth - 1 : nth);
  return page && sentence ? { page, ...sentence } : new Problem('not_found', String(nth));
}

function deleteNth(sections: readonly Section[], pages: readonly Page[], nth: number): OperationResult {
  const place = findNthSentence(pages, nth);
  return place instanceof Problem ? place : cutSentence(sections, place);
}

type ReplaceSentence = Extract<InstructionOperation, { kind: 'replace_sentence' }>;

function replaceSentence(
  { which, text }: ReplaceSentence,
  sections: readonly Section[],
  pages: readonly Page[],
  rules: Rules,
): OperationResult {
  const place = typeof which === 'number' ? findNthSentence(pages, which) : findOnlySentence(which, pages, rules);
  if (place instanceof Problem) return place;
  const { page } = place;
  const { from, to } = sentenceOf(place);
  return withText(sections, page.key, replaceAt(page.text, page.spanOf(from, to), text));
}

type Move = Extract<InstructionOperation, { kind: 'move_sentence' | 'copy_sentence' }>;

function moveSentence(
  { kind, which, target }: Move,
  sections: readonly Section[],
  pages: readonly Page[],
  context: Context,
): OperationResult {
  const { rules } = context;
  const sources = typeof which === 'number' ? pages.filter(({ key }) => key !== target) : pages;
  const place = typeof which === 'number' ? findNthSentence(sources, which) : findOnlySentence(which, sources, rules);
  if (place instanceof Problem) return place;
  if (place.page.key === target) return new Problem('nothing');
  const { from, to } = sentenceOf(place);
  const { start, end } = place.page.spanOf(from, to);
  const text = asSentence(place.page.text.slice(start, end));
  const rest = kind === 'move_sentence' ? cutSentence(sections, place) : sections;
  return writeSection({ kind: 'append', section: target, text }, rest, context);
}

type Write = Extract<InstructionOperation, { kind: 'append' | 'prepend' | 'rewrite' }>;

/** Adds to a section, or rewrites it; a missing one is created at its usual place. */
function writeSection(
  { kind, section: key, text }: Write,
  sections: readonly Section[],
  { rules }: Context,
): OperationResult {
  const known = sections.find((section) => section.key === key);
  if (!known) {
    const made = { key, title: rules.titles[key] ?? key, text };
    const rank = (of: string): number => sectionKinds.findIndex((each) => each.key === of);
    const before = sections.findIndex((section) => rank(section.key) > rank(key));
    return before < 0 ? [...sections, made] : [...sections.slice(0, before), made, ...sections.slice(before)];
  }
  if (kind === 'rewrite') return withText(sections, key, text);
  return withText(sections, key, kind === 'append' ? appendSentences(known.text, text) : prepended(known.text, text));
}

/** An operation that only removes a negation leads to a question: the finding would be affirmed. */
function onlyDenies(
  operation: InstructionOperation,
  before: readonly Section[],
  after: readonly Section[],
  { rules }: Context,
): Problem | undefined {
  if (operation.kind !== 'replace' && operation.kind !== 'delete') return undefined;
  const words = (sections: readonly Section[]): { key: string; isNegation: boolean }[] =>
    sections.flatMap((section) =>
      comparedWords(readPage(section, rules).tokens, rules.facts).map(({ key, fact }) => ({
        key,
        isNegation: fact === 'negation',
      })),
    );
  const left = new Map<string, number>();
  for (const { key } of words(after)) left.set(key, (left.get(key) ?? 0) + 1);
  const removed = words(before).filter(({ key }) => {
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
  const hasAdded = [...left].some(([key, count]) => count > 0 && !rules.instructions.dangling.has(key));
  const isOnly =
    !hasAdded &&
    removed.length > 0 &&
    removed.every(({ key, isNegation }) => isNegation || rules.instructions.dangling.has(key));
  return isOnly && removed.some(({ isNegation }) => isNegation)
    ? new Problem('negation', operation.what.said)
    : undefined;
}

/** Carries out typed operations on a copy of the sections; one that cannot be carried out stops them all. */
import type { Section } from '../../contract/document.ts';
import { comparedWords } from '../facts.ts';
import { fold } from '../../domain/fold.ts';
import type { Rules } from '../rules.ts';
import { phraseAt } from '../words/phrases.ts';
import type { SectionNames } from '../sections/section-names.ts';
import { textOf, tokenise } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import { cutAt, insertAt, replaceAt, matchCase } from './editing.ts';
import { checkOutcome } from './checking.ts';
import { exchangesAt } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { performFill } from './fields.ts';
import { isNumberedList, renumber } from './numbered-list.ts';
import { Problem } from './operations.ts';
import type { InstructionOperation, SoughtWords, WordScope } from './operations.ts';
import { findPassage, pageWithin } from './passages.ts';
import {
  backwards,
  findPlaces,
  hasNeighbours,
  isWholeSentence,
  isWord,
  readPage,
  sentenceOf,
  startsSentence,
} from './places.ts';
import type { Page, Place } from './places.ts';
import { withText } from '../versions/with-text.ts';
import { withAgreement } from './sections.ts';
import type { OperationResult } from './sections.ts';
import { agreeing, asWritten, changeCategory, changeValue, changeWord, wholeDate } from './values.ts';
import { changeList, changePassage, cutPlace, writeSection } from './writing.ts';
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
    case 'append':
    case 'prepend':
    case 'rewrite':
      return writeSection(operation, sections, rules);
    case 'fill':
      return performFill(operation, sections);
    case 'clear':
      return sections.some(({ key, text }) => key === operation.section && text !== '')
        ? withText(sections, operation.section, '')
        : new Problem('not_found', operation.section);
    case 'delete_passage':
    case 'replace_passage':
    case 'move_passage':
    case 'copy_passage':
    case 'insert_passage':
      return changePassage(operation, sections, pagesOf(operation.sections), rules);
    case 'insert_item':
    case 'move_item':
    case 'swap_items':
    case 'delete_items':
      return changeList(operation, sections, pagesOf(operation.sections));
    case 'undo':
      return new Problem('not_understood');
    default: {
      const pages = pagesWithin(operation, pagesOf(operation.sections), rules);
      return pages instanceof Problem ? pages : changeWords(operation, sections, pages, rules);
    }
  }
}

/** The pages, or the only passage that is meant. */
function pagesWithin({ within }: WordScope, pages: readonly Page[], rules: Rules): readonly Page[] | Problem {
  if (!within) return pages;
  const place = findPassage(within, pages, rules);
  return place instanceof Problem ? place : [pageWithin(place)];
}

type ChangeWords = Extract<InstructionOperation, WordScope & { kind: unknown }>;

function changeWords(
  operation: Exclude<ChangeWords, { which: unknown } | { number: unknown } | { numbers: unknown }>,
  sections: readonly Section[],
  pages: readonly Page[],
  rules: Rules,
): OperationResult {
  switch (operation.kind) {
    case 'replace':
      return replaceWords(operation, sections, pages, rules);
    case 'delete':
      return deleteWords(operation, sections, pages, rules);
    case 'insert_before':
    case 'insert_after':
      return insertWords(operation, sections, pages, rules);
    case 'change_word':
      return changeWord(operation, sections, pages, rules);
    case 'change_value':
      return changeValue(operation, sections, pages, rules);
    case 'change_category':
      return changeCategory(operation, sections, pages, rules);
  }
}

type Insert = Extract<InstructionOperation, { kind: 'insert_before' | 'insert_after' }>;

/** Words at a place, or a sentence next to the one that the words are. */
function insertWords(
  { kind, sections: keys, anchor, text, isSentence }: Insert,
  sections: readonly Section[],
  pages: readonly Page[],
  rules: Rules,
): OperationResult {
  const place = findOnlyPlace(anchor, pages, rules);
  if (place instanceof Problem) return place;
  const side = kind === 'insert_before' ? 'before' : 'after';
  if (isSentence || makesSentence(text, place, rules)) {
    const which = { about: anchor };
    return changePassage({ kind: 'insert_passage', sections: keys, which, side, text }, sections, pages, rules);
  }
  const { start, end } = place.page.spanOf(place.from, place.to);
  const at = side === 'before' ? start : end;
  return withText(sections, place.page.key, withAgreement(insertAt(place.page.text, at, text), at, rules));
}

/** The places of the words that are meant: all, or the nth. */
function selectPlaces(what: SoughtWords, pages: readonly Page[], rules: Rules): Place[] {
  const places = findPlaces(what.words, pages, rules).filter((place) => hasNeighbours(what, place, rules));
  const { nth } = what;
  return nth === undefined ? places : [places.at(nth > 0 ? nth - 1 : nth)].filter((place) => place !== undefined);
}

/** The meant place, if there is only one. */
function findOnlyPlace(what: SoughtWords, pages: readonly Page[], rules: Rules): Place | Problem {
  const [place, ...others] = selectPlaces(what, pages, rules);
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
  const places = selectPlaces(what, pages, rules);
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
  rules: Rules,
): OperationResult {
  const context = placeInContext(operation, pages, rules);
  const places = context ? [context.place] : findMeantPlaces(operation.what, pages, operation, rules);
  if (places instanceof Problem) return places;
  const [only, ...others] = places;
  const by = context?.by ?? (only && others.length === 0 ? withoutSubject(operation.by, only, rules) : operation.by);
  let after = [...sections];
  for (const found of backwards(places)) {
    const exchanges = exchangesAt(wholeDate(found, by, rules), by, rules);
    if (!exchanges) return new Problem('unclear', by);
    for (const exchange of exchanges.toSorted((a, b) => b.place.from - a.place.from))
      after = putInPlace(after, exchange, rules);
  }
  return after;
}

/** "Mass to cyst in the liver": the only place that the words after the new ones follow, and the new ones alone. */
function placeInContext({ what, by }: Replace, pages: readonly Page[], rules: Rules): Exchange | undefined {
  const said = tokenise(by);
  const found = selectPlaces(what, pages, rules).flatMap((place): Exchange[] => {
    // No more of a long sentence than was said.
    const next = place.page.tokens.slice(place.to, Math.min(sentenceOf(place).to, place.to + said.length));
    for (let at = 1; at < said.length - 1; at += 1) {
      const rest = said.slice(at);
      if (rest.every(({ folded }, i) => folded === next[i]?.folded)) return [{ place, by: textOf(said.slice(0, at)) }];
    }
    return [];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** "Gallbladder absent" for "normal": without the words that the sentence has right before the place. */
function withoutSubject(by: string, place: Place, rules: Rules): string {
  const said = tokenise(by);
  const isSmall = ({ folded }: Token): boolean => rules.instructions.articles.has(folded);
  const before = place.page.tokens.slice(sentenceOf(place).from, place.from).filter((token) => !isSmall(token));
  for (let at = said.length - 1; at > 0; at -= 1) {
    const subject = said.slice(0, at).filter((token) => !isSmall(token));
    const isThere = before.some((_, i) => subject.every(({ folded }, j) => folded === before[i + j]?.folded));
    if (subject.length > 0 && isThere) return textOf(said.slice(at));
  }
  return by;
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
  rules: Rules,
): OperationResult {
  const places = findMeantPlaces(operation.what, pages, operation, rules);
  if (places instanceof Problem) return places;
  let after = [...sections];
  for (const place of backwards(places)) {
    const { page } = place;
    if (isWholeSentence(place)) {
      after = cutPlace(after, { page, ...sentenceOf(place) });
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
function makesSentence(text: string, place: Place, { instructions, facts }: Rules): boolean {
  const [first, second] = tokenise(text).filter(isWord);
  if (!first || !second || !isWholeSentence(place)) return false;
  // "À esquerda" begins as "a" does.
  const isArticle = instructions.articles.has(first.text.toLowerCase()) && !facts.sides.has(second.folded);
  return isArticle || instructions.opening.has(first.folded) || !instructions.dangling.has(first.folded);
}

/** Whether the rest would be no sentence: "Sem ." */
function leavesNothing(place: Place, { instructions, facts, lexicon, corrections }: Rules): boolean {
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
  if (dangles && (after === undefined || !isWord(after) || instructions.dangling.has(after.folded))) return true;
  // "Of the third rib."
  const isSmall = after !== undefined && instructions.dangling.has(after.folded);
  return (
    place.from === from &&
    isSmall &&
    !corrections.negations.has(after.folded) &&
    !instructions.articles.has(after.folded)
  );
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
  // "Without contrast" becomes "with contrast" only if somebody says so.
  const isOpposite = (key: string): boolean =>
    operation.kind === 'replace' && operation.what.words.length > 1 && rules.corrections.likes.kinds.has(key);
  const { dangling, signs } = rules.instructions;
  const isEmpty = (key: string): boolean => dangling.has(key) || signs.has(key) || operation.what.words.includes(key);
  const hasAdded = [...left].some(([key, count]) => count > 0 && (isOpposite(key) || !isEmpty(key)));
  const isOnly =
    !hasAdded &&
    removed.length > 0 &&
    removed.every(({ key, isNegation }) => isNegation || dangling.has(key) || signs.has(key));
  return isOnly && removed.some(({ isNegation }) => isNegation)
    ? new Problem('negation', operation.what.said)
    : undefined;
}

/** Reads the words that fill the slots of an instruction as an operation. */
import { fold } from '../../domain/fold.ts';
import { openingKey } from '../input.ts';
import { kindAt } from '../words/token-kinds.ts';
import { macroCalledBy } from '../vocabulary/macros.ts';
import type { Macro } from '../vocabulary/macros.ts';
import { carryOut, startWork } from '../operation.ts';
import { integerAt } from '../numbers/numeral.ts';
import { phraseAt } from '../words/phrases.ts';
import { render } from '../render.ts';
import { writeNumbers } from '../steps/numbers.ts';
import { textOf } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import type { Binding } from './matching.ts';
import { fillIn, fillWithChoice } from './fields.ts';
import { Problem } from './operations.ts';
import type { InstructionOperation, SoughtWords } from './operations.ts';
import type { InstructionKind } from './patterns.ts';
import { readKeys, findPlaces } from './places.ts';
import type { Page } from './places.ts';
import { sectionsFrom } from './scopes.ts';
import type { Range, Reading, Scope } from './scopes.ts';
import { normalForm } from '../../domain/normal-form.ts';
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

const inline = (parsed: ParsedInstruction, range: Range): string => textOf(convertWords(parsed, range));

/** "The report" means all of it, unless a section has that name: no instruction empties or rewrites a whole report. */
function meansReport({ from, to }: Range, { tokens, reading }: ParsedInstruction): boolean {
  const said = phraseAt(tokens, from, valueAt(reading.rules.instructions.words, 'report'));
  const title = fold(textOf(tokens.slice(to - 1, to)));
  return said?.to === to && reading.sections.every((section) => fold(section.title) !== title);
}

const changesWords: ReadonlySet<InstructionKind> = new Set(['replace', 'delete']);

/** Reads the words of a slot as the slot requires. */
export function build(
  kind: InstructionKind,
  binding: Binding,
  parsed: ParsedInstruction,
): InstructionOperation | Problem | undefined {
  const { tokens, scope, reading } = parsed;
  const { anchor, nth, text } = binding;
  const named = binding.section && sectionsFrom(tokens, binding.section.from, binding.section.to, reading);
  if (binding.section && (named?.to !== binding.section.to || named.keys.length > 1)) return undefined;
  const sections = named ? named.keys : scope.sections;
  const [section] = sections;
  if (binding.section && meansReport(binding.section, parsed))
    return new Problem('unclear', inline(parsed, scope.range));
  // "and in the impression too": only words that the report has can occur in several places.
  if (scope.also && !(binding.what && changesWords.has(kind)))
    return new Problem('unclear', inline(parsed, scope.range));
  switch (kind) {
    case 'undo':
      return scope.sections.length > 0 ? undefined : { kind };
    case 'delete_last':
      return { kind, sections };
    case 'delete_nth': {
      const found = nth && phraseAt(tokens, nth.from, reading.rules.instructions.nth);
      return nth && found?.to === nth.to ? { kind, sections, nth: found.value } : undefined;
    }
    case 'delete_item': {
      const number = nth && readItemNumber(nth, parsed);
      return number === undefined ? undefined : { kind, sections, number };
    }
    case 'replace_sentence':
      return buildSentenceReplacement(sections, binding, parsed);
    case 'move_sentence':
    case 'copy_sentence':
      return buildMove(kind, sections, binding, parsed);
    case 'clear':
      return section === undefined || scope.sections.length > 0 ? undefined : { kind, section };
    case 'fill':
      return buildFilling(binding, parsed);
    case 'append':
    case 'prepend':
    case 'rewrite':
      return text && buildSentences(kind, sections, text, parsed);
    case 'insert_before':
    case 'insert_after': {
      if (!anchor || !text) return undefined;
      const sought = findSoughtWords(anchor, parsed);
      return sought instanceof Problem ? sought : buildInsertion(kind, sections, sought.what, parsed, text);
    }
    default:
      return changed(kind, sections, binding, parsed);
  }
}

/** "two", "2", "second" */
function readItemNumber({ from, to }: Range, { tokens, reading }: ParsedInstruction): number | undefined {
  const { instructions, numbers } = reading.rules;
  const nth = phraseAt(tokens, from, instructions.nth);
  if (nth?.to === to && nth.value > 0) return nth.value;
  const numeral = integerAt(tokens, from, numbers.grammar.words);
  return numeral?.to === to && !numeral.isDecimal ? Number(numeral.digits) : undefined;
}

/** The sentence about something, the nth, or the last, to the end of a section. */
function buildMove(
  kind: 'move_sentence' | 'copy_sentence',
  sections: readonly string[],
  binding: Binding,
  parsed: ParsedInstruction,
): InstructionOperation | Problem | undefined {
  const { tokens, reading } = parsed;
  if (!binding.target) return undefined;
  const { from, to } = binding.target;
  const found = sectionsFrom(tokens, from, to, reading);
  const [target] = found?.keys ?? [];
  if (target === undefined || found?.to !== to || found.keys.length > 1) return undefined;
  const wanted = binding.what && findSoughtWords(binding.what, parsed);
  if (wanted instanceof Problem) return wanted;
  const nth = binding.nth && phraseAt(tokens, binding.nth.from, reading.rules.instructions.nth);
  if (binding.nth && nth?.to !== binding.nth.to) return undefined;
  return { kind, sections, which: wanted?.what ?? nth?.value ?? -1, target };
}

/** Replaces the sentence about something, the nth, or the last. */
function buildSentenceReplacement(
  sections: readonly string[],
  binding: Binding,
  parsed: ParsedInstruction,
): InstructionOperation | Problem | undefined {
  const { tokens, reading } = parsed;
  if (!binding.text) return undefined;
  const text = render([convertWords(parsed, binding.text)]).text;
  const wanted = binding.what && findSoughtWords(binding.what, parsed);
  if (text === '' || wanted instanceof Problem) return wanted instanceof Problem ? wanted : undefined;
  const nth = binding.nth && phraseAt(tokens, binding.nth.from, reading.rules.instructions.nth);
  if (binding.nth && nth?.to !== binding.nth.to) return undefined;
  return { kind: 'replace_sentence', sections, which: wanted?.what ?? nth?.value ?? -1, text };
}

/** Words before or after others; "a frase …" makes a sentence of them. */
function buildInsertion(
  kind: 'insert_before' | 'insert_after',
  sections: readonly string[],
  anchor: SoughtWords,
  parsed: ParsedInstruction,
  range: Range,
): InstructionOperation {
  const { text, isSentence } = withoutThat(parsed, range);
  return {
    kind,
    sections,
    anchor,
    isSentence,
    text: isSentence ? render([convertWords(parsed, text)]).text : inline(parsed, text),
  };
}

/** Skips "que", "the following", "a palavra", "a frase"; the last says what the words are. */
function withoutThat(
  { tokens, reading }: ParsedInstruction,
  { from, to }: Range,
): { readonly text: Range; readonly isSentence: boolean } {
  const { words } = reading.rules.instructions;
  const named = valueAt(words, 'sentence');
  const isNamed = [1, 2].some((back) => from >= back && phraseAt(tokens, from - back, named)?.to === from);
  if (isNamed) return { text: { from, to }, isSentence: true };
  const sentence = phraseAt(tokens, from, named);
  const that =
    sentence ?? phraseAt(tokens, from, valueAt(words, 'that')) ?? phraseAt(tokens, from, valueAt(words, 'mention'));
  if (!that || that.to >= to) return { text: { from, to }, isSentence: false };
  const start = /^[,:]$/.test(tokens[that.to]?.text ?? '') ? that.to + 1 : that.to;
  return { text: { from: start, to }, isSentence: sentence !== undefined };
}

/** Words that are added to a section as sentences. */
function buildSentences(
  kind: 'append' | 'prepend' | 'rewrite',
  sections: readonly string[],
  range: Range,
  parsed: ParsedInstruction,
): InstructionOperation | Problem | undefined {
  const { text: words } = withoutThat(parsed, range);
  const called = macroIn(parsed, words);
  if (called) return fromMacro(kind, sections, called, parsed);
  const text = render([convertWords(parsed, words)]).text;
  if (text === '') return undefined;
  const [section] = sections;
  return section === undefined || sections.length > 1
    ? new Problem('which_section', inline(parsed, range))
    : { kind, section, text };
}

/** The macro that the words call, with or without an article. */
export function macroIn(
  { tokens, reading }: Pick<ParsedInstruction, 'tokens' | 'reading'>,
  { from, to }: Range,
): Macro | undefined {
  const isArticle = reading.rules.instructions.articles.has(tokens[from]?.folded ?? '');
  return (
    macroCalledBy(tokens, { from, to }, reading.macros) ??
    (isArticle ? macroCalledBy(tokens, { from: from + 1, to }, reading.macros) : undefined)
  );
}

/**
 * The text of a macro in the section that was named, otherwise in its default section, otherwise where words without a
 * section name go.
 */
export function fromMacro(
  kind: 'append' | 'prepend' | 'rewrite',
  sections: readonly string[],
  { name, owner, text, section: own }: Macro,
  { reading }: Pick<ParsedInstruction, 'reading'>,
): InstructionOperation | Problem {
  if (sections.length > 1) return new Problem('which_section', name);
  const section = sections[0] ?? own ?? openingKey(reading);
  return { kind, section, text: normalForm(text).trim(), macro: { name, ...(owner && { owner }) } };
}

const isFilling = ({ tokens, scope, reading }: ParsedInstruction): boolean =>
  phraseAt(tokens, scope.range.from, valueAt(reading.rules.instructions.words, 'fill')) !== undefined;

/** An open field and its value: "preencher medida com 5", "lado direito". */
function buildFilling({ field, text }: Binding, parsed: ParsedInstruction): InstructionOperation | Problem | undefined {
  const { tokens, scope, pages, reading } = parsed;
  const meant = scope.sections.length === 0 ? pages : pages.filter(({ key }) => scope.sections.includes(key));
  if (!text) return undefined;
  const isSaidAlone = text.from === scope.range.from;
  return isSaidAlone
    ? fillWithChoice(tokens, text, meant, reading.rules)
    : fillIn(
        { tokens, name: field, value: convertWords(parsed, text), isCommand: isFilling(parsed) },
        meant,
        reading.rules,
      );
}

function changed(
  kind: InstructionKind,
  named: readonly string[],
  binding: Binding,
  parsed: ParsedInstruction,
): InstructionOperation | Problem | undefined {
  const wanted = binding.what && findSoughtWords(binding.what, parsed);
  if (wanted instanceof Problem) return wanted;
  const sections = wanted && parsed.scope.also ? withOthers(named, wanted.what, parsed) : named;
  const what = wanted?.what ?? null;
  const all = wanted?.all ?? false;
  switch (kind) {
    case 'replace':
      return what && binding.by ? buildReplacement({ sections, what, all }, binding.by, parsed) : undefined;
    case 'delete':
      return what ? { kind, sections, what, all } : undefined;
    case 'delete_sentence':
      return what ? { kind, sections, what } : undefined;
    case 'change_side': {
      const side = binding.side && readSide(binding.side, parsed, true);
      return side === undefined ? undefined : { kind, sections, side, what, all };
    }
    case 'change_number': {
      const measure = binding.measure && readMeasure(binding.measure, parsed, ['measure', 'date']);
      return measure === undefined ? undefined : { kind, sections, measure, what };
    }
    default:
      return readCategory(sections, binding, parsed);
  }
}

/** The named sections, and the others that have the words. */
const withOthers = (
  named: readonly string[],
  { words }: SoughtWords,
  { pages, reading }: ParsedInstruction,
): string[] => [...new Set([...named, ...findPlaces(words, pages, reading.rules).map(({ page }) => page.key)])];

/** A side with its small words, and what has the side: "o lado esquerdo", "à esquerda", "in the left breast". */
function readSide(
  { from, to }: Range,
  { tokens, reading, pages }: ParsedInstruction,
  mayName: boolean,
): string | undefined {
  const { facts, corrections, instructions } = reading.rules;
  const said = tokens.slice(from, to);
  const [side, ...others] = said.filter(({ folded }) => facts.sides.has(folded));
  const isLoose = ({ folded }: Token): boolean => corrections.fillers.has(folded) || instructions.articles.has(folded);
  const stands = ({ folded }: Token): boolean => mayName && findPlaces([folded], pages, reading.rules).length > 0;
  const isSide = others.length === 0 && said.every((token) => token === side || isLoose(token) || stands(token));
  return isSide ? side?.text : undefined;
}

/** A number alone, with or without its unit, or a date. */
function readMeasure(range: Range, parsed: ParsedInstruction, kinds: readonly string[]): string | undefined {
  const tokens = convertWords(parsed, range);
  const like = kindAt(tokens, 0, parsed.reading.rules.corrections.likes);
  return like && kinds.includes(like.kind) && like.to === tokens.length ? textOf(tokens) : undefined;
}

/** Replaces words by others; a number or a side for words that hold none means a number or a side of what they name. */
function buildReplacement(
  { sections, what, all }: { sections: readonly string[]; what: SoughtWords; all: boolean },
  by: Range,
  parsed: ParsedInstruction,
): InstructionOperation | Problem {
  const { rules } = parsed.reading;
  const isOf = (test: (key: string) => boolean): boolean => what.words.some(test);
  const { text } = withoutThat(parsed, by);
  const measure = readMeasure(text, parsed, ['measure']);
  if (measure !== undefined && !isOf((key) => /\d/.test(key) || rules.numbers.grammar.words.values.has(key))) {
    return { kind: 'change_number', sections, measure, what };
  }
  const side = readSide(text, parsed, false);
  if (side !== undefined && !isOf((key) => rules.facts.sides.has(key)))
    return { kind: 'change_side', sections, side, what, all };
  return { kind: 'replace', sections, what, by: inline(parsed, withoutArticle(parsed, text, what)), all };
}

/** The article is dropped if the words in the report have none: "nodule" by "a mass". */
function withoutArticle({ tokens, reading }: ParsedInstruction, { from, to }: Range, { said }: SoughtWords): Range {
  const { articles } = reading.rules.instructions;
  const [first = ''] = said.toLowerCase().split(' ');
  return to > from + 1 && articles.has(elementAt(tokens, from).text.toLowerCase()) && !articles.has(first)
    ? { from: from + 1, to }
    : { from, to };
}

/** "o BI-RADS", "o grau", "BI-RADS 3": the name of a class in the report, and its value. */
function readCategory(
  sections: readonly string[],
  binding: Binding,
  parsed: ParsedInstruction,
): InstructionOperation | Problem | undefined {
  if (!binding.category) return undefined;
  const { tokens, reading } = parsed;
  const { classes } = reading.rules.numbers;
  const isLoose = (at: number): boolean =>
    reading.rules.instructions.articles.has(tokens[at]?.folded ?? '') || classes.category.has(tokens[at]?.folded ?? '');
  // "a categoria para BI-RADS 4": the name comes with its value.
  if (binding.text && phraseAt(tokens, binding.text.from, classes.rads)) {
    const name = phraseAt(tokens, binding.category.from, classes.rads);
    if (!name) return readCategory(sections, { category: binding.text }, parsed);
  }
  let { from, to } = binding.category;
  const nameAt = (at: number): number | undefined =>
    (phraseAt(tokens, at, classes.rads) ?? phraseAt(tokens, at, classes.classes))?.to;
  while (from < to && nameAt(from) === undefined && isLoose(from)) from += 1;
  const end = nameAt(from);
  if (end === undefined || end > to) return undefined;
  if (binding.text) while (to > end && isLoose(to - 1)) to -= 1;
  const value = binding.text ?? { from: end, to };
  if ((binding.text && end !== to) || value.to <= value.from || value.to - value.from > 6) return undefined;
  const said = inline(parsed, { from, to: end });
  const words = readKeys(convertWords(parsed, { from, to: end }), reading.rules).map(({ key }) => key);
  return findPlaces(words, parsed.pages, reading.rules).length > 0
    ? { kind: 'change_category', sections, name: { words, said }, value: textOf(tokens.slice(value.from, value.to)) }
    : new Problem('not_found', said);
}

/** More words of a report than people quote. */
const maxWanted = 80;

/** Words that the meant sections must have; an article may be the speaker's. */
function findSoughtWords(range: Range, parsed: ParsedInstruction): { what: SoughtWords; all: boolean } | Problem {
  const { tokens, scope, reading, pages } = parsed;
  const { instructions } = reading.rules;
  const isMeant = ({ key }: Page): boolean => scope.sections.length === 0 || scope.also || scope.sections.includes(key);
  const meant = pages.filter(isMeant);
  let { from, to } = range;
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
  return new Problem('not_found', inline(parsed, range));
}

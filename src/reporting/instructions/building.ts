/** Reads the words that fill the slots of an instruction as an operation. */
import { fold } from '../../domain/fold.ts';
import { openingKey } from '../input.ts';
import { kindAt } from '../words/token-kinds.ts';
import { macroCalledBy } from '../vocabulary/macros.ts';
import type { Macro } from '../vocabulary/macros.ts';
import { phraseAt } from '../words/phrases.ts';
import { render } from '../render.ts';
import { textOf } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import type { Binding } from './matching.ts';
import { isLoose } from './exchange.ts';
import { readCategory } from './categories.ts';
import { fillIn, fillWithChoice } from './fields.ts';
import { buildLikeChange } from './likeness.ts';
import { Problem } from './operations.ts';
import type { InstructionOperation, SoughtWords } from './operations.ts';
import type { InstructionKind } from './patterns.ts';
import { readKeys, findPlaces, findSentencesWithAll, isWholeSentence, sentenceOf } from './places.ts';
import { readNumber, readPassage } from './passages.ts';
import { sectionsFrom } from './scopes.ts';
import type { Range } from './scopes.ts';
import { convertWords, findSoughtWords, inline } from './sought-words.ts';
import type { ParsedInstruction } from './sought-words.ts';
import { readSpelledName } from './spelled-names.ts';
import { categoryText, renameCategory } from './values.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { elementAt, valueAt } from '../../domain/elements.ts';

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
  const { anchor, text } = binding;
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
    case 'delete_passage':
    case 'replace_passage':
    case 'exchange_passage':
    case 'move_passage':
    case 'move_first':
    case 'copy_passage':
    case 'insert_passage_before':
    case 'insert_passage_after':
      return buildPassageChange(kind, binding, parsed);
    case 'insert_item':
    case 'move_item':
    case 'swap_items':
    case 'delete_items':
      return buildListChange(kind, binding, parsed);
    case 'clear':
      return section === undefined || scope.sections.length > 0 ? undefined : { kind, section };
    case 'fill':
      return buildFilling(binding, parsed);
    case 'append':
    case 'prepend':
    case 'rewrite':
      return text && buildSentences(kind, sections, text, parsed);
    case 'insert_before':
    case 'insert_after':
    case 'insert_sentence_before':
    case 'insert_sentence_after':
    case 'insert_between': {
      if (!anchor || !text) return undefined;
      const next = kind === 'insert_between' ? binding.other && findSoughtWords(binding.other, parsed) : undefined;
      if (next instanceof Problem) return next;
      const sought = findSoughtWords(anchor, parsed);
      return sought instanceof Problem ? sought : buildInsertion(kind, sections, sought.what, parsed, text);
    }
    case 'change_like':
      return binding.by && buildLikeChange(sections, binding.by, parsed);
    default:
      return changed(kind, sections, binding, parsed);
  }
}

type PassageChange = Extract<InstructionKind, `${string}_passage${string}` | 'move_first'>;

/** A passage is deleted, replaced, moved or copied, or a sentence is put next to it. */
function buildPassageChange(
  kind: PassageChange,
  binding: Binding,
  parsed: ParsedInstruction,
): InstructionOperation | Problem | undefined {
  const isMove = kind === 'move_passage' || kind === 'move_first' || kind === 'copy_passage';
  const named = binding.passage && readPassage(binding.passage, parsed, isMove || kind === 'exchange_passage');
  if (!named || named instanceof Problem) return named;
  if (kind === 'delete_passage') return { kind, ...named };
  if (isMove) {
    const target = binding.target && readTarget(binding.target, parsed);
    if (binding.target && target === undefined) return undefined;
    if (kind !== 'move_first') return { kind, ...named, ...(target !== undefined && { target }) };
    // "The last sentence to the top of the findings": the last one there.
    const isOwn = target !== undefined && named.sections.length === 0 && 'nth' in named.which;
    const place = isOwn ? { sections: [target] } : { ...(target !== undefined && { target }) };
    return { kind: 'move_passage', ...named, ...place, isFirst: true };
  }
  if (kind === 'exchange_passage' && binding.text && namesPlace(binding.text, parsed)) return undefined;
  const text = binding.text && renderSentences(binding.text, parsed);
  if (!text) return undefined;
  if (kind === 'replace_passage' || kind === 'exchange_passage') return { kind: 'replace_passage', ...named, text };
  return { kind: 'insert_passage', ...named, side: kind === 'insert_passage_before' ? 'before' : 'after', text };
}

const placeWords = ['top', 'bottom', 'beginning', 'end', 'before', 'after'] as const;

/** Whether the words may say where they go: "no fracture at the end". */
const namesPlace = ({ from, to }: Range, { tokens, reading }: ParsedInstruction): boolean =>
  tokens
    .slice(from, to)
    .some((_, at) =>
      placeWords.some((name) => phraseAt(tokens, from + at, valueAt(reading.rules.instructions.words, name))),
    );

/** The words as sentences of a report; `undefined` if there are none. */
const renderSentences = (range: Range, parsed: ParsedInstruction): string | undefined =>
  render([convertWords(parsed, withoutThat(parsed, range).text)]).text || undefined;

/** The only section that the words name. */
function readTarget({ from, to }: Range, { tokens, reading }: ParsedInstruction): string | undefined {
  const found = sectionsFrom(tokens, from, to, reading);
  return found?.to === to && found.keys.length === 1 ? found.keys[0] : undefined;
}

function buildListChange(
  kind: 'insert_item' | 'move_item' | 'swap_items' | 'delete_items',
  { nth, other, passage, text }: Binding,
  parsed: ParsedInstruction,
): InstructionOperation | Problem | undefined {
  const { sections } = parsed.scope;
  if (kind === 'move_item') {
    const named = passage && readPassage(passage, parsed);
    if (!named || named instanceof Problem) return named;
    return 'item' in named.which ? { kind, sections: named.sections, number: named.which.item } : undefined;
  }
  const number = nth && readNumber(nth, parsed);
  if (number === undefined) return undefined;
  if (kind === 'swap_items' || kind === 'delete_items') {
    const second = other && readNumber(other, parsed);
    return second === undefined ? undefined : { kind, sections, numbers: [number, second] };
  }
  const words = text && renderSentences(text, parsed);
  return words ? { kind, sections, number, text: words } : undefined;
}

/**
 * Words before or after others; "a frase …" makes a sentence of them. Without a word between anchor and text, the
 * anchor is a whole sentence.
 */
function buildInsertion(
  kind: `insert_${'' | 'sentence_'}${'before' | 'after'}` | 'insert_between',
  sections: readonly string[],
  anchor: SoughtWords,
  parsed: ParsedInstruction,
  range: Range,
): InstructionOperation | undefined {
  const { text, isSentence: isNamed } = withoutThat(parsed, range);
  const isOfSentence = kind !== 'insert_before' && kind !== 'insert_after';
  if (isOfSentence && !findPlaces(anchor.words, parsed.pages, parsed.reading.rules).every(isWholeSentence))
    return undefined;
  const isSentence = isNamed || isOfSentence;
  return {
    kind: kind.endsWith('before') ? 'insert_before' : 'insert_after',
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
  const sought = binding.what && findSoughtWords(binding.what, parsed);
  const wanted = sought instanceof Problem && kind === 'change_value' ? findSubject(binding, sought, parsed) : sought;
  if (wanted instanceof Problem) return wanted;
  const sections = wanted && parsed.scope.also ? withOthers(named, wanted.what, parsed) : named;
  const what = wanted?.what ?? null;
  const all = wanted?.all ?? false;
  switch (kind) {
    case 'replace':
      return what && binding.by ? buildReplacement({ sections, what, all }, binding.by, parsed) : undefined;
    case 'delete':
      return what ? { kind, sections, what, all } : undefined;
    case 'change_word':
      return buildWordChange(binding, { sections, what, all }, parsed);
    case 'change_level':
    case 'change_value': {
      const kinds = kind === 'change_level' ? levelKinds : binding.what ? allKinds : sizeKinds;
      const value = binding.value && readValue(afterPreposition(binding.value, parsed), parsed, kinds);
      return value === undefined ? undefined : { kind: 'change_value', sections, value, what };
    }
    default:
      return readCategory(sections, binding, parsed);
  }
}

/** "At C4-C5": without the preposition. */
function afterPreposition({ from, to }: Range, { tokens, reading }: ParsedInstruction): Range {
  const found = phraseAt(tokens, from, valueAt(reading.rules.instructions.words, 'at'));
  return found && found.to < to ? { from: found.to, to } : { from, to };
}

/** "The pressure of the left eye" for "left eye with a pressure of 18 mmHg": the only sentence with all the words. */
function findSubject(
  { what }: Binding,
  problem: Problem,
  parsed: ParsedInstruction,
): { what: SoughtWords; all: boolean } | Problem {
  const { tokens, scope, pages, reading } = parsed;
  const said = what ? tokens.slice(what.from, what.to) : [];
  const beside = readKeys(
    said.filter((token) => !isLoose(token, reading.rules)),
    reading.rules,
  ).map(({ key }) => key);
  const meant = pages.filter(({ key }) => scope.sections.length === 0 || scope.sections.includes(key));
  const isOnly = beside.length > 1 && findSentencesWithAll(beside, meant, reading.rules).length === 1;
  return isOnly ? { what: { words: [], said: textOf(said), beside }, all: false } : problem;
}

const levelKinds = ['level', 'stage'];
const sizeKinds = ['measure', 'date'];
const allKinds = [...levelKinds, ...sizeKinds];

/** A side, or a place or degree of something that is named: "the effusion is small". */
function buildWordChange(
  { word: range }: Binding,
  { sections, what, all }: { sections: readonly string[]; what: SoughtWords | null; all: boolean },
  parsed: ParsedInstruction,
): InstructionOperation | Problem | undefined {
  if (!range) return undefined;
  const { tokens, pages, reading } = parsed;
  const side = readSide(range, parsed, true);
  const word = side ?? (what ? readDegree(range, parsed) : undefined);
  if (word === undefined) return undefined;
  // "The stone is in the left kidney" is unclear if the report has a left kidney elsewhere.
  const said = tokens.slice(range.from, range.to).filter((token) => !isLoose(token, reading.rules));
  const named = readKeys(said, reading.rules);
  const stands =
    what && named.length > 1
      ? findPlaces(
          named.map(({ key }) => key),
          pages,
          reading.rules,
        )
      : [];
  return stands.length > 0 ? new Problem('unclear', word) : { kind: 'change_word', sections, word, what, all };
}

/** A word of a kind that is no side and no small word: "small", "posterior". */
function readDegree({ from, to }: Range, { tokens, reading }: ParsedInstruction): string | undefined {
  const { corrections, instructions } = reading.rules;
  const said = tokens.slice(from, to).filter(({ folded }) => !instructions.articles.has(folded));
  const [word, ...others] = said;
  const isDegree =
    word && others.length === 0 && corrections.likes.kinds.has(word.folded) && !instructions.dangling.has(word.folded);
  return isDegree ? word.text : undefined;
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

/** A number alone, with or without its sign and its unit, a date, or a level. */
function readValue(range: Range, parsed: ParsedInstruction, kinds: readonly string[]): string | undefined {
  const { corrections, numbers } = parsed.reading.rules;
  const isNegative = range.to > range.from + 1 && numbers.measures.minus.has(parsed.tokens[range.from]?.folded ?? '');
  const tokens = convertWords(parsed, isNegative ? { from: range.from + 1, to: range.to } : range);
  const like = kindAt(tokens, 0, corrections.likes);
  const isValue = like && kinds.includes(like.kind) && like.to === tokens.length;
  return isValue ? (isNegative ? '-' : '') + textOf(tokens) : undefined;
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
  const value = readValue(text, parsed, ['measure']);
  if (value !== undefined && !isOf((key) => /\d/.test(key) || rules.numbers.grammar.words.values.has(key)))
    return { kind: 'change_value', sections, value, what };
  const side = readSide(text, parsed, false);
  if (side !== undefined && !isOf((key) => rules.facts.sides.has(key)))
    return { kind: 'change_word', sections, word: side, what, all };
  const degree = readDegree(text, parsed);
  if (degree !== undefined && hasDegree(degree, what, parsed))
    return { kind: 'change_word', sections, word: degree, what, all };
  const name = readSpelledName(text, parsed);
  if (name instanceof Problem) return name;
  if (name !== undefined) return { kind: 'replace', sections, what, by: name, all };
  const isCategory = /^\d [a-f]$/.test(what.words.join(' '));
  const said = textOf(parsed.tokens.slice(text.from, text.to));
  const category = isCategory ? categoryText(said, { words: [], said: '' }, false, rules) : undefined;
  if (category !== undefined) return { kind: 'replace', sections, what, by: category, all };
  const named = renameCategory(what.said, said, rules);
  if (named !== undefined) return { kind: 'replace', sections, what, by: named, all };
  return {
    kind: 'replace',
    sections,
    what,
    by: inline(parsed, value === undefined ? withoutArticle(parsed, text, what) : text),
    all,
  };
}

/** Whether a sentence with the words has another word of that kind: "the effusion to small" of "a large effusion". */
function hasDegree(degree: string, { words }: SoughtWords, { pages, reading: { rules } }: ParsedInstruction): boolean {
  const { kinds } = rules.corrections.likes;
  const line = kinds.get(fold(degree));
  if (words.some((word) => kinds.has(word))) return false;
  return findPlaces(words, pages, rules).some((place) => {
    const { from, to } = sentenceOf(place);
    return place.page.tokens.slice(from, to).some(({ folded }) => kinds.get(folded) === line);
  });
}

/** The article is dropped if the words in the report have none: "nodule" by "a mass". */
function withoutArticle({ tokens, reading }: ParsedInstruction, { from, to }: Range, { said }: SoughtWords): Range {
  const { articles } = reading.rules.instructions;
  const [first = ''] = said.toLowerCase().split(' ');
  return to > from + 1 && articles.has(elementAt(tokens, from).text.toLowerCase()) && !articles.has(first)
    ? { from: from + 1, to }
    : { from, to };
}

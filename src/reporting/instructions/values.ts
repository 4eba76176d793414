/** Operations on values: sides, numbers, categories. */
import type { Section } from '../../contract/document.ts';
import { grouped } from '../../contract/grouped.ts';
import { areSameKind, kindAt } from '../words/token-kinds.ts';
import { sumAt } from '../numbers/classes.ts';
import { figure, roman } from '../numbers/figures.ts';
import { letterAt } from '../numbers/letters.ts';
import { integerAt } from '../numbers/numeral.ts';
import { unitAt } from '../numbers/units.ts';
import type { Rules } from '../rules.ts';
import { phraseAt } from '../words/phrases.ts';
import { textOf, tokenise } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import { replaceAt, matchCase } from './editing.ts';
import { Problem } from './operations.ts';
import type { InstructionOperation, SoughtWords } from './operations.ts';
import { backwards, findPlaces, findSentencesWithAll, sentenceOf, startsSentence } from './places.ts';
import type { Page, Place } from './places.ts';
import { withText } from '../versions/with-text.ts';
import { withAgreement } from './sections.ts';
import type { OperationResult } from './sections.ts';
import { elementAt, findElement } from '../../domain/elements.ts';

/** Words in the form of those that they replace: a number in words is a figure in "6 mm", and a unit its symbol. */
export function asWritten(by: string, { page, from, to }: Place, { numbers }: Rules): string {
  const tokens = tokenise(by);
  const isUnit =
    page.tokens[from - 1]?.kind === 'figure' && unitAt(page.tokens, from, numbers.grammar.units)?.to === to;
  const unit = isUnit ? unitAt(tokens, 0, numbers.grammar.units) : undefined;
  if (unit?.symbol && unit.to === tokens.length) return unit.symbol;
  if (elementAt(page.tokens, from).kind !== 'figure') return by;
  const numeral = integerAt(tokens, 0, numbers.grammar.words);
  return numeral?.isSpoken && numeral.to === tokens.length ? figure(numeral.digits, numbers.measures.style) : by;
}

/** The meant sentences: those with the words, or all. */
function sentencesWith(what: SoughtWords | null, pages: readonly Page[], rules: Rules): Place[] {
  if (what === null) return pages.flatMap((page) => page.sentences.map((sentence) => ({ page, ...sentence })));
  if (what.words.length === 0) return findSentencesWithAll(what.beside ?? [], pages, rules);
  const places = findPlaces(what.words, pages, rules).map((place) => ({ page: place.page, ...sentenceOf(place) }));
  return places.filter(
    (place, at) => places.findIndex((other) => other.page === place.page && other.from === place.from) === at,
  );
}

/** Whether there is one place, or one in each of the sections that were named. */
const isOneEach = (places: readonly Place[], sections: readonly string[]): boolean =>
  sections.length > 1
    ? sections.every((key) => places.filter(({ page }) => page.key === key).length === 1)
    : places.length === 1;

type ChangeWord = Extract<InstructionOperation, { kind: 'change_word' }>;

/** Replaces the word of the same kind: a side, a place, a degree. */
export function changeWord(
  { word, what, all, sections: named }: ChangeWord,
  sections: readonly Section[],
  pages: readonly Page[],
  rules: Rules,
): OperationResult {
  const { sides } = rules.facts;
  const said = elementAt(tokenise(word), 0).folded;
  const { kinds } = rules.corrections.likes;
  const isAlike = ({ folded }: Token): boolean =>
    sides.has(said) ? sides.has(folded) : kinds.has(said) && kinds.get(folded) === kinds.get(said);
  const found = sentencesWith(what, pages, rules).flatMap(({ page, from, to }) => {
    const places: Place[] = [];
    for (let at = from; at < to; at += 1)
      if (isAlike(elementAt(page.tokens, at))) places.push({ page, from: at, to: at + 1 });
    return places;
  });
  if (found.length === 0) return new Problem('not_found', word);
  if (!all && !isOneEach(found, named)) return new Problem('several', word, found.length);
  let after = [...sections];
  for (const place of backwards(found)) {
    const token = elementAt(place.page.tokens, place.from);
    if (token.folded === said || (sides.has(said) && sides.get(token.folded) === sides.get(said))) continue;
    const text = findElement(after, ({ key }) => key === place.page.key).text;
    const by = agreeing(token.text, word);
    after = withText(
      after,
      place.page.key,
      replaceAt(text, place.page.spanOf(place.from, place.to), matchCase(token.text, by, startsSentence(place))),
    );
  }
  return after;
}

/** The word in the gender and number of the one that it replaces: direita → esquerda. */
export function agreeing(replaced: string, word: string): string {
  const ending = /(?:[oa]s?)$/.exec(replaced.toLowerCase())?.[0];
  return ending !== undefined && /[oa]s?$/.test(word) && !/^(?:bilat|both)/.test(word)
    ? word.replace(/[oa]s?$/, ending)
    : word;
}

/** If a whole date replaces a part of one, it replaces the rest too: "10 de março" of "10 de março de 2025". */
export function wholeDate(place: Place, by: string, { corrections: { likes } }: Rules): Place {
  const said = tokenise(by);
  const isDate = kindAt(said, 0, likes)?.kind === 'date' && /\d{4}$/.test(by);
  if (!isDate) return place;
  const { from, to } = sentenceOf(place);
  for (let at = Math.max(from, place.from - 6); at <= place.from; at += 1) {
    const like = kindAt(place.page.tokens, at, likes);
    if (like?.kind === 'date' && like.to >= place.to && like.to <= to) return { ...place, from: at, to: like.to };
  }
  return place;
}

type ChangeValue = Extract<InstructionOperation, { kind: 'change_value' }>;

/** Kinds that `change_value` changes. */
const valueKinds: ReadonlySet<string> = new Set(['measure', 'date', 'level', 'stage']);

/** Replaces the value of the same kind; a measure without a unit only if what it belongs to is named. */
export function changeValue(
  { value, what, sections: named }: ChangeValue,
  sections: readonly Section[],
  pages: readonly Page[],
  rules: Rules,
): OperationResult {
  const { likes } = rules.corrections;
  const said = tokenise(value);
  const wanted = kindAt(said, 0, likes);
  if (!wanted || !valueKinds.has(wanted.kind) || wanted.to !== said.length) return new Problem('not_understood');
  const found = sentencesWith(what, pages, rules).flatMap(({ page, from, to }) => {
    const places: { place: Place; numberTo: number; isBare: boolean }[] = [];
    for (let at = from; at < to; at += 1) {
      const like = kindAt(page.tokens, at, likes);
      if (!like || !valueKinds.has(like.kind)) continue;
      if (areSameKind(like, wanted))
        places.push({
          place: { page, from: at, to: like.to },
          numberTo: like.numberTo,
          isBare: like.kind === 'measure' && !like.unit,
        });
      at = like.to - 1;
    }
    return places;
  });
  const measured = found.filter(({ isBare }) => !isBare);
  const fitting = measured.length > 0 || what === null || wanted.unit ? measured : found;
  if (fitting.length === 0) return new Problem('not_found', value);
  const meant = fitting.map(({ place }) => place);
  if (!isOneEach(meant, named)) return new Problem('several', value, fitting.length);
  const isWhole = wanted.unit !== undefined || wanted.kind !== 'measure';
  let after = [...sections];
  for (const { place, numberTo } of fitting.toReversed()) {
    const { page } = place;
    const { text } = findElement(after, ({ key }) => key === page.key);
    const span = page.spanOf(place.from, isWhole ? place.to : numberTo);
    const old = text.slice(span.start, span.end);
    const by = likeGrouped(old, isWhole ? value : asWritten(value, place, rules), rules);
    after = withText(after, page.key, withAgreement(replaceAt(text, span, by), span.start, rules));
  }
  return after;
}

/** Separates the thousands of the new number where those of the old one are: "2,340 g" → "2,430 g". */
function likeGrouped(old: string, by: string, { numbers }: Rules): string {
  const { decimal, thousands } = numbers.measures.style;
  return old.split(decimal)[0]?.includes(thousands)
    ? by.replace(/^\d{4}(?!\d)/, (digits) => grouped(digits, thousands))
    : by;
}

type ChangeCategory = Extract<InstructionOperation, { kind: 'change_category' }>;

/** The value after the name of a class: "BI-RADS 4A", "grau II". */
export function changeCategory(
  { name, value, sections: named }: ChangeCategory,
  sections: readonly Section[],
  pages: readonly Page[],
  rules: Rules,
): OperationResult {
  const found = findPlaces(name.words, pages, rules).flatMap((place) => valueAfter(place, rules));
  if (found.length === 0) return new Problem('not_found', name.said);
  if (!isOneEach(found, named)) return new Problem('several', name.said, found.length);
  let after = [...sections];
  for (const { page, from, to } of backwards(found)) {
    const old = page.tokens.slice(from, to);
    const by = categoryText(value, name, /^[IVX]/.test(elementAt(old, 0).text), rules);
    // "Gleason seven" for "3+4=7" is no other sum.
    if (by === undefined || old.filter(isSum).length !== by.replace(/[^+=]/g, '').length)
      return new Problem('not_understood');
    const text = findElement(after, ({ key }) => key === page.key).text;
    after = withText(after, page.key, replaceAt(text, page.spanOf(from, to), by));
  }
  return after;
}

const isSum = (token: Token | undefined): boolean => /^[+=]$/.test(token?.text ?? '');

function valueAfter({ page, to }: Place, { numbers }: Rules): Place[] {
  let at = to;
  while (
    at < to + 3 &&
    (numbers.classes.category.has(page.tokens[at]?.folded ?? '') || /^[:-]$/.test(page.tokens[at]?.text ?? ''))
  )
    at += 1;
  const token = page.tokens[at];
  const isValue = token?.kind === 'figure' || /^[IVX]+[A-F]?$/.test(token?.text ?? '');
  if (!isValue) return [];
  const letter = page.tokens[at + 1];
  let end = letter?.kind === 'word' && !letter.spaced && letter.text.length === 1 ? at + 2 : at + 1;
  while (isSum(page.tokens[end]) && page.tokens[end + 1]?.kind === 'figure') end += 2;
  return [{ page, from: at, to: end }];
}

/** "4 b" for "BI-RADS 4A": the name stays. */
export function renameCategory(said: string, value: string, rules: Rules): string | undefined {
  const tokens = tokenise(said);
  const { classes } = rules.numbers;
  let at = (phraseAt(tokens, 0, classes.rads) ?? phraseAt(tokens, 0, classes.classes))?.to;
  if (at === undefined) return undefined;
  while (classes.category.has(tokens[at]?.folded ?? '')) at += 1;
  const isRoman = /^[IVX]/.test(tokens[at]?.text ?? '');
  if (!isRoman && tokens[at]?.kind !== 'figure') return undefined;
  const category = categoryText(value, { words: [], said: '' }, isRoman, rules);
  return category === undefined ? undefined : `${textOf(tokens.slice(0, at))} ${category}`;
}

/** "três", "4 b", "BI-RADS 3", "4 + 3 = 7" in the written form of the value. */
export function categoryText(
  value: string,
  name: SoughtWords,
  isRoman: boolean,
  { numbers, instructions }: Rules,
): string | undefined {
  const tokens = tokenise(value);
  let at = 0;
  while (
    at < tokens.length &&
    (name.words.includes(elementAt(tokens, at).folded) ||
      numbers.classes.category.has(elementAt(tokens, at).folded) ||
      instructions.articles.has(elementAt(tokens, at).folded) ||
      elementAt(tokens, at).text === '-')
  )
    at += 1;
  if (/^[IVX]+[A-F]?$/.test(tokens[at]?.text ?? '') && at + 1 === tokens.length) return elementAt(tokens, at).text;
  const numeral = integerAt(tokens, at, numbers.grammar.words);
  if (!numeral) return undefined;
  const letter = letterAt(tokens, numeral.to, numbers.codes.letters);
  const digits = isRoman ? (roman(numeral.digits) ?? numeral.digits) : numeral.digits;
  let text = digits + (letter?.letter ?? '');
  let to = letter ? numeral.to + 1 : numeral.to;
  for (let sum = sumAt(tokens, to, numbers.classes); sum; sum = sumAt(tokens, to, numbers.classes)) {
    const next = integerAt(tokens, sum.to, numbers.grammar.words);
    if (!next) return undefined;
    text += (sum.text ?? '') + next.digits;
    ({ to } = next);
  }
  return to === tokens.length ? text : undefined;
}

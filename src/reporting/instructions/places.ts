/** Places of words in a report. */
import type { Section } from '../../contract/document.ts';
import { readTokens } from '../checks/reading.ts';
import { integerAt } from '../numbers/numeral.ts';
import { unitAt } from '../numbers/units.ts';
import type { Rules } from '../rules.ts';
import { splitSentences } from '../words/sentences.ts';
import type { Span, Token } from '../words/token.ts';
import { normalForm } from '../../domain/normal-form.ts';
import type { SoughtWords } from './operations.ts';
import { elementAt, findElement } from '../../domain/elements.ts';

/** A section with its words as a report writes them, and the place of each in the text. */
export interface Page {
  readonly key: string;
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly sentences: readonly { readonly from: number; readonly to: number }[];
  readonly spanOf: (from: number, to: number) => Span;
}

/** Tokens `from` up to `to` of a page. */
export interface Place {
  readonly page: Page;
  readonly from: number;
  readonly to: number;
}

export function readPage({ key, text: given }: Section, rules: Rules): Page {
  const text = normalForm(given);
  const { tokens, heard } = readTokens(text, rules);
  return {
    key,
    text,
    tokens,
    sentences: splitSentences(tokens).filter((sentence) => !isItemNumber(tokens, sentence)),
    spanOf: (from, to) => ({
      start: elementAt(heard, elementAt(tokens, from).from).start,
      end: elementAt(heard, elementAt(tokens, to - 1).to - 1).end,
    }),
  };
}

/** "2." at the beginning of a line is the number of an item, and no sentence. */
export function isItemNumber(
  tokens: readonly Token[],
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  const [number, mark, before] = [tokens[from], tokens[from + 1], tokens[from - 1]];
  const isLine = before === undefined || before.kind === 'break';
  return to === from + 2 && isLine && number?.kind === 'figure' && /^\d{1,2}$/.test(number.text) && mark?.text === '.';
}

interface KeyedRange {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** A minus before a figure, written or spoken; no hyphen ("L4-5"). */
function isMinus(tokens: readonly Token[], at: number, { measures }: Rules['numbers']): boolean {
  const [before, token, next] = [tokens[at - 1], elementAt(tokens, at), tokens[at + 1]];
  if (token.kind === 'word') return measures.minus.has(token.folded) && next !== undefined;
  const isGlued = before !== undefined && !token.spaced && (before.kind === 'word' || before.kind === 'figure');
  return token.text === '-' && next?.kind === 'figure' && !next.spaced && !isGlued;
}

/** Words and figures for comparison: a number in words is the figure, a unit its symbol. */
export function readKeys(tokens: readonly Token[], { numbers }: Rules, from = 0, to = tokens.length): KeyedRange[] {
  const keys: KeyedRange[] = [];
  let at = from;
  while (at < to) {
    const token = elementAt(tokens, at);
    const { words, units } = numbers.grammar;
    const unit = token.kind === 'word' ? unitAt(tokens, at, units) : undefined;
    if (unit?.symbol && unit.to <= to) {
      keys.push({ key: unit.symbol.toLowerCase(), from: at, to: unit.to });
      at = unit.to;
      continue;
    }
    // "-10" is another number than "10".
    const negative = isMinus(tokens, at, numbers) ? integerAt(tokens, at + 1, words) : undefined;
    if (negative && negative.to <= to) {
      keys.push({ key: `-${negative.digits}`, from: at, to: negative.to });
      at = negative.to;
      continue;
    }
    const numeral = words.articles.has(token.folded) ? undefined : integerAt(tokens, at, words);
    if (numeral && numeral.to <= to) keys.push({ key: numeral.digits, from: at, to: numeral.to });
    else if (token.kind === 'word' || token.kind === 'figure' || /^[%°<>±≤≥]$/.test(token.text))
      keys.push({ key: token.folded, from: at, to: at + 1 });
    at = numeral && numeral.to <= to ? numeral.to : at + 1;
  }
  return keys;
}

/**
 * Every place of the words on the pages, each within one sentence. A side alone is found in any gender and number,
 * unless the page has it exactly as said.
 */
export function findPlaces(words: readonly string[], pages: readonly Page[], rules: Rules): Place[] {
  const [word] = words;
  if (word === undefined) return [];
  const side = words.length === 1 ? rules.facts.sides.get(word) : undefined;
  return pages.flatMap((page) => {
    const literal = placesOn(page, words.length, (key, at) => key === words[at], rules);
    if (literal.length > 0 || side === undefined) return literal;
    return placesOn(page, 1, (key) => rules.facts.sides.get(key) === side, rules);
  });
}

function placesOn(page: Page, length: number, isWord: (key: string, at: number) => boolean, rules: Rules): Place[] {
  return page.sentences.flatMap(({ from, to }) => {
    const keys = readKeys(page.tokens, rules, from, to);
    const found: Place[] = [];
    for (let at = 0; at + length <= keys.length; at += 1) {
      const stands = keys.slice(at, at + length).every(({ key }, i) => isWord(key, i));
      if (!stands) continue;
      found.push({ page, from: elementAt(keys, at).from, to: elementAt(keys, at + length - 1).to });
      at += length - 1;
    }
    return found;
  });
}

/** Whether the same sentence has the additional words of the instruction. */
export function hasNeighbours({ beside = [] }: SoughtWords, place: Place, rules: Rules): boolean {
  if (beside.length === 0) return true;
  const { from, to } = sentenceOf(place);
  const keys = new Set(readKeys(place.page.tokens, rules, from, to).map(({ key }) => key));
  return beside.every((word) => keys.has(word));
}

/** The sentences that have all of the words, in any order. */
export const findSentencesWithAll = (words: readonly string[], pages: readonly Page[], rules: Rules): Place[] =>
  pages.flatMap((page) =>
    page.sentences.flatMap((sentence) => {
      const keys = new Set(readKeys(page.tokens, rules, sentence.from, sentence.to).map(({ key }) => key));
      return words.every((word) => keys.has(word)) ? [{ page, ...sentence }] : [];
    }),
  );

/** The sentence that a place is in. */
export const sentenceOf = ({ page, from }: Place): { readonly from: number; readonly to: number } =>
  findElement(page.sentences, (sentence) => sentence.from <= from && from < sentence.to);

export const startsSentence = (place: Place): boolean => sentenceOf(place).from === place.from;

/** Whether the token is a word or a figure. */
export const isWord = (token: Token | undefined): boolean => token?.kind === 'word' || token?.kind === 'figure';

/** Whether the sentence has no other words. */
export function isWholeSentence(place: Place): boolean {
  const { from, to } = sentenceOf(place);
  const rest = [...place.page.tokens.slice(from, place.from), ...place.page.tokens.slice(place.to, to)];
  return !rest.some(isWord);
}

/** Places from last to first, so that a change does not move those before it. */
export const backwards = (places: readonly Place[]): Place[] => places.toReversed();

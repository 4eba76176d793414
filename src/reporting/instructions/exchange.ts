/**
 * Values that replace values of their kind: a measure for a measure, a side for a side. Words that only identify the
 * place stay, and so does a unit that nobody mentioned.
 */
import { areSameKind, kindAt } from '../words/token-kinds.ts';
import type { TokenKind } from '../words/token-kinds.ts';
import { unitAt } from '../numbers/units.ts';
import type { Rules } from '../rules.ts';
import { tokenise, textOf } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import { sentenceOf } from './places.ts';
import type { Place } from './places.ts';
import type { Range } from './scopes.ts';
import { elementAt } from '../../domain/elements.ts';

/** A value at its place among tokens. */
export interface Value {
  readonly like: TokenKind;
  readonly from: number;
  readonly to: number;
  /** The size that it is one number of: "3.2" of "3.2 x 2.8 cm". */
  readonly size?: TokenKind;
}

/** The values that begin within a range; one that extends beyond it is cut off there, without its unit. */
export function valuesIn(tokens: readonly Token[], range: Range, { corrections }: Rules): Value[] {
  const { to } = range;
  const values: Value[] = [];
  for (let at = range.from; at < to; at += 1) {
    const like = kindAt(tokens, at, corrections.likes);
    if (!like) continue;
    const isCut = like.to > to;
    const from = at > range.from && isSign(elementAt(tokens, at - 1)) ? at - 1 : at;
    values.push(
      isCut
        ? { like: cutOff(like, at, to), from, to, ...(to < like.numberTo && { size: like }) }
        : { like, from, to: like.to },
    );
    at = Math.max(at, Math.min(like.to, to) - 1);
  }
  return values;
}

/** "3.2" of "3.2 x 2.8 cm", "10.2" of "10.2 cm". */
const cutOff = (like: TokenKind, at: number, to: number): TokenKind => ({
  ...like,
  to,
  numberTo: to,
  unit: undefined,
  factors: like.kind === 'measure' ? Math.ceil((to - at) / 2) : like.factors,
});

/** Figures, sides and codes: such a value changes the meaning of any sentence. */
export const isHard = ({ kind }: TokenKind, text: string, { facts }: Rules): boolean =>
  !kind.startsWith('words ') || facts.sides.has(text);

/** A sign belongs to its number: it changes what the number says. */
const isSign = ({ text }: Token): boolean => /^[-+±<>≤≥~]$/.test(text);

/** Words without content: "on the", "do lado". */
export const isLoose = ({ kind, text, folded }: Token, { corrections, instructions }: Rules): boolean =>
  (kind === 'mark' && /^[.,;:!?…“”"'«»()]$/.test(text)) ||
  kind === 'break' ||
  corrections.fillers.has(folded) ||
  instructions.articles.has(folded);

/** The tokens of a range that have content and are in no value. */
export const wordsWithoutValue = (
  tokens: readonly Token[],
  range: Range,
  values: readonly Value[],
  rules: Rules,
): Token[] =>
  tokens
    .slice(range.from, range.to)
    .filter(
      (token, i) =>
        !isLoose(token, rules) && !values.some(({ from, to }) => from <= range.from + i && range.from + i < to),
    );

/** Words of a page, and their replacement. */
export interface Exchange {
  readonly place: Place;
  readonly by: string;
}

/**
 * The parts of a place that parts of `by` replace; the whole, if the two have no value of one kind in common.
 * `undefined`: `by` has a value that matches no value of the place, or additional words that are not the report's.
 */
export function exchangesAt(place: Place, by: string, rules: Rules): Exchange[] | undefined {
  const said = tokenise(by);
  const whole = { from: 0, to: said.length };
  const { page } = place;
  const [old, now] = [valuesIn(page.tokens, place, rules), valuesIn(said, whole, rules)];
  const literal = [{ place, by }];
  if (now.length === 0) return literal;
  const hasHard = (tokens: readonly Token[], values: readonly Value[]): boolean =>
    values.some(({ like, from }) => isHard(like, elementAt(tokens, from).folded, rules));
  const beside = wordsWithoutValue(said, whole, now, rules);
  const keepsWords = wordsWithoutValue(page.tokens, place, old, rules).length > 0;
  if (keepsWords && beside.length > 0) return literal;
  if (!hasHard(said, now) && !(keepsWords && beside.length === 0)) return literal;
  const isNamed = beside.every((token) => occursElsewhere(place, token));
  const pairs = now.map((value) => ({ value, fitting: old.filter((each) => areAlike(each, value, place, rules)) }));
  if (
    pairs.every(({ fitting }) => fitting.length === 1) &&
    new Set(pairs.map(({ fitting }) => fitting[0])).size === now.length
  ) {
    if (beside.length > 0 && !isNamed) return hasHard(page.tokens, old) ? undefined : literal;
    return pairs.map(({ value, fitting }) => replaceValue(elementAt(fitting, 0), value, said, place, rules));
  }
  const isHardPair = hasHard(said, now) && hasHard(page.tokens, old);
  const isSpread = old.length === 1 && !keepsWords && isSpan(said, now, rules);
  if (isSpread && beside.length === 0) return [replaceWithSpan(place, elementAt(old, 0), now, said)];
  return isHardPair || (keepsWords && hasHard(said, now)) ? undefined : literal;
}

/** Whether the sentence also has the word outside the place. */
function occursElsewhere(place: Place, { folded }: Token): boolean {
  const { from, to } = sentenceOf(place);
  return place.page.tokens.some(
    (token, at) => at >= from && at < to && (at < place.from || at >= place.to) && token.folded === folded,
  );
}

function areAlike(old: Value, now: Value, { page }: Place, { numbers }: Rules): boolean {
  if (old.size && now.like.unit)
    return now.like.unit.symbol === old.size.unit?.symbol && areSameKind(old.like, now.like);
  const unit = old.like.unit ?? unitAt(page.tokens, old.to, numbers.grammar.units);
  const like = old.like.kind === 'measure' ? { ...old.like, unit } : old.like;
  return areSameKind(like, now.like);
}

/** "5 to 7 mm", "T1 and T2": several values instead of one of their kind. */
function isSpan(
  said: readonly Token[],
  values: readonly Value[],
  { numbers, corrections, instructions }: Rules,
): boolean {
  if (values.some(({ like }) => like.kind !== elementAt(values, 0).like.kind)) return false;
  return values.slice(1).every(({ from }, i) => {
    const gap = said.slice(elementAt(values, i).to, from);
    const isJoint = ({ folded, text }: Token): boolean =>
      text === '-' || numbers.grammar.decimals.range.has(folded) || instructions.and.has(folded);
    return gap.length === 1 && isJoint(elementAt(gap, 0)) && !corrections.between.has(elementAt(gap, 0).folded);
  });
}

/**
 * Puts the new value in the old one's place: without a unit it keeps the unit there, and with one it replaces that too.
 */
function replaceValue(old: Value, now: Value, said: readonly Token[], { page }: Place, { numbers }: Rules): Exchange {
  const text = textOf(said.slice(now.from, old.size ? now.like.numberTo : now.to));
  if (now.like.kind !== 'measure' || old.like.kind !== 'measure')
    return { place: { page, from: old.from, to: old.to }, by: text };
  if (!now.like.unit) return { place: { page, from: old.from, to: old.like.numberTo }, by: text };
  const unit = old.like.unit || old.size ? undefined : unitAt(page.tokens, old.to, numbers.grammar.units);
  return { place: { page, from: old.from, to: unit?.to ?? old.to }, by: text };
}

/** A span instead of one value: the unit stays if the span names none. */
function replaceWithSpan(
  { page, from, to }: Place,
  old: Value,
  now: readonly Value[],
  said: readonly Token[],
): Exchange {
  const keepsUnit = old.like.unit !== undefined && now.every(({ like }) => !like.unit);
  return { place: { page, from, to: keepsUnit ? old.like.numberTo : to }, by: textOf(said) };
}

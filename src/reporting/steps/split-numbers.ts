/**
 * Numbers that a recogniser may have written in parts: "2, 5 cm" is 2,5 cm or two sizes, "20 e 5 mm" is 25 mm or two.
 * The words stay as they were heard, and a person is asked.
 */
import { isMonthBefore } from '../numbers/dates.ts';
import type { Numeral, NumberWords } from '../numbers/numeral.ts';
import { readNumbers } from '../numbers/reading.ts';
import type { NumberGrammar, NumberReading } from '../numbers/reading.ts';
import { unitAt } from '../numbers/units.ts';
import { beginsText } from '../sections/section-names.ts';
import { endsClause, phraseAt } from '../words/phrases.ts';
import type { Token } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';
import type { NumberRules } from './numbers.ts';

interface Place {
  readonly from: number;
  readonly to: number;
}

/** Two numbers in a row, with what is between them. */
interface Pair {
  readonly at: number;
  readonly first: Numeral;
  readonly second: Numeral;
  /** The mark or word between them; empty if there is none. */
  readonly joint: string;
}

interface Context {
  readonly tokens: readonly Token[];
  readonly rules: NumberRules;
  readonly reading: NumberReading;
}

/** Places of numbers that may be parts of one, as tokens, in order. */
export function findSplitNumbers(tokens: readonly Token[], rules: NumberRules): Place[] {
  const reading = readNumbers(tokens, rules.grammar, () => false);
  const context = { tokens, rules, reading };
  const places: Place[] = [];
  let free = 0;
  for (const [at, numeral] of [...reading.numerals].toSorted(([a], [b]) => a - b)) {
    if (at < free) continue;
    const to =
      isOtherGroup(numeral, at, context) || isDottedTime(numeral, at, context)
        ? numeral.to
        : (findSecond(at, numeral, context) ?? findCutUnit(numeral, context));
    if (to === undefined) continue;
    places.push({ from: at, to });
    free = to;
  }
  return places;
}

/** "1,200 mL" where a comma is the decimal sign: 1200, or 1,2. */
function isOtherGroup({ to, isDecimal }: Numeral, at: number, { tokens, rules: { grammar } }: Context): boolean {
  const sign = grammar.words.decimalSign;
  const { text } = elementAt(tokens, at);
  return (
    isDecimal && /^[1-9]\d{0,2}[.,]\d{3}$/.test(text) && text.includes(sign) && leadsToMeasure(tokens, to, grammar)
  );
}

/** The end of the second part of a number. */
function findSecond(at: number, first: Numeral, context: Context): number | undefined {
  const { tokens, reading } = context;
  if (first.isDecimal || !startsNumber(tokens, at)) return undefined;
  const next = reading.numerals.get(first.to);
  const second = next ?? reading.numerals.get(first.to + 1);
  if (!second || second.isDecimal || second.isArticle) return undefined;
  const joint = next ? '' : elementAt(tokens, first.to).folded;
  // "De um 5 cm": no article has a number behind it, except in English.
  const isCounted =
    joint === '' &&
    !context.rules.grammar.decimals.digitByDigit &&
    context.rules.dates.of.has(tokens[at - 1]?.folded ?? '');
  if (first.isArticle && joint !== '.' && !isCounted) return undefined;
  return isSplit({ at, first, second, joint }, context) ? second.to : undefined;
}

/** "0,7, cm": the end of a unit behind a comma. */
function findCutUnit({ to }: Numeral, { tokens, rules: { grammar } }: Context): number | undefined {
  const unit =
    tokens[to]?.text === ',' && tokens[to + 1]?.kind === 'word' ? unitAt(tokens, to + 1, grammar.units) : undefined;
  return unit?.symbol == null || unit.of === 'time' ? undefined : unit.to;
}

/** "A las 17.45", "at 5.30 p.m.": a time, or a decimal of a quantity. */
function isDottedTime({ to }: Numeral, at: number, { tokens, rules: { dates } }: Context): boolean {
  const isClock = /^(?:[01]?\d|2[0-3])[.,][0-5]\d$/.test(elementAt(tokens, at).text);
  const next = tokens[to]?.folded ?? '';
  const isTimed = dates.hours.has(next) || (dates.clock === '12' ? /^[ap]m?$/.test(next) : endsClause(tokens, to));
  return isClock && isTimed && dates.onTheHour.has(tokens[at - 1]?.folded ?? '');
}

/** "A las 8, 15 horas": an hour and its minutes. */
function isSplitTime({ at, first, second, joint }: Pair, { tokens, rules: { dates } }: Context): boolean {
  const isClock =
    Number(first.digits) <= 24 && Number(second.digits) < 60 && /^\d\d$/.test(tokens[second.to - 1]?.text ?? '');
  const isPlaced = dates.at.has(tokens[at - 1]?.folded ?? '') && dates.hours.has(tokens[second.to]?.folded ?? '');
  return joint === ',' && isClock && isPlaced;
}

/** Not the end of "10/03/2026", "14:30" or "3-5"; perhaps behind a sign. */
function startsNumber(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  const isSigned = before?.text === '-' && before.spaced;
  return elementAt(tokens, at).spaced || isSigned || /^[([{"“«x×]$/i.test(before?.text ?? '');
}

function isSplit(pair: Pair, context: Context): boolean {
  const { tokens, rules } = context;
  const { at, first, second, joint } = pair;
  if (isSplitYear(pair, context) || isSplitTime(pair, context)) return true;
  const isYearFirst = isYear(first) && (first.digits !== '2000' || Number(second.digits) < 100);
  if (isYearFirst || isYear(second) || namesItem(tokens, at, rules)) return false;
  const { grammar } = rules;
  const isAnd = grammar.decimals.and.has(joint);
  const leads = leadsToMeasure(tokens, second.to, grammar);
  if (isAnd)
    return composes(first, second, grammar.words) && (leads || unitAt(tokens, second.to, grammar.units) !== undefined);
  if (!leads) return isSplitQuantity(pair, context);
  switch (joint) {
    case '':
      return !counts(pair, context);
    case ',':
      return !isInList(pair, context);
    case '.':
      return first.digits === '0' || !beginsText(tokens, at, rules.sections);
    case '-':
      return Number(first.digits) > Number(second.digits);
    default:
      return false;
  }
}

/** "SUV de 2, 5", "T-score -2. 5": the decimals of a quantity without a unit. */
function isSplitQuantity({ at, second, joint }: Pair, { tokens, rules: { dates } }: Context): boolean {
  let before = at - 1;
  while (before > at - 3 && (dates.of.has(tokens[before]?.folded ?? '') || tokens[before]?.text === '-')) before -= 1;
  const { text = '', kind } = tokens[before] ?? {};
  const isQuantity = kind === 'word' && (/^\p{Lu}{2,}$/u.test(text) || /score$/i.test(text));
  return isQuantity && (joint === ',' || joint === '.') && endsClause(tokens, second.to);
}

const isYear = ({ digits }: Numeral): boolean => /^(?:19|20)\d\d$/.test(digits);

/** Whether the number before this one, or after the next, goes on with a list: "2, 5 e 7 mm". */
function isInList({ at, second }: Pair, { tokens, rules: { grammar }, reading }: Context): boolean {
  const joins = (place: number): boolean =>
    tokens[place]?.text === ',' || grammar.decimals.and.has(tokens[place]?.folded ?? '');
  const goesOn = joins(second.to) && (reading.numerals.has(second.to + 1) || reading.numerals.has(second.to + 2));
  return goesOn || (joins(at - 1) && tokens[at - 2]?.kind === 'figure');
}

/** Whether the words "a and b" are one number in the language: "vinte e cinco", "one hundred and five". */
function composes(first: Numeral, second: Numeral, { needsAnd, hundred }: NumberWords): boolean {
  const [value, rest] = [Number(first.digits), Number(second.digits)];
  if (rest === 0 || value === 0) return false;
  if (value >= 100) return (needsAnd.hundreds || hundred.size > 0) && value % (rest < 100 ? 100 : 1000) === 0;
  return needsAnd.tens && value >= 20 && value % 10 === 0 && rest < 10;
}

/** Whether the number belongs to what precedes it: "segmento 8", "BI-RADS 4", "image 45". */
function namesItem(tokens: readonly Token[], at: number, { grammar, classes }: NumberRules): boolean {
  const end = /^[:-]$/.test(tokens[at - 1]?.text ?? '') ? at - 1 : at;
  const before = tokens[end - 1];
  if (before?.kind !== 'word') return false;
  const { listNouns } = grammar.decimals;
  // "T2", and nouns in the singular and the plural.
  if (/\d/.test(before.text) || [before.folded, `${before.folded}s`].some((noun) => listNouns.has(noun))) return true;
  if (classes.category.has(before.folded)) return true;
  return [1, 2, 3, 4].some((back) =>
    [classes.classes, classes.rads].some((index) => phraseAt<unknown>(tokens, end - back, index)?.to === end),
  );
}

/** "Exame de 2000 e 5", "de 20 25", "março de 20, 25": a year in parts of which no date was made. */
function isSplitYear({ at, first, second, joint }: Pair, { tokens, rules: { dates, grammar } }: Context): boolean {
  const [century, rest] = [Number(first.digits), Number(second.digits)];
  const isLong = century === 1900 || century === 2000;
  const isParts = isLong
    ? rest < 100
    : (century === 19 || century === 20) && /^\d\d$/.test(elementAt(tokens, second.to - 1).text);
  const isOther = dates.of.has(tokens[second.to]?.folded ?? '') || unitAt(tokens, second.to, grammar.units);
  if (!isParts || isOther) return false;
  if (joint === '' || (isLong && grammar.decimals.and.has(joint))) return true;
  if (joint !== ',' && joint !== '-') return false;
  // "March 3, 20, 24": its day is before the year.
  const isAfterDay = tokens[at - 1]?.text === ',' && tokens[at - 2]?.kind === 'figure';
  return dates.order === 'day' ? isMonthBefore(tokens, at, dates) : isAfterDay && isMonthBefore(tokens, at - 2, dates);
}

/** "Two 5 mm nodules", "one 5 mm nodule": a count before the measure of what is counted. */
function counts({ first, second }: Pair, { tokens, rules: { grammar } }: Context): boolean {
  const unit = first.isSpoken ? unitAt(tokens, second.to, grammar.units) : undefined;
  const noun = unit && tokens.slice(unit.to, unit.to + 3).find((token) => isNoun(token, first.digits !== '1'));
  return grammar.decimals.digitByDigit && noun !== undefined;
}

const isNoun = ({ kind, folded }: Token, isPlural: boolean): boolean =>
  kind === 'word' && folded.length > 4 && /[^siu]s$/.test(folded) === isPlural;

/** The most numbers that share a unit. */
const maxShared = 4;

/** Whether a unit follows, or a sign of a size, at once or after more numbers. */
function leadsToMeasure(tokens: readonly Token[], at: number, grammar: NumberGrammar): boolean {
  const { times, range, and } = grammar.decimals;
  let place = at;
  for (let count = 0; count < maxShared; count += 1) {
    if (unitAt(tokens, place, grammar.units)?.symbol != null) return true;
    const start = tokens[place]?.text === ',' ? place + 1 : place;
    const joint = tokens[start];
    if (joint === undefined) return false;
    const isNumber = (token: Token | undefined): boolean =>
      token?.kind === 'figure' || (token?.kind === 'word' && grammar.words.values.has(token.folded));
    if ((times.has(joint.folded) || joint.text === '×') && isNumber(tokens[start + 1])) return true;
    const isJoint = range.has(joint.folded) || and.has(joint.folded);
    const next = isJoint ? start + 1 : start;
    if ((!isJoint && start === place) || !isNumber(tokens[next])) return false;
    place = next + 1;
  }
  return false;
}

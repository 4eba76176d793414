/** Dates and times of the day, as each language writes them. */
import { wordList, wordSet } from '../../domain/fold.ts';
import type { DateTables } from '../languages/tables.ts';
import { endsClause } from '../words/phrases.ts';
import type { Token } from '../words/token.ts';
import type { Conversion } from './conversion.ts';
import type { Numeral } from './numeral.ts';
import { unitAt } from './units.ts';
import type { UnitWords } from './units.ts';
import type { NumberReading } from './reading.ts';
import { elementAt } from '../../domain/elements.ts';

export interface DateWords {
  readonly order: DateTables['order'];
  readonly clock: DateTables['clock'];
  readonly months: ReadonlyMap<string, number>;
  readonly names: readonly string[];
  readonly ordinary: ReadonlySet<string>;
  readonly ordinals: ReadonlyMap<string, number>;
  readonly compoundOrdinals: DateTables['compoundOrdinals'];
  readonly of: ReadonlySet<string>;
  readonly hours: ReadonlySet<string>;
  readonly minutes: ReadonlySet<string>;
  readonly at: ReadonlySet<string>;
  /** The same without "until", which has quantities too. */
  readonly onTheHour: ReadonlySet<string>;
  readonly and: ReadonlySet<string>;
  /** Words after which two numbers are a year: "of twenty twenty-one". */
  readonly beforeYear: ReadonlySet<string>;
}

export function readDates(tables: DateTables): DateWords {
  const names = wordList(tables.months);
  const months = new Map(names.map((name, at) => [name, at + 1]));
  for (const [name, month] of Object.entries(tables.alsoMonths)) months.set(name, month);
  return {
    order: tables.order,
    clock: tables.clock,
    months,
    names,
    ordinary: wordSet(tables.ordinaryMonths),
    ordinals: new Map(Object.entries(tables.ordinals)),
    compoundOrdinals: tables.compoundOrdinals,
    of: wordSet(tables.of),
    hours: wordSet(tables.hours),
    minutes: wordSet(tables.minutes),
    at: wordSet(`${tables.at} ${tables.until}`),
    onTheHour: wordSet(tables.at),
    and: wordSet(tables.and),
    beforeYear: wordSet(tables.beforeYear),
  };
}

interface Context {
  readonly reading: NumberReading;
  readonly units: UnitWords;
  readonly words: DateWords;
}

interface DatePart {
  readonly to: number;
  readonly value: number;
}

const whole = (numeral: Numeral | undefined): DatePart | undefined =>
  numeral && !numeral.isDecimal ? { to: numeral.to, value: Number(numeral.digits) } : undefined;

const two = (value: number): string => String(value).padStart(2, '0');
const isMonth = (tokens: readonly Token[], at: number, { months }: DateWords): number | undefined =>
  tokens[at]?.kind === 'word' ? months.get(tokens[at].folded) : undefined;

/** English: a zero in years and times. */
const isOh = (token: Token | undefined): boolean => token?.folded === 'oh' || token?.folded === 'o';

const isTwoDigits = (token: Token | undefined): boolean => token?.kind === 'figure' && token.text.length === 2;

/** The year of a date: "twenty twenty six", "dois mil e vinte e seis", 2026, and "2.026" as models group it. */
function yearAt(tokens: readonly Token[], at: number, context: Context): DatePart | undefined {
  const { reading, words } = context;
  const token = tokens[at];
  const grouped = token?.kind === 'figure' ? /^([12])[.,](\d{3})$/.exec(token.text) : null;
  const year = grouped ? { to: at + 1, value: Number(`${grouped[1]}${grouped[2]}`) } : whole(reading.numerals.get(at));
  if (!year) return undefined;
  const inParts = yearInPartsAt(tokens, year, context);
  if (inParts) return inParts;
  if (year.value >= 1900 && year.value <= 2100) return year;
  if (words.order !== 'month' || (year.value !== 19 && year.value !== 20)) return undefined;
  // "twenty oh seven"
  const rest = isOh(tokens[year.to]) ? whole(reading.numerals.get(year.to + 1)) : undefined;
  return rest && rest.value < 10 ? { to: rest.to, value: year.value * 100 + rest.value } : undefined;
}

/**
 * "2000 e 25", "20 25", "two thousand oh seven", "vinte vinte e cinco": a year in two parts, in words or as a model
 * wrote them. Another date or a measure may follow instead: "2000 e 25 de abril", "March 20, 25 mm".
 */
function yearInPartsAt(
  tokens: readonly Token[],
  { value, to }: DatePart,
  { reading, words, units }: Context,
): DatePart | undefined {
  const isLong = value === 2000 || value === 1900;
  if (!isLong && value !== 20 && value !== 19) return undefined;
  const hasJoint = isLong && (words.and.has(tokens[to]?.folded ?? '') || isOh(tokens[to]));
  const from = hasJoint ? to + 1 : to;
  const numeral = reading.numerals.get(from);
  const rest = numeral?.isArticle === true ? undefined : whole(numeral);
  // "20 05": its zero is written.
  const isPadded = isTwoDigits(tokens[from]);
  if (!rest || rest.value < (isLong || isPadded ? 1 : 10) || rest.value > 99) return undefined;
  const next = tokens[rest.to];
  const isOther =
    unitAt(tokens, rest.to, units) !== undefined ||
    isMonth(tokens, rest.to, words) !== undefined ||
    (next !== undefined && (words.of.has(next.folded) || words.hours.has(next.folded) || /^[/:x-]$/.test(next.text)));
  return isOther ? undefined : { to: rest.to, value: (isLong ? value : value * 100) + rest.value };
}

/** A day of the month: a number, or an ordinal ("primeiro", "tenth", "10th"). */
function dayAt(tokens: readonly Token[], at: number, { reading, words }: Context): DatePart | undefined {
  const number = whole(reading.numerals.get(at));
  const ordinal = ordinalAt(tokens, at, words);
  const day = ordinal ?? number;
  if (!day || day.value < 1 || day.value > 31) return undefined;
  const sign = tokens[day.to];
  const isSigned = sign !== undefined && !sign.spaced && /^(?:st|nd|rd|th|º|o)$/.test(sign.folded);
  return isSigned ? { to: day.to + 1, value: day.value } : day;
}

function ordinalAt(tokens: readonly Token[], at: number, { ordinals }: DateWords): DatePart | undefined {
  const token = tokens[at];
  if (token?.kind !== 'word') return undefined;
  const value = ordinals.get(token.folded);
  if (value === undefined) return undefined;
  // "twenty first", "twenty-first"
  const next = tokens[at + 1]?.text === '-' ? at + 2 : at + 1;
  const unit = value % 10 === 0 && value >= 20 ? ordinals.get(tokens[next]?.folded ?? '') : undefined;
  return unit !== undefined && unit < 10 ? { to: next + 1, value: value + unit } : { to: at + 1, value };
}

/** "twenty" is the beginning of "twenty first" as well. */
function longDayAt(tokens: readonly Token[], at: number, context: Context): DatePart | undefined {
  const tens = whole(context.reading.numerals.get(at));
  const unit = tens && (tens.value === 20 || tens.value === 30) ? ordinalAt(tokens, tens.to, context.words) : undefined;
  return unit && tens && unit.value < 10 && tens.value + unit.value <= 31
    ? { to: unit.to, value: tens.value + unit.value }
    : dayAt(tokens, at, context);
}

/** Skips the words between: "de março de dois mil e vinte e seis". */
const skipPreposition = (tokens: readonly Token[], at: number, { of }: DateWords): number => {
  let to = at;
  while (to < at + 2 && of.has(tokens[to]?.folded ?? '')) to += 1;
  return to;
};

/** A date that begins at the token `at`. */
export function dateAt(tokens: readonly Token[], at: number, context: Context): Conversion | undefined {
  return context.words.order === 'month'
    ? (monthFirst(tokens, at, context) ?? dayOfMonth(tokens, at, context) ?? withSlashes(tokens, at, context))
    : (dayFirst(tokens, at, context) ?? withSlashes(tokens, at, context) ?? monthOfYear(tokens, at, context));
}

/** "março de 20 25", "marzo del 2.025": março de 2025. */
function monthOfYear(tokens: readonly Token[], at: number, context: Context): Conversion | undefined {
  if (isMonth(tokens, at, context.words) === undefined) return undefined;
  const from = skipPreposition(tokens, at + 1, context.words);
  const year = yearAt(tokens, from, context);
  if (!year) return undefined;
  return {
    rule: 'date',
    to: year.to,
    pieces: [
      { from: at, to: from },
      { from, to: year.to, text: String(year.value) },
    ],
  };
}

/** Whether the number at a token may be the year of a month before it: "março de 20". */
export function isMonthBefore(tokens: readonly Token[], at: number, words: DateWords): boolean {
  let month = at - 1;
  while (month > at - 3 && words.of.has(tokens[month]?.folded ?? '')) month -= 1;
  return isMonth(tokens, month, words) !== undefined;
}

/** 10/03/2026; without a year the month stays a word. */
function dayFirst(tokens: readonly Token[], at: number, context: Context): Conversion | undefined {
  const { words } = context;
  const day = dayAt(tokens, at, context);
  const monthAt = day && skipPreposition(tokens, day.to, words);
  const month = monthAt === undefined ? undefined : isMonth(tokens, monthAt, words);
  if (!day || monthAt === undefined || month === undefined || monthAt === day.to) return undefined;
  const yearFrom = skipPreposition(tokens, monthAt + 1, words);
  const comma = tokens[monthAt + 1]?.text === ',' ? monthAt + 2 : yearFrom;
  const year = yearAt(tokens, comma, context);
  if (!year) {
    const text = day.value === 1 ? `1${elementAt(tokens, at).kind === 'word' ? 'º' : ''}` : String(day.value);
    return {
      rule: 'date',
      to: monthAt + 1,
      pieces: [
        { from: at, to: day.to, text },
        { from: day.to, to: monthAt + 1 },
      ],
    };
  }
  return {
    rule: 'date',
    to: year.to,
    pieces: [{ from: at, to: year.to, text: `${two(day.value)}/${two(month)}/${year.value}` }],
  };
}

/** "dez do três de dois mil e vinte e seis", "dez barra três barra dois mil e vinte e seis", "three slash ten slash …". */
function withSlashes(tokens: readonly Token[], at: number, context: Context): Conversion | undefined {
  const { words } = context;
  const isMonthFirst = words.order === 'month';
  const over = (place: number): number =>
    tokens[place]?.text === '/' ? place + 1 : isMonthFirst ? place : skipPreposition(tokens, place, words);
  const first = dayAt(tokens, at, context);
  const secondFrom = first && over(first.to);
  const second = secondFrom === undefined || secondFrom === first?.to ? undefined : dayAt(tokens, secondFrom, context);
  const yearFrom = second && over(second.to);
  const year = yearFrom === undefined || yearFrom === second?.to ? undefined : yearAt(tokens, yearFrom, context);
  if (!first || !second || !year || (isMonthFirst ? first : second).value > 12) return undefined;
  const write = isMonthFirst ? String : two;
  return dated(at, `${write(first.value)}/${write(second.value)}/${year.value}`, year.to);
}

/** A date with its year in any written form: "10/3/26", "March 10, 2026", "10 de março de 2026". */
export function writtenDateAt(
  tokens: readonly Token[],
  at: number,
  words: DateWords,
): { readonly to: number; readonly day: string } | undefined {
  const figureAt = (place: number): number | undefined =>
    tokens[place]?.kind === 'figure' && /^\d{1,4}$/.test(tokens[place].text) ? Number(tokens[place].text) : undefined;
  const isSlash = (place: number): boolean => tokens[place]?.text === '/' && !tokens[place].spaced;
  const dayFrom = (
    day: number | undefined,
    month: number | undefined,
    yearAt_: number,
  ): ReturnType<typeof writtenDateAt> => {
    const year = figureAt(yearAt_);
    const isDay = day !== undefined && day >= 1 && day <= 31 && month !== undefined && month >= 1 && month <= 12;
    if (!isDay || year === undefined || elementAt(tokens, yearAt_).text.length % 2 > 0) return undefined;
    return { to: yearAt_ + 1, day: `${year < 100 ? 2000 + year : year}-${two(month)}-${two(day)}` };
  };
  const [first, second] = [figureAt(at), figureAt(at + 2)];
  if (first !== undefined && isSlash(at + 1) && isSlash(at + 3)) {
    return words.order === 'day' ? dayFrom(first, second, at + 4) : dayFrom(second, first, at + 4);
  }
  const month = isMonth(tokens, at, words);
  if (month !== undefined) return dayFrom(figureAt(at + 1), month, tokens[at + 2]?.text === ',' ? at + 3 : at + 2);
  const monthAt = skipPreposition(tokens, at + 1, words);
  return first === undefined
    ? undefined
    : dayFrom(first, isMonth(tokens, monthAt, words), skipPreposition(tokens, monthAt + 1, words));
}

/** "of twenty twenty-one", "… nineteen ninety-eight" at the end: a year alone that is spoken as two numbers. */
export function loneYearAt(tokens: readonly Token[], at: number, context: Context): Conversion | undefined {
  const { reading, words } = context;
  const first = reading.numerals.get(at);
  const year = first?.isSpoken === true ? yearAt(tokens, at, context) : undefined;
  // A year in one number needs no rule.
  if (!year || year.to === first?.to) return undefined;
  const isYear = words.beforeYear.has(tokens[at - 1]?.folded ?? '') || endsClause(tokens, year.to);
  return isYear ? dated(at, String(year.value), year.to) : undefined;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** March 10, 2026; March 2026; March 10. */
function monthFirst(tokens: readonly Token[], at: number, context: Context): Conversion | undefined {
  const { words } = context;
  const month = isMonth(tokens, at, words);
  if (month === undefined) return undefined;
  const name = capital(elementAt(words.names, month - 1));
  const bare = yearAt(tokens, skipPreposition(tokens, at + 1, words), context);
  if (bare)
    return dated(
      at,
      skipPreposition(tokens, at + 1, words) > at + 1 ? `${name} of ${bare.value}` : `${name} ${bare.value}`,
      bare.to,
    );
  const day = longDayAt(tokens, at + 1, context);
  if (!day) return loneMonth(elementAt(tokens, at), at, name, words);
  const year = yearAt(
    tokens,
    skipPreposition(tokens, tokens[day.to]?.text === ',' ? day.to + 1 : day.to, words),
    context,
  );
  return year ? dated(at, `${name} ${day.value}, ${year.value}`, year.to) : dated(at, `${name} ${day.value}`, day.to);
}

/** "last period in january": its name in full begins with a capital. */
const loneMonth = ({ text }: Token, at: number, name: string, { ordinary }: DateWords): Conversion | undefined =>
  text === name.toLowerCase() && !ordinary.has(text) ? dated(at, name, at + 1) : undefined;

/** "the tenth of March twenty twenty six" */
function dayOfMonth(tokens: readonly Token[], at: number, context: Context): Conversion | undefined {
  const { words } = context;
  const start = tokens[at]?.folded === 'the' ? at + 1 : at;
  const day = longDayAt(tokens, start, context);
  const monthAt = day && skipPreposition(tokens, day.to, words);
  const month = monthAt === undefined || monthAt === day?.to ? undefined : isMonth(tokens, monthAt, words);
  if (!day || monthAt === undefined || month === undefined) return undefined;
  const name = capital(elementAt(words.names, month - 1));
  const year = yearAt(tokens, tokens[monthAt + 1]?.text === ',' ? monthAt + 2 : monthAt + 1, context);
  return year ? dated(at, `${name} ${day.value}, ${year.value}`, year.to) : undefined;
}

const dated = (from: number, text: string, to: number): Conversion => ({
  rule: 'date',
  to,
  pieces: [{ from, to, text }],
});

/** A time of the day that begins at the token `at`. */
export function timeAt(tokens: readonly Token[], at: number, context: Context): Conversion | undefined {
  const hour = whole(context.reading.numerals.get(at));
  const joined = hour && context.words.clock === '12' ? joinedTimeAt(tokens, at, hour) : undefined;
  if (joined) return joined;
  if (!hour || hour.value > 24) return undefined;
  return context.words.clock === '12'
    ? twelveHours(tokens, at, hour, context)
    : twentyFourHours(tokens, at, hour, context);
}

const timed = (from: number, text: string, to: number): Conversion => ({
  rule: 'time',
  to,
  pieces: [{ from, to, text }],
});

/** 14h30, 14:30 */
function twentyFourHours(
  tokens: readonly Token[],
  at: number,
  hour: DatePart,
  { reading, units, words }: Context,
): Conversion | undefined {
  const isAt = words.at.has(tokens[at - 1]?.folded ?? '');
  const hasHours = words.hours.has(tokens[hour.to]?.folded ?? '');
  const afterHours = hasHours ? hour.to + 1 : hour.to;
  const hasAnd = words.and.has(tokens[afterHours]?.folded ?? '');
  const minute = whole(reading.numerals.get(hasAnd ? afterHours + 1 : afterHours));
  const sign = words.clock === 'h' ? 'h' : ':';
  const isMinute = minute !== undefined && minute.value < 60 && (minute.value >= 10 || hasHours);
  if (!isMinute) {
    // "às catorze horas"; up to twelve it may be a place on the clock.
    return hasHours && isAt && hour.value > 12 && words.clock === 'h'
      ? timed(at, `${hour.value}h`, afterHours)
      : undefined;
  }
  const hasMinutes = words.minutes.has(tokens[minute.to]?.folded ?? '');
  const hasHoursAfter = words.hours.has(tokens[minute.to]?.folded ?? '');
  // "12% em 4 horas e 34% em 24 horas"
  const isMeasure = !hasMinutes && !hasHoursAfter && unitAt(tokens, minute.to, units) !== undefined;
  if (isMeasure) return undefined;
  const isBare =
    !hasHours &&
    !hasAnd &&
    hour.value > 12 &&
    // "exame de 20 25": perhaps a year.
    (hour.value !== 20 || minute.value > 39) &&
    minute.value % 5 === 0 &&
    (endsClause(tokens, minute.to) || hasHoursAfter);
  if (!hasHours && !isAt && !isBare && !(hasHoursAfter && !hasAnd)) return undefined;
  // "dos horas y treinta minutos" is a duration.
  if (words.clock === ':' && hasAnd && !isAt) return undefined;
  return timed(at, `${hour.value}${sign}${two(minute.value)}`, hasMinutes && hasHours ? minute.to + 1 : minute.to);
}

/** 2:30 PM */
function twelveHours(
  tokens: readonly Token[],
  at: number,
  hour: DatePart,
  { reading }: Context,
): Conversion | undefined {
  if (hour.value < 1 || hour.value > 12) return undefined;
  const isZero = isOh(tokens[hour.to]);
  const minuteFrom = tokens[hour.to]?.text === ':' ? hour.to + 1 : hour.to;
  const minute = whole(reading.numerals.get(isZero ? hour.to + 1 : minuteFrom));
  // "9:05": its zero is written.
  const isPadded = isTwoDigits(tokens[minuteFrom]);
  const isMinute =
    minute !== undefined && (isZero ? minute.value < 10 : minute.value < 60 && (minute.value >= 10 || isPadded));
  const to = isMinute ? minute.to : hour.to;
  const half = halfOfDayAt(tokens, to);
  if (!half) return undefined;
  return timed(
    at,
    isMinute ? `${hour.value}:${two(minute.value)} ${half.text}` : `${hour.value} ${half.text}`,
    half.to,
  );
}

/** "315 p.m." → 3:15 PM */
function joinedTimeAt(tokens: readonly Token[], at: number, { to, value }: DatePart): Conversion | undefined {
  const [hour, minute] = [Math.floor(value / 100), value % 100];
  if (tokens[at]?.kind !== 'figure' || hour < 1 || hour > 12 || minute > 59) return undefined;
  const half = halfOfDayAt(tokens, to);
  return half && timed(at, `${hour}:${two(minute)} ${half.text}`, half.to);
}

/** "p m", "pm", "p.m." */
function halfOfDayAt(tokens: readonly Token[], at: number): { to: number; text: string } | undefined {
  const [first, second] = [tokens[at], tokens[at + 1]];
  if (first === undefined) return undefined;
  if (/^[ap]m$/.test(first.folded)) return { to: at + 1, text: first.folded.toUpperCase() };
  if (!/^[ap]$/.test(first.folded)) return undefined;
  const text = `${first.folded.toUpperCase()}M`;
  if (second?.folded === 'm') return { to: at + 2, text };
  const isDotted =
    second?.text === '.' && !second.spaced && tokens[at + 2]?.folded === 'm' && !elementAt(tokens, at + 2).spaced;
  return isDotted
    ? { to: tokens[at + 3]?.text === '.' && !endsText(tokens, at + 4) ? at + 4 : at + 3, text }
    : undefined;
}

const endsText = (tokens: readonly Token[], at: number): boolean =>
  tokens[at] === undefined || tokens[at].kind === 'break';

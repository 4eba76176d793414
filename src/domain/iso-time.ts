/** ISO 8601 instants and dates, with a real calendar check. */

/** Ways in which senders write a date-time. */
const dateTime =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-]\d{2}):?(\d{2})?)?$/;
/** The form in which the service stores a date-time; most date-times arrive in it. */
const normalDateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})?$/;
const date = /^\d{4}-\d{2}-\d{2}$/;

const formTemplate = '0000-00-00T00:00:00-00:00';

/** The same as `normalDateTime`, letter by letter: every date-time that the service stores or looks up passes here. */
function isNormalDateTime(text: string): boolean {
  const { length } = text;
  if (length !== 19 && length !== 20 && length !== 25) return normalDateTime.test(text);
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    const expected = formTemplate.charCodeAt(i);
    if (expected === 0x30 ? code < 0x30 || code > 0x39 : code !== expected) {
      // `+`, or `Z` at the end.
      if (i !== 19 || (length === 25 ? code !== 0x2b : code !== 0x5a)) return false;
    }
  }
  return length !== 20 || text.endsWith('Z');
}

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
/** 0: there is no such month. */
const daysIn = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (daysOfMonth[month - 1] ?? 0);

/** Reads the number that two digits make, by position, since every ingested item passes here. */
const twoDigits = (text: string, at: number): number => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 11 * 48;

/** Whether the calendar has the day with which the text begins. */
function isDay(text: string): boolean {
  const [year, month, day] = [yearOf(text), twoDigits(text, 5), twoDigits(text, 8)];
  return day >= 1 && day <= daysIn(year, month);
}

/** Whether the numbers of a date-time in its normal form are those of a calendar and a clock. */
function isInstant(text: string): boolean {
  const hasOffset = findSign(text) !== undefined;
  return (
    isDay(text) &&
    twoDigits(text, 11) <= 23 &&
    twoDigits(text, 14) <= 59 &&
    twoDigits(text, 17) <= 59 &&
    (!hasOffset || (twoDigits(text, text.length - 5) <= 14 && twoDigits(text, text.length - 2) <= 59))
  );
}

/** `2026-03-02`. */
export const isIsoDate = (value: string): boolean => date.test(value) && isDay(value);

/**
 * The date-time in its normal form, `YYYY-MM-DDTHH:MM:SS[.fff][Z|±HH:MM]`, or `undefined` where the text is no date-time.
 * The offset stays as sent; a date-time without an offset gets none.
 */
export function normaliseIsoDateTime(value: string): string | undefined {
  const text = isNormalDateTime(value) ? value : rewritten(value);
  return text !== undefined && isInstant(text) ? text : undefined;
}

function rewritten(value: string): string | undefined {
  const match = dateTime.exec(value);
  if (!match) return undefined;
  const [, day, time, second = '00', fraction, zulu, offsetHour, offsetMinute = '00'] = match;
  const offset = zulu ? 'Z' : offsetHour ? `${offsetHour}:${offsetMinute}` : '';
  return `${day}T${time}:${second}${fraction ? `.${fraction}` : ''}${offset}`;
}

export const isIsoDateTime = (value: string): boolean => normaliseIsoDateTime(value) !== undefined;

/** Milliseconds since 1970 of an ISO date-time. A date-time without an offset counts as UTC. */
export function parseInstant(value: string): number {
  const normal = normaliseIsoDateTime(value);
  if (normal === undefined) return Number.NaN;
  const sign = findSign(normal);
  const day = daysSince1970(yearOf(normal), twoDigits(normal, 5), twoDigits(normal, 8));
  const time = (twoDigits(normal, 11) * 60 + twoDigits(normal, 14)) * 60 + twoDigits(normal, 17);
  const instant = (day * 24 * 3600 + time) * 1000 + millisecondsOf(normal);
  if (sign === undefined) return instant;
  const offset = (twoDigits(normal, normal.length - 5) * 60 + twoDigits(normal, normal.length - 2)) * 60_000;
  return sign === '-' ? instant + offset : instant - offset;
}

/**
 * Counts in years that begin in March, so that a leap day is the last of its year. Date.UTC takes several times as
 * long, and reads 99 as 1999.
 */
function daysSince1970(year: number, month: number, day: number): number {
  const march = month > 2 ? year : year - 1;
  const leapDays = Math.floor(march / 4) - Math.floor(march / 100) + Math.floor(march / 400);
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return march * 365 + leapDays + dayOfYear - daysTo1970;
}

/** Days from the 1st of March of the year 0. */
const daysTo1970 = 719_468;

/** Whether a date-time in its normal form has no offset: its zone must be known from elsewhere. */
export const isLocalTime = (text: string): boolean => !text.endsWith('Z') && findSign(text) === undefined;

const yearOf = (text: string): number => twoDigits(text, 0) * 100 + twoDigits(text, 2);

/** The sign of the offset, if a date-time in its normal form has one other than Z. */
function findSign(text: string): '+' | '-' | undefined {
  const sign = text.charCodeAt(text.length - 6);
  return sign === 0x2b ? '+' : sign === 0x2d ? '-' : undefined;
}

const millisecondsOf = (text: string): number =>
  text.charCodeAt(19) === 0x2e ? Number(text.slice(20, 23).replace(/\D.*/, '').padEnd(3, '0')) : 0;

/** The bounds of a listing, if it has any: inclusive, in ms since 1970. A date without a time is its whole day in UTC. */
export function parsePeriod(query: { from?: string; to?: string }): { from: number; to: number } | undefined {
  if (query.from === undefined && query.to === undefined) return undefined;
  const from =
    query.from === undefined ? -Infinity : isIsoDate(query.from) ? Date.parse(query.from) : parseInstant(query.from);
  const to =
    query.to === undefined
      ? Infinity
      : isIsoDate(query.to)
        ? Date.parse(query.to) + 24 * 3600 * 1000 - 1
        : parseInstant(query.to);
  return { from, to };
}

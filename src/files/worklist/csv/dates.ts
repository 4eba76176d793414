/** Dates and times as tables write them, made ISO 8601 without an offset. */
import type { DateOrder } from '../reading.ts';
import { monthOfName } from '../month-names.ts';

/** Day, month and year in some order, and what follows. */
const parts = /^(\d{1,4})(?:\s*[/.-]\s*|\s+)(\d{1,2}|\p{L}+\.?)(?:\s*[/.-]\s*|\s+)(\d{2,4})(?!\d)[,\sT]*(.*)$/su;
/** Between them, as Portuguese and Spanish say dates. */
const spoken = /(?<!\s)\s+del?\s+/gi;
/** `8:30`, `08h30`, `0830`, `8:30:00 PM`, `08:30 Uhr`; with no two spaces in a row. */
const clock =
  /^(\d{1,2})(?:[:hH.](\d{2})(?:[:m.](\d{2})(?:[.,]\d+)?)?)?\s?(?:hs?|hrs?|horas?|hours?|heures?|uhr|min|s)?\.?\s?([ap])?\.?\s?(?:m\.?)?$/i;
/** Before a time, as people say it. */
const atWords = /^(?:[àa]s?|a las?|um|at|kl\.?)\s+(?=\d)/i;
const compactClock = /^(\d{2})(\d{2})(\d{2})?(?:\.\d+)?$/;
/** Dates in the way of DICOM, HL7 and ISO, which are understood without an order. */
const unordered = /^\d{8}(?:\d{4,6})?$|^\d{4}-\d{2}-\d{2}/;

/** A longer text is neither. */
export const maxMomentLength = 100;

/** Days since 1900 and the part of the day, as spreadsheets keep dates. */
export const isSerial = (text: string): boolean => /^[2-7]\d{4}(?:[.,]\d+)?$/.test(text);

/** Parses a date and the time of day behind it; `undefined` for other text. */
export function dateFrom(text: string, order: DateOrder): { date: string; rest: string } | undefined {
  if (unordered.test(text)) return { date: text, rest: '' };
  if (text.length > maxMomentLength) return undefined;
  const match = parts.exec(dayFirst(/\sdel?\s/i.test(text) ? text.replace(spoken, ' ') : text));
  if (!match) return undefined;
  const [, first = '', second = '', third = '', rest = ''] = match;
  const month = parseMonth(second);
  const [year, monthNumber, day] =
    first.length === 4 || (order === 'ymd' && third.length === 2)
      ? [first, month ?? Number(second), Number(third)]
      : order === 'mdy' && month === undefined
        ? [third, Number(first), Number(second)]
        : [third, month ?? Number(second), Number(first)];
  if (year.length % 2 === 1) return undefined;
  // Exams are of this century.
  return { date: `${year.length === 2 ? `20${year}` : year}-${two(monthNumber)}-${two(day)}`, rest: rest.trim() };
}

const monthFirst = /^(?:\p{L}+\.?,?\s+)?(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)[,\s]*(.*)$/su;
/** `Mon, Apr 6, 2026` as `6 Apr 2026`; other text without the day of the week. */
function dayFirst(text: string): string {
  const [, month = '', day, year, rest = ''] = monthFirst.exec(text) ?? [];
  const isKnown = day !== undefined && !Number.isNaN(parseMonth(month));
  return isKnown ? `${day} ${month} ${year} ${rest}` : text.replace(/^\p{L}+\.?,?\s+(?=\d)/u, '');
}

function parseMonth(word: string): number | undefined {
  if (/^\d/.test(word)) return undefined;
  return monthOfName(word) ?? Number.NaN;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Parses a time of day to `08:30:00`; `undefined` for other text. */
export function clockFrom(text: string): string | undefined {
  if (text.length > maxMomentLength) return undefined;
  const [, hour, minute = '00', second = '00', half] =
    compactClock.exec(text) ?? clock.exec(text.replace(/\s+/g, ' ').replace(atWords, '')) ?? [];
  if (hour === undefined) return undefined;
  const twelve = Number(hour) % 12;
  const hours = half === undefined ? Number(hour) : half.toLowerCase() === 'p' ? twelve + 12 : twelve;
  return `${two(hours)}:${minute}:${second}`;
}

/** Whether the year has two digits, which leaves the century of a birth open. */
export function hasShortYear(text: string): boolean {
  if (text.length > maxMomentLength) return false;
  const [, first = '', , third = ''] = unordered.test(text) ? [] : (parts.exec(text.replace(spoken, ' ')) ?? []);
  return first.length < 4 && third.length === 2;
}

/** The order that most of the dates show; `undefined` where no date shows any. */
export function orderShownBy(dates: Iterable<string>): DateOrder | undefined {
  let dmy = 0;
  let mdy = 0;
  for (const date of dates) {
    const [, first, second] = ordered.exec(date) ?? [];
    if (Number(first) > 12) dmy += 1;
    if (Number(second) > 12) mdy += 1;
  }
  return dmy === 0 && mdy === 0 ? undefined : mdy > dmy ? 'mdy' : 'dmy';
}

/** A date of which the order matters. */
const ordered = /^(\d{1,2})[/.-](\d{1,2})[/.-]\d{2,4}/;
export const isOrdered = (date: string): boolean => ordered.test(date);

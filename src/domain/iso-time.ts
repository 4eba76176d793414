/** ISO 8601 instants and dates, with a real calendar check. */

const dateTime =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2})?)?$/;
const date = /^(\d{4})-(\d{2})-(\d{2})$/;

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const daysIn = (year: number, month: number): number => (month === 2 && isLeap(year) ? 29 : daysOfMonth[month - 1]!);

const isDay = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);

/** `2026-03-02`. */
export function isIsoDate(value: string): boolean {
  const match = date.exec(value);
  return match !== null && isDay(Number(match[1]), Number(match[2]), Number(match[3]));
}

/**
 * The date-time in one way of writing, `YYYY-MM-DDTHH:MM:SS[.fff][Z|±HH:MM]`, or `undefined` where it is none. The
 * offset stays the one it came with; without one, none is made up.
 */
export function normaliseIsoDateTime(value: string): string | undefined {
  const match = dateTime.exec(value);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second = '00', fraction, zulu, sign, offsetHour, offsetMinute = '00'] =
    match;
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (sign && (Number(offsetHour) > 14 || Number(offsetMinute) > 59)) return undefined;
  const offset = zulu ? 'Z' : sign ? `${sign}${offsetHour}:${offsetMinute}` : '';
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction ? `.${fraction}` : ''}${offset}`;
}

export const isIsoDateTime = (value: string): boolean => normaliseIsoDateTime(value) !== undefined;

/** Milliseconds since 1970 of an ISO date-time; one without an offset is read as UTC. */
export function instantOf(value: string): number {
  const normal = normaliseIsoDateTime(value);
  if (normal === undefined) return Number.NaN;
  const hasOffset = /(?:Z|[+-]\d{2}:\d{2})$/.test(normal);
  return Date.parse(hasOffset ? normal : `${normal}Z`);
}

/** Bounds of a listing, inclusive, in ms since 1970; a date alone stands for its whole day in UTC. */
export function periodOf(query: { from?: string; to?: string }): { from: number; to: number } {
  const from =
    query.from === undefined ? -Infinity : isIsoDate(query.from) ? Date.parse(query.from) : instantOf(query.from);
  const to =
    query.to === undefined
      ? Infinity
      : isIsoDate(query.to)
        ? Date.parse(query.to) + 24 * 3600 * 1000 - 1
        : instantOf(query.to);
  return { from, to };
}

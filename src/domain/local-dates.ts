/** Dates as the readers of a document write them: in its language, in the zone of its signature. */
import type { Language } from '../contract/shared.ts';

const day = { day: '2-digit', month: '2-digit', year: 'numeric' } as const;
const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

const isDay = /^\d{4}-\d{2}-\d{2}$/;
const isLocalTime = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:[+-]\d{2}:\d{2})?$/;

/** `1971-06-14` → `14/06/1971`. A date that is not known to the day stays as it is. */
export const formatDay = (date: string, language: Language): string =>
  isDay.test(date) ? inUtc(date, language, day) : date;

/** `2026-03-02T08:30:00-03:00` → `02/03/2026, 08:30`: by the clock of the place that the time came from. */
export function formatTime(at: string, language: Language, timeZone?: string): string {
  const [, wallClock] = isLocalTime.exec(at) ?? [];
  if (wallClock !== undefined) return inUtc(`${wallClock}Z`, language, { ...day, ...time });
  return at.endsWith('Z') ? formatInstant(at, language, timeZone) : formatDay(at, language);
}

const inUtc = (at: string, language: Language, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(new Date(at));

/** An instant by the clock of a zone (default: of this computer), which is named: `02/03/2026, 08:00 GMT-3`. */
export const formatInstant = (at: string, language: Language, timeZone?: string): string =>
  new Intl.DateTimeFormat(language, {
    ...day,
    ...time,
    timeZoneName: 'shortOffset',
    ...(timeZone !== undefined && { timeZone }),
  }).format(new Date(at));

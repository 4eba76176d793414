/** Days and times in the format of worklists: `YYYYMMDD`, `HHMMSS`. */
import { findElement } from '../../../../../src/domain/elements.ts';

/** The day of an instant in a time zone; default: the zone of this computer. */
export function dayIn(instant: number, timeZone: string | undefined): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    ...(timeZone !== undefined && { timeZone }),
  }).formatToParts(instant);
  const part = (type: string): string => findElement(parts, (each) => each.type === type).value;
  return `${part('year')}${part('month')}${part('day')}`;
}

/** Day and time of an instant in a zone. */
export interface LocalInstant {
  readonly day: string;
  readonly time: string;
}

export function localInstant(instant: number, timeZone: string | undefined): LocalInstant {
  const time = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    ...(timeZone !== undefined && { timeZone }),
  }).format(instant);
  return { day: dayIn(instant, timeZone), time: time.replaceAll(':', '') };
}

export function addDays(day: string, days: number): string {
  const at = new Date(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10).replaceAll('-', '');
}

/** First and last instant of a range of days, in ms since 1970. */
export function toPeriod(days: { readonly from: string; readonly to: string }, timeZone: string | undefined) {
  const first = middayOf(days.from);
  const last = middayOf(days.to);
  // A day has 23 to 25 hours, and zones differ from UTC by up to 14 hours.
  return {
    from: findFirstInstant(days.from, first, timeZone),
    to: findFirstInstant(addDays(days.to, 1), last + dayMs, timeZone) - 1,
  };
}

const dayMs = 24 * 3600_000;
const middayOf = (day: string): number => Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T12:00:00Z`);

/** First instant of that day. */
function findFirstInstant(day: string, near: number, timeZone: string | undefined): number {
  let before = near - 2 * dayMs;
  let within = near + dayMs;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (dayIn(middle, timeZone) >= day) within = middle;
    else before = middle;
  }
  return within;
}

/** Days and times in the format of worklists: `YYYYMMDD`, `HHMMSS`. */

/** Day and time of an instant in a zone. */
export interface LocalInstant {
  readonly day: string;
  readonly time: string;
}

/** Days and times in a time zone. */
export interface ZoneCalendar {
  toLocal(instant: number): LocalInstant;
  /** First and last instant of a range of days, in ms since 1970. */
  toPeriod(days: DayRange): { readonly from: number; readonly to: number };
}

export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Default: the zone of this computer. Make one for many instants: it costs more than all that it is asked. */
export function createCalendar(timeZone: string | undefined): ZoneCalendar {
  const two = '2-digit';
  const format = new Intl.DateTimeFormat('en-US', {
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
    ...(timeZone !== undefined && { timeZone }),
  });
  const toLocal = (instant: number): LocalInstant => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const join = (...types: Intl.DateTimeFormatPartTypes[]): string => types.map((type) => parts.get(type)).join('');
    return { day: join('year', 'month', 'day'), time: join('hour', 'minute', 'second') };
  };
  /** First instant of that day. */
  const findFirstInstant = (day: string, near: number): number => {
    let before = near - 2 * dayMs;
    let within = near + dayMs;
    while (within - before > 1) {
      const middle = Math.floor((before + within) / 2);
      if (toLocal(middle).day >= day) within = middle;
      else before = middle;
    }
    return within;
  };
  return {
    toLocal,
    // A day has 23 to 25 hours, and zones differ from UTC by up to 14 hours.
    toPeriod: ({ from, to }) => ({
      from: findFirstInstant(from, middayOf(from)),
      to: findFirstInstant(addDays(to, 1), middayOf(to) + dayMs) - 1,
    }),
  };
}

export function addDays(day: string, days: number): string {
  const at = new Date(middayOf(day));
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10).replaceAll('-', '');
}

const dayMs = 24 * 3600_000;
const middayOf = (day: string): number => Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T12:00:00Z`);

/** The offset from UTC that a place has at a local time. */
import { AppError } from '../../contract/errors.ts';

/** The offset, `±HH:MM`, at a local time, which the argument expresses as if it were UTC, in ms since 1970. */
export type OffsetAt = (local: number) => string;

const quarter = 15 * 60_000;
const day = 24 * 3600_000;
/** Most cached offsets: a day has 96 quarters of an hour. */
const maxKept = 4096;

/**
 * Offsets of an IANA zone; USAGE for an unknown name. A local time that a change of clocks skips gets the offset of
 * before, as does one that occurs twice (RFC 5545 3.3.5).
 */
export function createOffsets(timeZone: string): OffsetAt {
  const clock = createClock(timeZone);
  // Clocks change at whole quarters of an hour, so one answer serves all of a quarter.
  const offsets = new Map<number, string>();
  return (local) => {
    const key = Math.floor(local / quarter);
    const known = offsets.get(key);
    if (known !== undefined) return known;
    if (offsets.size >= maxKept) offsets.clear();
    const offset = written(offsetFor(local, clock));
    offsets.set(key, offset);
    return offset;
  };
}

/** Converts an instant to wall time, both in ms. */
function createClock(timeZone: string): (instant: number) => number {
  let format: Intl.DateTimeFormat;
  try {
    const numeric = 'numeric';
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
  } catch {
    throw new AppError('USAGE', {
      message: 'The time zone is not known.',
      hint: 'Give an IANA name, for example America/Sao_Paulo.',
    });
  }
  return (instant) => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
}

/** In ms. */
function offsetFor(local: number, clock: (instant: number) => number): number {
  const offsetAt = (instant: number): number => clock(instant) - Math.floor(instant / 1000) * 1000;
  const [before, after] = [offsetAt(local - day), offsetAt(local + day)];
  if (before === after || offsetAt(local - before) === before) return before;
  return offsetAt(local - after) === after ? after : before;
}

function written(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

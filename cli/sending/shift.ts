/** `--shift`: moves exams by whole days; the time of day and the offset stay unchanged. */
import { AppError } from '../../src/contract/errors.ts';
import { normaliseIsoDateTime } from '../../src/domain/iso-time.ts';

const dayMs = 24 * 3600 * 1000;
const field = 'exam_datetime';

type Fields = Readonly<Record<string, unknown>>;

export interface Shift {
  /** Days by which exams are moved; `undefined` before the first exam with a date. */
  days(): number | undefined;
  move(item: Fields): Fields;
}

/** Parses `--shift`: a number of days, or `now`, which the first exam converts to days. USAGE for any other value. */
export function readShift(word: string): number | 'now' {
  if (word === 'now') return word;
  if (/^[+-]?\d{1,5}$/.test(word)) return Number(word);
  throw new AppError('USAGE', { message: '--shift takes now, or a number of days such as -1 or 7.' });
}

/** `shiftBy` `now` moves the first exam to the current day at its own offset; `now` is in ms since 1970. */
export function createShift(shiftBy: number | 'now', now: number): Shift {
  let days = shiftBy === 'now' ? undefined : shiftBy;
  return {
    days: () => days,
    move(item) {
      const value = item[field];
      const normal = typeof value === 'string' ? normaliseIsoDateTime(value.trim()) : undefined;
      if (normal === undefined) return item;
      const day = Date.parse(normal.slice(0, 10));
      days ??= Math.round((dayAt(normal, now) - day) / dayMs);
      return days === 0
        ? item
        : { ...item, [field]: new Date(day + days * dayMs).toISOString().slice(0, 10) + normal.slice(10) };
    },
  };
}

/**
 * Midnight, as UTC, of the day at the instant `now` in the offset of `time`; a time without offset uses the computer's.
 */
function dayAt(time: string, now: number): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(time) ?? [];
  const offset = sign
    ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes))
    : time.endsWith('Z')
      ? 0
      : -new Date(now).getTimezoneOffset();
  const local = now + offset * 60_000;
  return local - (((local % dayMs) + dayMs) % dayMs);
}

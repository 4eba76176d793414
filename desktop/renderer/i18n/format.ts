/** Formats times, dates and sizes in the reader's language. */
import { t, shownLanguage } from './index.ts';

const cache = new Map<string, Intl.DateTimeFormat>();

function formatter(language: string, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${name}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(language, options);
  cache.set(key, made);
  return made;
}

/**
 * The wall time of an exam: the time as the source wrote it. Only a time in UTC, which no hospital's clock shows, is
 * converted to the reader's time zone. The instant is shifted so that its UTC fields are the wall time.
 */
export function wallTime(iso: string): Date {
  const offset = /([+-])(\d\d):?(\d\d)$/.exec(iso);
  const instant = Date.parse(iso);
  const minutes =
    offset === null || offset[0].endsWith('00:00')
      ? -new Date(instant).getTimezoneOffset()
      : (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3]));
  return new Date(instant + minutes * 60_000);
}

/** Days since 1970 of a wall time. */
export const dayOf = (wall: Date): number => Math.floor(wall.getTime() / 86_400_000);
/** Days since 1970 until now, in the reader's time zone. */
export const today = (now: number): number =>
  Math.floor((now - new Date(now).getTimezoneOffset() * 60_000) / 86_400_000);

/** `08:30`; with 24 hours in every language, as in hospitals. */
export const clockTime = (wall: Date): string => wall.toISOString().slice(11, 16);

/** `2 mar`, `Mar 2`; of another year `2/3/25`. Short enough to fit below a time. */
export function shortDate(wall: Date, now: number): string {
  const sameYear = wall.getUTCFullYear() === new Date(now).getFullYear();
  const options = { day: 'numeric', timeZone: 'UTC' } as const;
  if (!sameYear)
    return formatter(shownLanguage(), 'with year', { ...options, month: 'numeric', year: '2-digit' }).format(wall);
  // Omits the words that grammar inserts: `2 de mar.`
  return formatter(shownLanguage(), 'day', { ...options, month: 'short' })
    .formatToParts(wall)
    .filter(({ type }) => type !== 'literal')
    .map(({ value }) => value.replace(/\.$/, ''))
    .join(' ');
}

/** `today 08:30`, `yesterday 17:05`, `2 Mar 08:30`. */
export function examTime(iso: string, now: number): string {
  const wall = wallTime(iso);
  const days = today(now) - dayOf(wall);
  const time = clockTime(wall);
  if (days === 0) return t('app.today_at', { time });
  if (days === 1) return t('app.yesterday_at', { time });
  return `${shortDate(wall, now)} ${time}`;
}

/** `08:30` of today, `2 Mar 08:30` of another day. */
export function shortInstant(iso: string, now: number): string {
  const wall = wallTime(iso);
  const time = clockTime(wall);
  return dayOf(wall) === today(now) ? time : `${shortDate(wall, now)} ${time}`;
}

/** `just now`, `2 min ago`, `3 h ago`, `2 days ago`. */
export function ago(iso: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000);
  if (seconds < 60) return t('app.just_now');
  const [value, unit]: [number, Intl.RelativeTimeFormatUnit] =
    seconds < 3600 ? [seconds / 60, 'minute'] : seconds < 86_400 ? [seconds / 3600, 'hour'] : [seconds / 86_400, 'day'];
  return new Intl.RelativeTimeFormat(shownLanguage(), { style: 'short' }).format(-Math.floor(value), unit);
}

/** `42 min`, `3 h`, `2 d`: minutes as one number. The units are the same in every language of the app. */
export function shortTime(minutes: number): string {
  if (minutes < 100) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

/** `1:42`, `1:02:09`. */
export function duration(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  const pad = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`;
}

/** `14`, `987`, `3.9k`: for places with room for two or three characters. */
export const shortNumber = (value: number): string =>
  value < 1000 ? String(value) : `${(value / 1000).toLocaleString(shownLanguage(), { maximumSignificantDigits: 2 })}k`;

/** `6 kB`, `475 MB`, `1.1 GB`, in decimal units. */
export function fileSize(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
  if (bytes < 1e9) return `${Math.round(bytes / 1e6)} MB`;
  return `${(bytes / 1e9).toLocaleString(shownLanguage(), { maximumFractionDigits: 1 })} GB`;
}

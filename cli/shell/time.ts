/** Times in the format and time zone of this computer. */
import { AppError } from '../../src/contract/errors.ts';
import { durationForm, durationMs } from '../../src/domain/duration.ts';
import { isIsoDateTime } from '../../src/domain/iso-time.ts';
import type { Context } from '../context.ts';
import { findElement } from '../../src/domain/elements.ts';

const pad = (value: number): string => String(value).padStart(2, '0');

/** `2026-03-02`, in the computer's time zone. */
export const localDay = (time: Date): string =>
  `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;

/** `2026-03-02 08:30`, in the computer's time zone; returns other text unchanged. */
export function localTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  return `${localDay(time)} ${pad(time.getHours())}:${pad(time.getMinutes())}`;
}

/** `08:30:05`, in the computer's time zone. */
export function clockTime(iso: string): string {
  const time = new Date(iso);
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(pad).join(':');
}

const units = [
  ['d', 24 * 3600],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** `12 min ago`; `now` in ms since 1970. */
export function age(iso: string, now: number): string {
  const seconds = Math.floor((now - Date.parse(iso)) / 1000);
  if (Number.isNaN(seconds)) return '';
  if (seconds < 1) return 'just now';
  const [unit, size] = findElement(units, ([, length]) => seconds >= length);
  return `${Math.floor(seconds / size)} ${unit} ago`;
}

/** `1:42`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${pad(whole % 60)}`;
}

/** An instant, or a duration before now. */
export function parseInstant({ clock }: Context, option: string, value: string): string {
  const ago = durationMs(value);
  if (ago !== undefined) return new Date(clock.now() - ago).toISOString();
  if (isIsoDateTime(value)) return value;
  throw new AppError('USAGE', {
    message: `${option} takes an instant such as 2026-03-02T08:00:00Z, or ${durationForm}.`,
  });
}

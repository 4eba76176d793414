/**
 * Values within the limits of their representations (PS3.5 6.2). Long texts are truncated, and identifiers that do not fit omitted.
 * DICOM counts characters, and many receivers bytes: SH and LO keep to both.
 */

import { toComponents } from '../../../../src/domain/person-name.ts';

/** Replaces the value separator and control characters. */
const plain = (text: string): string =>
  text
    .replaceAll('\\', '/')
    .replace(/[\x00-\x1f\x7f]+/g, ' ')
    .trim();

const bytesIn = (text: string): number => Buffer.byteLength(text);

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The beginning of a text, cut between letters as people see them: a letter and its marks stay together. */
function truncate(
  text: string,
  { characters, bytes }: { readonly characters: number; readonly bytes: number },
): string {
  if (text.length <= characters && bytesIn(text) <= bytes) return text;
  let [count, size, end] = [0, 0, 0];
  // No letter is written with that many units, so that time does not grow with the text.
  for (const { segment } of letters.segment(text.slice(0, 64 * characters))) {
    count += [...segment].length;
    size += bytesIn(segment);
    if (count > characters || size > bytes) break;
    end += segment.length;
  }
  return text.slice(0, end).trim();
}

export const longString = (text: string | null | undefined): string =>
  truncate(plain(text ?? ''), { characters: 64, bytes: 64 });

/** Whether an identifier can be written as it is: a truncated one would be a different one. */
export const fits = (value: string, length: 16 | 64): boolean =>
  bytesIn(value.trim()) <= length && !/[\\\x00-\x1f\x7f]/.test(value);

/** Omitted if it does not fit. */
export const identifier = (value: unknown, length: 16 | 64): string =>
  typeof value === 'string' && fits(value, length) ? value.trim() : '';

/** At most three component groups, with five components and 64 characters each. */
export const personName = (name: string | null | undefined): string =>
  (name ?? '')
    .split('=', 3)
    .map((group) =>
      truncate(
        group
          .split('^', 5)
          .map(plain)
          .join('^')
          .replace(/(?<!\^)\^+$/, ''),
        { characters: 64, bytes: Infinity },
      ),
    )
    .join('=')
    .replace(/(?<!=)=+$/, '');

/** A person's display name, in components: a name of one component with several words is a retired form. */
export const shownName = (name: string): string => personName(toComponents(name.replace(/[=^]/g, ' ')));

/** Line ends are CR LF; of other control characters, only tabs are allowed (PS3.5 6.1.3). */
export const unlimitedText = (text: string): string =>
  text.replace(/\r\n?|\n/g, '\r\n').replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, ' ');

/** UTC offset of an ISO 8601 time in minutes; 0 if it has none. */
export function readOffset(time: string | undefined): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(time ?? '') ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Local date and time. */
export interface LocalTime {
  readonly date: string;
  readonly time: string;
  /** (0008,0201) */
  readonly offset: string;
}

export function toMoment(iso: string, offset: number): LocalTime {
  const at = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(iso) ? iso : `${iso}Z`);
  const digits = new Date(at + offset * 60_000).toISOString().replace(/\D/g, '');
  const minutes = Math.abs(offset);
  const written = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join('');
  return { date: digits.slice(0, 8), time: digits.slice(8, 14), offset: `${offset < 0 ? '-' : '+'}${written}` };
}

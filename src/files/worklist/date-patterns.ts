/** Dates that are written as a mapping says, made local ISO 8601. The zone is another's task, so no instants are made here. */
import { monthOfName } from './month-names.ts';

type Part =
  | 'year'
  | 'shortYear'
  | 'month'
  | 'monthName'
  | 'day'
  | 'hour'
  | 'hour12'
  | 'half'
  | 'minute'
  | 'second'
  | 'offset';

/** The signs of a pattern, the longer first, with the part and the form of each. */
const signs: readonly (readonly [sign: string, part: Part, form: string])[] = [
  ['YYYY', 'year', '\\d{4}'],
  ['YY', 'shortYear', '\\d{2}'],
  ['MMM', 'monthName', '\\p{L}+'],
  ['MM', 'month', '\\d{2}'],
  ['M', 'month', '\\d{1,2}'],
  ['DD', 'day', '\\d{2}'],
  ['D', 'day', '\\d{1,2}'],
  ['HH', 'hour', '\\d{2}'],
  ['H', 'hour', '\\d{1,2}'],
  ['hh', 'hour12', '\\d{2}'],
  ['h', 'hour12', '\\d{1,2}'],
  ['A', 'half', '[AP]\\.?M\\.?'],
  ['mm', 'minute', '\\d{2}'],
  ['m', 'minute', '\\d{1,2}'],
  ['ss', 'second', '\\d{2}'],
  ['s', 'second', '\\d{1,2}'],
  ['Z', 'offset', 'Z|[+-]\\d{2}:?\\d{2}'],
];

/** Reads a text by the pattern; `undefined` where it is not written so. */
export type DateReader = (text: string) => string | undefined;

/** Signs of blanks that follow each other are one: several would be tried against each other without end. */
const blanks = '\\s+';

/** The reader of a pattern; `undefined`: no date and no time of that field follows from the pattern. */
export function readPattern(pattern: string, field: string): DateReader | undefined {
  const parts: Part[] = [];
  let form = '';
  let left = pattern.trim();
  while (left !== '') {
    const literal = /^\[([^\]]*)\]/.exec(left);
    const sign = literal ? undefined : signs.find(([each]) => left.startsWith(each));
    if (sign) parts.push(sign[1]);
    const text = literal?.[1] ?? left.slice(0, 1);
    const blank = form.endsWith(blanks) ? '' : blanks;
    form += sign ? `(${sign[2]})` : /^\s+$/.test(text) ? blank : escapeSigns(text);
    left = left.slice(literal?.[0].length ?? sign?.[0].length ?? 1).replace(/^\s+/, ' ');
  }
  if (!isWhole(new Set(parts), parts.length, field)) return undefined;
  const whole = new RegExp(`^${form}$`, 'iu');
  return (text) => {
    const found = text.length > 100 ? null : whole.exec(text.trim());
    return found ? writeIso(Object.fromEntries(parts.map((part, at) => [part, found[at + 1] ?? '']))) : undefined;
  };
}

const escapeSigns = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Whether each part is named once, and together they are a day, a time of day, or both. */
function isWhole(parts: ReadonlySet<Part>, count: number, field: string): boolean {
  const has = (...some: readonly Part[]): boolean => some.some((part) => parts.has(part));
  const isDay = has('year', 'shortYear') && has('month', 'monthName') && has('day');
  const isAnyOfDay = has('year', 'shortYear', 'month', 'monthName', 'day');
  const isTime = has('hour', 'hour12');
  const isAnyOfTime = has('minute', 'second', 'half', 'offset', 'hour', 'hour12');
  if (parts.size !== count || has('hour12') !== has('half')) return false;
  if ((isAnyOfDay && !isDay) || (isAnyOfTime && !isTime)) return false;
  // The century of a birth is open.
  if (field === 'patient_birth_date') return has('year');
  return field === 'exam_time' ? isTime && !isDay : isDay;
}

const two = (text: string): string => text.padStart(2, '0');

function writeIso(parts: Readonly<Partial<Record<Part, string>>>): string | undefined {
  const { year, shortYear, month, monthName, day, hour, hour12, half, minute, second, offset } = parts;
  const named = monthName === undefined ? undefined : monthOfName(monthName);
  if (monthName !== undefined && named === undefined) return undefined;
  const date = day === undefined ? '' : `${year ?? `20${shortYear}`}-${two(month ?? String(named))}-${two(day)}`;
  if (hour12 !== undefined && (Number(hour12) < 1 || Number(hour12) > 12)) return undefined;
  const hours =
    hour12 === undefined ? hour : String((Number(hour12) % 12) + (half?.toUpperCase().startsWith('P') ? 12 : 0));
  if (hours === undefined) return date;
  const zone = (offset ?? '').toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  return `${date}${date === '' ? '' : 'T'}${two(hours)}:${two(minute ?? '0')}:${two(second ?? '0')}${zone}`;
}

/** A measurement of a viewer in the words of a report. */
import type { Measurement } from '../contract/measurement.ts';
import type { Language } from '../contract/shared.ts';
import type { Span } from './words/token.ts';

type Value = Measurement['values'][number];

/** Units of the axes of one thing. */
const lengths: ReadonlySet<string> = new Set(['mm', 'cm', 'm']);
/** Names of values that are axes of one thing, as viewers give them. */
const axisName = /^(?:(?:long|short|major|minor)(?:est)?[- ]axis(?: diameter| length)?|length|width|height|depth)$/i;

/** At least three digits that count: with a fixed number of decimals, a small value would become 0. */
const rounding = {
  maximumFractionDigits: 1,
  maximumSignificantDigits: 3,
  roundingPriority: 'morePrecision',
  signDisplay: 'negative',
  useGrouping: false,
} as const satisfies Intl.NumberFormatOptions;

/** A value as reports give it, by its language; `en-US`: a decimal with a point. */
export const measurementFigure = ({ value }: Pick<Value, 'value'>, language: Language): string =>
  value.toLocaleString(language, rounding);

/** `12,4 x 8,1 mm` for the axes of one thing; other values have their names: `Mean 35 HU, SD 12 HU`. */
export function measurementText({ values }: Pick<Measurement, 'values'>, language: Language): string {
  const figure = (value: Value): string => measurementFigure(value, language);
  const [first] = values;
  if (first && areAxes(values, first)) return `${values.map(figure).join(' x ')} ${first.unit}`;
  return values.map((each) => `${each.title ? `${each.title} ` : ''}${figure(each)} ${each.unit}`).join(', ');
}

function areAxes(values: readonly Value[], first: Value): boolean {
  if (!lengths.has(first.unit) || values.some(({ unit }) => unit !== first.unit)) return false;
  return (
    values.every(({ title }) => title === first.title) ||
    values.every(({ title }) => title !== undefined && axisName.test(title))
  );
}

/** Words between two figures of one size, or of one range. */
const join = String.raw`(?:x|×|by|por|to|a|até|hasta|[-−–±/])`;
/** Text before a figure that belongs to it: the beginning of a larger figure, a limit, a size or a range. */
const belongsBefore = new RegExp(
  String.raw`(?:[\p{L}\p{N}]|\p{N}[.,]|[-−–]|[<>≤≥±]\s*|\p{N}\s*\p{L}{0,3}\s*${join}\s*)$`,
  'iu',
);
/** Text after a unit that belongs to the measurement: the rest of the unit, of a size or of a range. */
const belongsAfter = new RegExp(String.raw`^(?:[\p{L}\p{N}²³/]|\s*${join}\s*\p{N})`, 'iu');

/** Whether the words at a place are a whole measurement, and no part of another figure, size or range. */
export const isWholeMeasurement = (text: string, { start, end }: Span): boolean =>
  !belongsBefore.test(text.slice(Math.max(0, start - 20), start)) && !belongsAfter.test(text.slice(end, end + 20));

/** The places of a measurement's words in a text: `5,2 mm` is neither in `15,2 mm` nor in `3 x 5,2 mm`. */
export function findMeasurementText(text: string, words: string): Span[] {
  const found: Span[] = [];
  if (words === '') return found;
  for (let start = text.indexOf(words); start >= 0; start = text.indexOf(words, start + 1)) {
    const place = { start, end: start + words.length };
    if (isWholeMeasurement(text, place)) found.push(place);
  }
  return found;
}

/** The place of a measurement's words that a change added; `undefined`: the text has none, or several that they may be. */
export function findAddedMeasurement(before: string, after: string, words: string): Span | undefined {
  const places = findMeasurementText(after, words);
  if (places.length <= 1) return places[0];
  const max = Math.min(before.length, after.length);
  let head = 0;
  while (head < max && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < max - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const added = places.filter(({ start, end }) => start < after.length - tail && end > head);
  return added.length === 1 ? added[0] : undefined;
}

/** A measurement of a viewer in the words of a report. */
import type { Measurement } from '../contract/measurement.ts';
import type { Language } from '../contract/shared.ts';

type Value = Measurement['values'][number];

/** Units of the axes of one thing. */
const lengths: ReadonlySet<string> = new Set(['mm', 'cm', 'm']);

/** At least three digits that count: with a fixed number of decimals, a small value would become 0. */
const rounding = {
  maximumFractionDigits: 1,
  maximumSignificantDigits: 3,
  roundingPriority: 'morePrecision',
  signDisplay: 'negative',
  useGrouping: false,
} as const satisfies Intl.NumberFormatOptions;

/** `12,4 x 8,1 mm` for the axes of one thing; other values have their names: `Mean 35 HU, SD 12 HU`. */
export function measurementText({ values }: Pick<Measurement, 'values'>, language: Language): string {
  const figure = ({ value }: Value): string => value.toLocaleString(language, rounding);
  const [first] = values;
  if (
    first &&
    lengths.has(first.unit) &&
    values.every((each) => each.unit === first.unit && each.title === first.title)
  )
    return `${values.map(figure).join(' x ')} ${first.unit}`;
  return values.map((each) => `${each.title ? `${each.title} ` : ''}${figure(each)} ${each.unit}`).join(', ');
}

/** A measurement of a viewer in the words of a report. */
import type { Measurement } from '../contract/measurement.ts';
import type { Language } from '../contract/shared.ts';

/** `12,4 x 8,1 mm`; values of several units, `12,4 mm, 40 HU`. It begins with a figure and ends with a unit. */
export function measurementText({ values }: Pick<Measurement, 'values'>, language: Language): string {
  const figure = (value: number): string =>
    value.toLocaleString(language, { maximumFractionDigits: 1, useGrouping: false });
  const units = new Set(values.map(({ unit }) => unit));
  const [unit] = units;
  if (units.size === 1) return `${values.map(({ value }) => figure(value)).join(' x ')} ${unit ?? ''}`;
  return values.map((each) => `${figure(each.value)} ${each.unit}`).join(', ');
}

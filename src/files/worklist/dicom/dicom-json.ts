/** The DICOM JSON model (PS3.18 F.2): a data set, an array of them, or one after the other. */
import { isPlainObject } from '../../../domain/normalise.ts';
import { jsonValues } from '../json-values.ts';
import { readItem } from '../ndjson.ts';
import { ignoredPlaces } from '../mapping.ts';
import type { Reader } from '../reader.ts';
import { problem } from '../reading.ts';
import type { Position, Reading } from '../reading.ts';
import { damage } from '../text.ts';
import { dataSetReading, readDataSet } from './attributes.ts';
import type { DataSet } from './attributes.ts';
import { dicomPlaceOf } from './places.ts';

export const readDicomJson: Reader = async function* ({ text, limits, times, options, guess }) {
  const reading = dataSetReading(options, times);
  const ignored = ignoredPlaces(options.mapping, dicomPlaceOf);
  if (ignored) guess(ignored);
  let item = 0;
  const read = (json: string, position: Position): Reading => {
    if (text.isDamaged(json)) return problem(position, damage.message, damage.hint);
    const parsed = readItem(json, position);
    return parsed.kind === 'item' ? readDataSet(wrapDataSet(parsed.item), position, reading) : parsed;
  };
  for await (const values of jsonValues(text.chunks(), { member: '', limit: limits.item })) {
    yield values.map(({ json, line }) => {
      item += 1;
      return read(json, { line, item });
    });
  }
};

/** A data set of that model. */
export function wrapDataSet(attributes: Readonly<Record<string, unknown>>): DataSet {
  const readValues = (tag: string): readonly unknown[] | undefined => {
    const attribute = Object.hasOwn(attributes, tag) ? attributes[tag] : undefined;
    if (!isPlainObject(attribute)) return undefined;
    return Array.isArray(attribute['Value']) ? attribute['Value'] : [];
  };
  return {
    values: (tag) => readValues(tag)?.map(asText),
    items: (tag) => readValues(tag)?.filter(isPlainObject).map(wrapDataSet) ?? [],
    tags: () => new Set(Object.keys(attributes)),
  };
}

/** A text, a number, or the groups of a person name (F.2.2); `null` is an empty value. */
function asText(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number') return String(value);
  if (!isPlainObject(value)) return '';
  const groups = ['Alphabetic', 'Ideographic', 'Phonetic'].map((name) => {
    const group = value[name];
    return typeof group === 'string' ? group.trim() : '';
  });
  return groups.join('=').replace(/(?<!=)=+$/, '');
}

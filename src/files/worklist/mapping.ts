/** A mapping of a person or a channel, checked, and applied to the table of a format. */
import {
  mappedFields,
  mappedNameParts,
  mappedParts,
  mappedStatuses,
  WorklistMapping,
} from '../../contract/worklist-mapping.ts';
import type { MappedStatus } from '../../contract/worklist-mapping.ts';
import { AppError } from '../../contract/errors.ts';
import { findEntry } from '../../domain/find-entry.ts';
import { isPlainObject } from '../../domain/normalise.ts';
import type { Mapping } from './draft.ts';
import { kindOfField } from './kinds.ts';
import type { Guess } from './reading.ts';
import { statusOfWord } from './status-words.ts';
import { createOffsets } from './zone.ts';
import { suggestWord } from '../../domain/nearest-word.ts';

export interface MappingFault {
  /** A dotted path inside the mapping, such as `fields.modality`. */
  readonly field: string;
  readonly message: string;
}

/** The fields that a key takes, in addition to metadata. */
const fieldsOf = (key: string): readonly string[] =>
  key === 'fields' ? [...mappedFields, ...mappedNameParts] : mappedFields;
const isField = (key: string, name: string): boolean =>
  fieldsOf(key).includes(name) || /^metadata\.[^.\s][^.]{0,62}$/.test(name);
const fieldWords = (key: string): string => `${fieldsOf(key).join(', ')}, metadata.NAME`;
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 512;
const isPlaces = (value: unknown): boolean =>
  isText(value) || (Array.isArray(value) && value.length > 0 && value.length <= 20 && value.every(isText));
const isValue = (value: unknown): boolean => isText(value) || Number.isInteger(value);
const isWords = (value: unknown): boolean =>
  isPlainObject(value) && Object.values(value).every((each) => typeof each === 'string' && each.length <= 512);

/** The check of each key, and the words for its expected value. */
const shapes: Readonly<Record<string, readonly [holds: (value: unknown) => boolean, expected: string]>> = {
  fields: [isPlaces, 'a place or a list of places, such as "OBR-18" or ["OBR-18", "OBR-3.1"]'],
  values: [isWords, 'an object of values and what they mean, such as {"XR": "CR"}'],
  defaults: [isValue, 'a text or a whole number'],
};

/** Everything that is wrong with a mapping; nothing where a reader can use it. */
export function faultsOfMapping(mapping: unknown): MappingFault[] {
  if (!isPlainObject(mapping)) return [{ field: '', message: 'A mapping is a JSON object.' }];
  const keys = Object.keys(WorklistMapping.properties);
  const faults: MappingFault[] = [];
  const fault = (field: string, message: string): void => void faults.push({ field, message });
  for (const [key, value] of Object.entries(mapping)) {
    const shape = findEntry(shapes, key);
    if (!keys.includes(key)) fault(key, `A mapping has no ${key}. It has ${keys.join(', ')}.${suggest(key, keys)}`);
    else if (shape && !isPlainObject(value)) fault(key, `${key} is an object with fields as names.`);
    else if (shape) {
      for (const [field, each] of Object.entries(value as object)) {
        if (!isField(key, field))
          fault(
            `${key}.${field}`,
            `${field} is not a field that is mapped. Fields are ${fieldWords(key)}.${suggest(field, fieldsOf(key))}`,
          );
        else if (!shape[0](each)) fault(`${key}.${field}`, `${key}.${field} must be ${shape[1]}.`);
      }
    }
  }
  const { time_zone: zone, accession_issuer: issuer, skip_rows: rows, status } = mapping;
  if (zone !== undefined && !isZone(zone)) fault('time_zone', 'time_zone takes a name such as America/Sao_Paulo.');
  if (issuer !== undefined && !(isText(issuer) && issuer.length <= 64))
    fault('accession_issuer', 'accession_issuer is a text of at most 64 characters.');
  if (rows !== undefined && !(Number.isInteger(rows) && Number(rows) >= 0 && Number(rows) <= 1000))
    fault('skip_rows', 'skip_rows is a number of rows, 0 to 1000.');
  if (status !== undefined) faults.push(...faultsOfStatus(status));
  return faults;
}

/** The suggestion as another sentence, or nothing. */
const suggest = (typed: string, known: readonly string[]): string => {
  const suggestion = suggestWord(typed, known);
  return suggestion === undefined ? '' : ` ${suggestion}`;
};

function isZone(zone: unknown): boolean {
  try {
    return isText(zone) && Boolean(createOffsets(zone));
  } catch {
    return false;
  }
}

function faultsOfStatus(status: unknown): MappingFault[] {
  if (!isPlainObject(status) || !isText(status['column']))
    return [
      { field: 'status', message: 'status names its place as column: {"column": "Status", "Cancelado": "cancelled"}.' },
    ];
  const { column: _, ...words } = status;
  return Object.entries(words).flatMap(([word, meaning]) =>
    mappedStatuses.some((known) => known === meaning)
      ? []
      : [
          {
            field: 'status',
            message: `The status of "${word}" must be one of ${mappedStatuses.join(', ')}.${isText(meaning) ? suggest(meaning, mappedStatuses) : ''}`,
          },
        ],
  );
}

/** The mapping. USAGE for a value that is none, with the first fault; VALIDATION_FAILED belongs to whoever stores mappings. */
export function checkedMapping(value: unknown): WorklistMapping {
  const [fault] = faultsOfMapping(value);
  if (fault) throw new AppError('USAGE', { message: `The mapping: ${fault.message}` });
  return value as WorklistMapping;
}

const listOf = (places: string | readonly string[]): readonly string[] =>
  typeof places === 'string' ? [places] : places;

/** Meanings by the word in the file, in small letters. */
const lowered = (words: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(words).map(([word, meaning]) => [word.trim().toLowerCase(), meaning]));

/** A place of a mapping in the words of a table; `undefined` where it is none of the format. `to` is the field that it fills. */
export type PlaceOf = (place: string, to: string) => string | undefined;

/**
 * The table with what the mapping says: its places instead of the format's own, what values mean, and defaults.
 */
export function mappedTable(
  table: readonly Mapping[],
  mapping: WorklistMapping | undefined,
  placeOf: PlaceOf,
): readonly Mapping[] {
  if (mapping === undefined) return table;
  const { fields = {}, values = {}, accession_issuer: issuer } = mapping;
  const defaults: Readonly<Record<string, string | number>> = {
    ...(issuer !== undefined && { accession_issuer: issuer }),
    ...mapping.defaults,
  };
  const named = new Set([...Object.keys(fields), ...Object.keys(defaults), ...Object.keys(values)]);
  const known = new Set(table.map(({ to }) => to));
  const added = [...named]
    .filter((to) => !known.has(to) && !mappedParts.includes(to))
    .map((to): Mapping => ({ to, kind: kindOfField(to), from: [] }));
  return [...table, ...added].map((row) => {
    const { to } = row;
    const from = listOf(findEntry(fields, to) ?? []).flatMap((place) => placeOf(place, to) ?? []);
    const words = findEntry(values, to);
    const preset = findEntry(defaults, to);
    return {
      ...row,
      ...(from.length > 0 && { from }),
      ...(words !== undefined && { values: lowered(words) }),
      ...(preset !== undefined && { otherwise: String(preset) }),
    };
  });
}

/**
 * Fields whose places are all of other formats, or that tables alone have: for the person, who may have written them wrongly.
 * `parts`: the fields of the format that are parts of another.
 */
export function ignoredPlaces(
  mapping: WorklistMapping | undefined,
  placeOf: PlaceOf,
  parts: readonly string[] = [],
): Guess | undefined {
  const isOfTables = (field: string): boolean => mappedParts.includes(field) && !parts.includes(field);
  const ignored = Object.entries(mapping?.fields ?? {}).filter(
    ([field, places]) => isOfTables(field) || listOf(places).every((place) => placeOf(place, field) === undefined),
  );
  if (ignored.length === 0) return undefined;
  const words = ignored.map(([field, places]) => `${field} (${listOf(places).join(', ')})`);
  return {
    what: 'mapping',
    value: words.join('; '),
    why: 'These places are none of this format, or these fields are of tables alone; they were passed over.',
  };
}

export type StatusOf = (lookup: (place: string) => string | null | undefined) => MappedStatus | 'unknown' | undefined;

/** The place of the status that a mapping names; `undefined` where it names none, or none of this format. */
export function statusPlace(mapping: WorklistMapping | undefined, placeOf: PlaceOf): string | undefined {
  const column = mapping?.status?.['column'];
  return column === undefined ? undefined : placeOf(column, 'status');
}

/** Reads the status at that place. */
export function statusReader(mapping: WorklistMapping | undefined, placeOf: PlaceOf): StatusOf | undefined {
  const place = statusPlace(mapping, placeOf);
  if (place === undefined) return undefined;
  const read = statusWords(mapping?.status);
  return (lookup) => read(lookup(place) ?? '');
}

/** Reads a status by the words of a mapping and by those that are known; `undefined` of empty text. */
export function statusWords(
  mapped: WorklistMapping['status'] = {},
): (text: string) => MappedStatus | 'unknown' | undefined {
  const { column: _, ...words } = mapped;
  const meanings = lowered(words);
  return (written) => {
    const text = written.trim();
    if (text === '') return undefined;
    return (meanings.get(text.toLowerCase()) as MappedStatus | undefined) ?? statusOfWord(text) ?? 'unknown';
  };
}

/** Checks a mapping of a person or a channel. */
import {
  mappedFields,
  mappedNameParts,
  mappedParts,
  mappedStatuses,
  maxPart,
  maxSeparator,
  WorklistMapping,
} from '../../contract/worklist-mapping.ts';
import { AppError } from '../../contract/errors.ts';
import { findEntry } from '../../domain/find-entry.ts';
import { isPlainObject } from '../../domain/normalise.ts';
import { suggestWord } from '../../domain/nearest-word.ts';
import { readPattern } from './date-patterns.ts';
import { kindOfField } from './kinds.ts';
import { createOffsets } from './zone.ts';

export interface MappingFault {
  /** A dotted path inside the mapping, such as `fields.modality`. */
  readonly field: string;
  readonly message: string;
}

const fieldsAndParts = [...mappedFields, ...mappedNameParts];
/** The fields that a key takes, in addition to metadata. */
const fieldsOf = (key: string): readonly string[] =>
  key === 'fields' || key === 'parts' ? fieldsAndParts : key === 'dates' ? datedFields : mappedFields;
const datedFields = mappedFields.filter(
  (name) => mappedParts.includes(name) || ['date', 'instant'].includes(kindOfField(name)),
);
const isMetadata = (name: string): boolean => /^metadata\.[^.\s][^.]{0,62}$/.test(name);
const isField = (key: string, name: string): boolean => fieldsOf(key).includes(name) || isMetadata(name);
const fieldWords = (key: string): string => `${fieldsOf(key).join(', ')}, metadata.NAME`;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 512;
const isWord = (value: unknown): boolean => typeof value === 'string' && value.length <= 512;
/** One value, or a list of at most 20. */
const isOneOrList = (value: unknown, holds: (each: unknown) => boolean): boolean =>
  holds(value) || (Array.isArray(value) && value.length > 0 && value.length <= 20 && value.every(holds));
const isPart = (value: unknown): boolean => {
  if (!isPlainObject(value)) return false;
  const { separator, take, ...others } = value;
  const isSeparator = typeof separator === 'string' && separator !== '' && separator.length <= maxSeparator;
  const isTake = Number.isInteger(take) && take !== 0 && Math.abs(Number(take)) <= maxPart;
  return isSeparator && isTake && Object.keys(others).length === 0;
};

/** The check of each key whose names are fields, and the words for its expected value. */
const shapes: Readonly<Record<string, readonly [holds: (value: unknown, field: string) => boolean, expected: string]>> =
  {
    fields: [
      (value) => isOneOrList(value, isText),
      'a place or a list of places, such as "OBR-18" or ["OBR-18", "OBR-3.1"]',
    ],
    values: [
      (value) => isPlainObject(value) && Object.values(value).every(isWord),
      'an object of values and what they mean, such as {"XR": "CR"}',
    ],
    parts: [
      isPart,
      `a separator and a part from 1 or -1 on, such as {"separator": "-", "take": 2}; at most ${maxPart}`,
    ],
    dates: [
      (value, field) => isOneOrList(value, (each) => isText(each) && readPattern(each, field) !== undefined),
      'a pattern or a list of patterns with day, month and year (a birth: YYYY), or with hours, such as "DD/MM/YYYY HH:mm"',
    ],
    copies: [
      (value, field) => typeof value === 'string' && value !== field && isField('copies', value),
      'the name of another field',
    ],
    defaults: [(value) => isText(value) || Number.isInteger(value), 'a text or a whole number'],
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
        else if (!shape[0](each, field)) fault(`${key}.${field}`, `${key}.${field} must be ${shape[1]}.`);
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
  for (const key of ['keep', 'drop']) faults.push(...faultsOfRules(key, mapping[key]));
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

const ruleExample = '[{"event": "ORM^O01", "where": {"ORC-1": ["SC"]}}]';

function faultsOfRules(key: string, rules: unknown): MappingFault[] {
  if (rules === undefined) return [];
  if (!Array.isArray(rules) || rules.length > 100)
    return [{ field: key, message: `The mapping lists at most 100 rules under ${key}, such as ${ruleExample}.` }];
  return rules.flatMap((rule, at) =>
    isRule(rule)
      ? []
      : [
          {
            field: `${key}.${at}`,
            message: `The mapping’s rule ${at + 1} of ${key} must name an event, or places with their values, or both: ${ruleExample}.`,
          },
        ],
  );
}

function isRule(rule: unknown): boolean {
  if (!isPlainObject(rule)) return false;
  const { event, where, ...others } = rule;
  if (Object.keys(others).length > 0 || (event === undefined && where === undefined)) return false;
  const isEvent = event === undefined || isOneOrList(event, (each) => isText(each) && each.length <= 64);
  const arePlaces =
    where === undefined ||
    (isPlainObject(where) &&
      Object.keys(where).length > 0 &&
      Object.entries(where).every(([place, values]) => isText(place) && isOneOrList(values, isWord)));
  return isEvent && arePlaces;
}

/** The mapping. USAGE for a value that is none, with the first fault; VALIDATION_FAILED belongs to whoever stores mappings. */
export function checkedMapping(value: unknown): WorklistMapping {
  const [fault] = faultsOfMapping(value);
  if (fault) throw new AppError('USAGE', { message: `The mapping: ${fault.message}` });
  return value as WorklistMapping;
}

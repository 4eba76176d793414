/** A mapping of a person or a channel, applied to the table of a format. */
import { mappedParts } from '../../contract/worklist-mapping.ts';
import type { MappedStatus, WorklistMapping } from '../../contract/worklist-mapping.ts';
import { findEntry } from '../../domain/find-entry.ts';
import type { Mapping } from './draft.ts';
import { kindOfField } from './kinds.ts';
import type { Guess } from './reading.ts';
import { findRewrite } from './rewrites.ts';
import { statusOfWord } from './status-words.ts';

const listOf = (places: string | readonly string[]): readonly string[] =>
  typeof places === 'string' ? [places] : places;

/** Meanings by the word in the file, in small letters. */
const lowered = (words: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(words).map(([word, meaning]) => [word.trim().toLowerCase(), meaning]));

/** A place of a mapping in the words of a table; `undefined` where it is none of the format. `to` is the field that it fills. */
export type PlaceOf = (place: string, to: string) => string | undefined;

/**
 * The table with what the mapping says: its places instead of the format's own, changes of texts, what values mean, copies, defaults.
 */
export function mappedTable(
  table: readonly Mapping[],
  mapping: WorklistMapping | undefined,
  placeOf: PlaceOf,
): readonly Mapping[] {
  if (mapping === undefined) return table;
  const { fields = {}, values = {}, parts = {}, dates = {}, copies = {}, accession_issuer: issuer } = mapping;
  const defaults: Readonly<Record<string, string | number>> = {
    ...(issuer !== undefined && { accession_issuer: issuer }),
    ...mapping.defaults,
  };
  const named = new Set([
    ...[fields, defaults, values, parts, dates, copies].flatMap(Object.keys),
    ...Object.values(copies),
  ]);
  const known = new Set(table.map(({ to }) => to));
  const added = [...named]
    .filter((to) => !known.has(to) && !mappedParts.includes(to))
    .map((to): Mapping => ({ to, kind: kindOfField(to), from: [] }));
  return [...table, ...added].map((row) => {
    const { to } = row;
    const from = listOf(findEntry(fields, to) ?? []).flatMap((place) => placeOf(place, to) ?? []);
    const words = findEntry(values, to);
    const preset = findEntry(defaults, to);
    const rewrite = findRewrite(mapping, to);
    const copy = findEntry(copies, to);
    return {
      ...row,
      ...(from.length > 0 && { from }),
      ...(rewrite !== undefined && { rewrite }),
      ...(words !== undefined && { values: lowered(words) }),
      ...(copy !== undefined && { copy }),
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

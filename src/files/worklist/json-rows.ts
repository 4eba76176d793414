/** JSON in the words of another system: its objects are rows of a table, and the names of their members its headings. */
import { coreFieldNames } from '../../contract/exam.ts';
import { identifierNames, isPlainObject } from '../../domain/normalise.ts';
import type { Header } from './csv/columns.ts';
import { remembering } from './remembering.ts';
import { columnsGuess, readHeader } from './csv/columns.ts';
import { fieldOfHeading } from './csv/headings.ts';
import { findConventions, extraName, extraValue, rowReader } from './csv/csv.ts';
import type { Input } from './reader.ts';
import type { ItemReading, Problem, Reading } from './reading.ts';

type Item = Readonly<Record<string, unknown>>;
type Row = ReadonlyMap<string, string>;

/** Names in the objects of a table. */
const minKnown = 3;
const deepest = 4;

/**
 * Reads the objects of a file of another system; `undefined` where the first ones are of the contract, or nobody knows what their
 * members mean.
 */
export function rowsReader(first: readonly (ItemReading | Problem)[], input: Input): RowsReader | undefined {
  const { mapping } = input.options;
  const fieldOf: FieldOf = remembering((name) => fieldOfHeading(shortenName(name)) ?? '');
  const items = first.flatMap((reading) => (reading.kind === 'item' ? rowsIn(reading.item, fieldOf) : []));
  const rows = items.map(flattenItem);
  const names = new Set(rows.flatMap((row) => [...row.keys()]));
  const mapped = new Set(Object.values(mapping?.fields ?? {}).flat());
  // Such a mapping is of another format, or of members that only some items have.
  if (rows.length === 0 || [...mapped].some((place) => !names.has(place))) return undefined;
  const headings = () => [...names].map((name) => (mapped.has(name) ? name : shortenName(name)));
  const table = rows.map((row) => listValues(row, names));
  const createHeader = () => readHeader(headings(), mapping?.fields, (index) => table.map((row) => row[index] ?? ''));
  const header = createHeader();
  if (isOwn(items, header) || header.columnOf.size < minKnown) return undefined;
  input.guess(columnsGuess(header));
  const conventions = findConventions(header, table, ',', input);
  let read = rowReader(header, conventions, input);
  const fields = new Set([...names].map(fieldOf));
  /** A member that only later objects have is a column where it is the first of its field: of those there are few. */
  const take = (row: Row): void => {
    const telling = [...row.keys()].filter((name) => !names.has(name) && !['', ...fields].includes(fieldOf(name)));
    if (telling.length === 0) return;
    for (const name of telling) {
      names.add(name);
      fields.add(fieldOf(name));
    }
    table.push(listValues(row, names));
    read = rowReader(createHeader(), conventions, input);
  };
  return (reading) => {
    if (reading.kind === 'problem') return [reading];
    return rowsIn(reading.item, fieldOf).map((item) => {
      const row = flattenItem(item);
      take(row);
      const { line = 1, item: at = 1 } = reading.position;
      return withOthers(read({ values: listValues(row, names), text: '', line }, at), row, names);
    });
  };
}

/** The field of a member; an empty text where nobody knows what it means. */
type FieldOf = (name: string) => string;

/** Values that belong to no column are kept under their names. */
function withOthers(reading: Reading, row: Row, names: ReadonlySet<string>): Reading {
  if (reading.kind !== 'item') return reading;
  const others = [...row].flatMap(([name, text]) => {
    const value = names.has(name) ? '' : extraValue(text);
    return value === '' ? [] : [[extraName(name, names.size), value] as const];
  });
  return others.length === 0 ? reading : { ...reading, item: { ...Object.fromEntries(others), ...reading.item } };
}

const listValues = (row: Row, names: ReadonlySet<string>): string[] => [...names].map((name) => row.get(name) ?? '');

/** The columns that a new exam needs. */
const needed = ['accession_number', 'patient_id', 'patient_name', 'exam_description'];

/**
 * An item with an identifier of the contract is one of it, unless it has all that an exam needs, some of it by other names. What is of
 * the contract stays as it is: `null` clears a field, and metadata may be of any shape.
 */
function isOwn(items: readonly Item[], { columnOf, headings }: Header): boolean {
  const has = (name: string): boolean => items.some((item) => Object.hasOwn(item, name));
  if (!identifierNames.some(has)) return false;
  const isDated = columnOf.has('exam_datetime');
  const isWhole = needed.every((field) => columnOf.has(field)) && (isDated || columnOf.has('exam_date'));
  const isRenamed = (field: string): boolean => headings[columnOf.get(field) ?? -1] !== field && columnOf.has(field);
  return !isWhole || (isDated && ![...needed, ...coreFieldNames].some(isRenamed));
}

export type RowsReader = (reading: ItemReading | Problem) => Reading[];

/** The object itself, or the first list of objects in it, as answers of services wrap them. */
function rowsIn(value: Item, fieldOf: FieldOf, depth = 0): readonly Item[] {
  const isKnown = (name: string): boolean => fieldOf(name) !== '';
  const known = Object.keys(value).filter(isKnown).length;
  if (known >= minKnown || depth === deepest) return [value];
  for (const member of Object.values(value)) {
    const list: readonly unknown[] = Array.isArray(member) ? member : [];
    const rows: readonly Item[] = list.every(isPlainObject) ? list : [];
    const [first] = rows;
    if (first && [...flattenItem(first).keys()].filter(isKnown).length >= minKnown) return rows;
    const inside = isPlainObject(member) ? rowsIn(member, fieldOf, depth + 1) : [];
    if (inside.length > 0 && inside[0] !== member) return inside;
  }
  return [value];
}

/** Texts, numbers and ticks by dotted names; of a list of objects, the only one. */
function flattenItem(item: Item): Row {
  const row = new Map<string, string>();
  const take = (value: unknown, name: string, depth: number): void => {
    const only = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
    if (isPlainObject(only)) {
      if (depth === deepest) return;
      for (const [key, member] of Object.entries(only)) take(member, name === '' ? key : `${name}.${key}`, depth + 1);
    } else if (name !== '') row.set(name, formatCell(only));
  };
  take(item, '', 0);
  return row;
}

function formatCell(value: unknown): string {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string') ? value.join(',') : '';
  // A greater number has already lost digits.
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return '';
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).replace(/[\r\n]+/g, ' ') : '';
}

/** Names that tell what they are wherever they stand. */
const telling = /^(?:modality|modalidade|modalidad|mrn|prontuario|dob|accession|gender|sex|sexo)$/i;

/**
 * `paciente.nome` is the `nome paciente` of a table. Else the last name of `order.accessionNumber`, if it is clear without the others:
 * `doctor.name` is no patient's.
 */
function shortenName(name: string): string {
  const [last = name, holder] = name.split('.').toReversed();
  if (holder === undefined || fieldOfHeading(name) !== undefined) return name;
  const turned = `${last} ${holder}`;
  if (fieldOfHeading(turned) !== undefined) return turned;
  const isTelling = telling.test(last) || /[a-z\d][A-Z]|[ _-]/.test(last);
  return isTelling && fieldOfHeading(last) !== undefined ? last : name;
}

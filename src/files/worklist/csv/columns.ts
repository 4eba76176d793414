/** Maps the columns of a table to fields, by their headings. */
import { AppError } from '../../../contract/errors.ts';
import type { WorklistMapping } from '../../../contract/worklist-mapping.ts';
import { modalityCodes } from '../../../contract/modalities.ts';
import { modalityOf, plainWords } from '../coded-words.ts';
import { dicomPlaceOf } from '../dicom/places.ts';
import { isFhirPath } from '../fhir/paths.ts';
import { normalisePlace } from '../hl7/places.ts';
import type { Guess } from '../reading.ts';
import { statusOfWord } from '../status-words.ts';
import { fieldOfHeading, headingWords } from './headings.ts';

/** Headings that name a modality in some tables and a procedure in others; the values below them decide. */
const ambiguous = new Set('tecnica, technique, technik, tipo, type, typ, art'.split(', '));

/** Fields of the table by the number of their column, from 0, and the headings of all columns. */
export interface Header {
  readonly headings: readonly string[];
  readonly columnOf: ReadonlyMap<string, number>;
  /** The column of the status holds no word of an exam in the beginning: it may be that of something else, or a state of a federation. */
  readonly isStatusDoubtful: boolean;
  /** The map names columns by number only: the table has no headings, and its first line is a row. */
  readonly isMissing: boolean;
}

/** The values of a column, as far as the beginning of the file shows them. */
type ValuesOf = (index: number) => readonly string[];

const unseen: ValuesOf = () => [];

/** USAGE where the mapping names a missing column. */
export function readHeader(
  headings: readonly string[],
  fields: WorklistMapping['fields'] = {},
  valuesOf: ValuesOf = unseen,
): Header {
  const { columnOf, isNamed: isMapped, missing } = mappedColumns(headings, fields);
  if (missing !== undefined) throw missingColumn(missing, headings.length);
  let isNamed = isMapped;
  const taken = new Set(columnOf.values());
  const known = headings.flatMap((heading, index) => {
    const field = taken.has(index) ? undefined : fieldOfHeading(heading);
    return field === undefined ? [] : [{ index, heading, field, rank: rankHeading(heading, field) }];
  });
  for (const { index, field } of known.toSorted((a, b) => a.rank - b.rank)) {
    if (!columnOf.has(field)) columnOf.set(field, index);
  }
  const time = known.find(
    ({ heading, field }) => field === 'exam_time' && goesWith(heading, headings[columnOf.get('exam_date') ?? -1]),
  );
  const first = columnOf.get('exam_time');
  if (time && first !== undefined && !taken.has(first)) columnOf.set('exam_time', time.index);
  // The moment of an order is that of an exam only where the table says it whole, and no other.
  const isWhole = time !== undefined && !columnOf.has('exam_datetime');
  for (const [field, index] of [
    ['exam_date', columnOf.get('exam_date')],
    ['exam_time', columnOf.get('exam_time')],
  ] as const) {
    if (!isWhole && index !== undefined && !taken.has(index) && isOfOrder(headings[index])) columnOf.delete(field);
  }
  isNamed ||= known.length > 0;
  settleParts(columnOf, fields);
  for (const [index, heading] of headings.entries()) {
    if (taken.has(index) || !ambiguous.has(headingWords(heading))) continue;
    const field = areModalities(valuesOf(index)) ? 'modality' : 'exam_description';
    if (!columnOf.has(field)) columnOf.set(field, index);
  }
  const status = columnOf.get('status');
  const isStatusDoubtful =
    status !== undefined && !taken.has(status) && !valuesOf(status).some((value) => statusOfWord(value) !== undefined);
  const isMissing = columnOf.size > 0 && !isNamed;
  return {
    headings: isMissing ? headings.map((_, index) => `column ${index + 1}`) : headings,
    columnOf,
    isStatusDoubtful,
    isMissing,
  };
}

const timeWords = /\b(?:date|data|dt|fecha|datum|time|hora|horario|uhrzeit|zeit|heure)\b/g;
const stemOf = (heading: string): string => headingWords(heading).replace(timeWords, '').trim();
/** `Study Time` is of `Study Date`, whatever other dates there are. */
const goesWith = (time: string, date: string | undefined): boolean =>
  date !== undefined && stemOf(time) === stemOf(date);

const isOfOrder = (heading = ''): boolean => ofOrder.test(headingWords(heading));

/** Headings that stand for whatever a table is about. */
const vague = new Set(
  'date, data, fecha, datum, time, hora, zeit, uhrzeit, heure, name, nome, nombre, nom, description, descricao, descripcion, beschreibung, doctor, medico, physician, arzt, medecin, uid, dossier, body part, bodypart, body part examined, parte corpo, regiao, regiao anatomica, region anatomica'.split(
    ', ',
  ),
);

/** Dates and times of the order itself, which stand for those of an exam that has none. */
const ofOrder =
  /\b(?:pedido|solicitacao|solicitud|requisicao|orden|order|requests?|requested|demande|prescription)\b|^(?:auftrag|anforderung)/;

/**
 * Ranks the columns of a field: first the one with the field's name, later one with a vague heading, and last a time of the order.
 */
function rankHeading(heading: string, field: string): number {
  const words = headingWords(heading);
  const isOwn = words === headingWords(field) || (field === 'accession_number' && /ac+es(?:s|o)/.test(words));
  if (isOwn) return 0;
  if ((field === 'exam_date' || field === 'exam_time') && ofOrder.test(words)) return 3;
  return vague.has(words) ? 2 : 1;
}

/** The columns that make up a field without a single column. */
const partsOf = [
  ['exam_datetime', ['exam_date']],
  ['patient_name', ['patient_family_name', 'patient_given_name']],
] as const;

const areModalities = (values: readonly string[]): boolean => {
  const said = values.filter((value) => value !== '');
  return said.length > 0 && said.every((value) => modalityCodes.includes(modalityOf(value).toUpperCase()));
};

/**
 * A column of names next to one for a part of the name holds the missing part. A mapping of the parts of a field takes
 * precedence over a column that is recognised for the whole.
 */
function settleParts(columnOf: Map<string, number>, mapped: object): void {
  for (const [whole, parts] of partsOf) {
    const isSaid = parts.some((part) => Object.hasOwn(mapped, part)) && !Object.hasOwn(mapped, whole);
    if (isSaid && parts.every((part) => columnOf.has(part))) columnOf.delete(whole);
  }
  const [whole, family, given] = ['patient_name', 'patient_family_name', 'patient_given_name'].map((name) =>
    columnOf.get(name),
  );
  if (whole === undefined || (family === undefined) === (given === undefined)) return;
  columnOf.set(family === undefined ? 'patient_family_name' : 'patient_given_name', whole);
  columnOf.delete('patient_name');
}

/** Where a text is written like a place of another format, the mapping is one for several, and it names no column. */
export const isOfOtherFormat = (place: string): boolean =>
  normalisePlace(place, '') !== undefined || dicomPlaceOf(place) !== undefined || isFhirPath(place);

/** `isNamed`: a column is mapped by its heading, not its number; `missing`: a field whose column is not there. */
export function mappedColumns(headings: readonly string[], fields: NonNullable<WorklistMapping['fields']>) {
  const columnOf = new Map<string, number>();
  let isNamed = false;
  let missing: string | undefined;
  for (const [field, places] of Object.entries(fields)) {
    const columns = typeof places === 'string' ? [places] : places;
    const found = columns.map((column) => columnNamed(headings, column)).find((each) => each !== undefined);
    if (found) {
      columnOf.set(field, found.index);
      isNamed ||= found.isHeading;
    } else if (!columns.every(isOfOtherFormat)) {
      missing ??= field;
    }
  }
  return { columnOf, isNamed, missing };
}

export const missingColumn = (field: string, count: number): AppError =>
  new AppError('USAGE', {
    message: `The column that is mapped to ${field} is not in the header.`,
    hint: `Write its heading as it stands in the file, or its number, 1 to ${count}.`,
  });

export function columnNamed(
  headings: readonly string[],
  column: string,
): { index: number; isHeading: boolean } | undefined {
  const named = headings.findIndex(
    (heading) => heading.trim() === column.trim() || plainWords(heading) === plainWords(column),
  );
  if (named !== -1) return { index: named, isHeading: true };
  const number = /^\d{1,4}$/.test(column) ? Number(column) : 0;
  return number >= 1 && number <= headings.length ? { index: number - 1, isHeading: false } : undefined;
}

/** The mapping of the columns, for the person. */
export function columnsGuess({ headings, columnOf }: Header): Guess {
  const pairs = [...columnOf].map(([field, index]) => `${field} = ${headings[index]?.trim() || `column ${index + 1}`}`);
  return {
    what: 'columns',
    value: pairs.join(', ') || 'none',
    why: 'By their headings; all other columns are kept as they are.',
  };
}

/** Surveys a file: where it has each field, which are missing, and which mapping would help. */
import { coreFieldNames } from '../../contract/exam.ts';
import type { WorklistMapping } from '../../contract/worklist-mapping.ts';
import type { FormatName } from '../../domain/worklist-formats.ts';
import { modalityCodes } from '../../contract/modalities.ts';
import { identifierNames } from '../../domain/normalise.ts';
import { placesElsewhere, standsElsewhere } from './elsewhere.ts';
import type { Guess, Problem, ReadOptions } from './reading.ts';
import { readWorklist } from './worklist-file.ts';

export interface Survey {
  readonly format: FormatName;
  readonly guesses: readonly Guess[];
  /** Exams and what could not be read. */
  readonly items: number;
  readonly problems: readonly Problem[];
  /** Exams that a service takes as new ones. */
  readonly whole: number;
  /** Keys are fields: places, and how often each was used. */
  readonly found: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Keys are fields: number of exams without it; identifiers count if an exam has neither. */
  readonly missing: ReadonlyMap<string, number>;
  /** Words that are no modality, and how often each occurs. */
  readonly modalities: ReadonlyMap<string, number>;
}

/** Reads the whole file; `open` gives its bytes. Throws what `readWorklist` throws. */
export async function surveyFile(open: () => AsyncIterable<Uint8Array>, options: ReadOptions): Promise<Survey> {
  const found = new Map<string, Map<string, number>>();
  const missing = new Map<string, number>();
  const modalities = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  const problems: Problem[] = [];
  let items = 0;
  let whole = 0;
  const onFound = (field: string, place: string): void => {
    const places = found.get(field) ?? new Map<string, number>();
    found.set(field, places);
    count(places, place);
  };
  const file = await readWorklist(open(), { ...options, onFound });
  for await (const reading of file.readings) {
    if (reading.kind === 'patient' || reading.kind === 'skipped') continue;
    items += 1;
    if (reading.kind === 'problem') {
      problems.push(reading);
      if (reading.isUnidentified) count(missing, 'accession_number');
      continue;
    }
    const { item, status } = reading;
    if (identifierNames.every((name) => item[name] === undefined)) count(missing, 'accession_number');
    const isOptional = (name: string): boolean => name === 'exam_description' && reading.isDescribedByModality === true;
    const lacking = coreFieldNames.filter((name) => (item[name] ?? null) === null && !isOptional(name));
    // A cancellation names the exam and no more.
    if (status === undefined) for (const name of lacking) count(missing, name);
    const { modality } = item;
    const isOdd = typeof modality === 'string' && !modalityCodes.includes(modality.trim().toUpperCase());
    if (isOdd) count(modalities, modality.trim().toUpperCase());
    if (status !== undefined || (lacking.length === 0 && !isOdd)) whole += 1;
  }
  return { format: file.format, guesses: file.guesses, items, problems, whole, found, missing, modalities };
}

/** Proposes a mapping that takes missing fields from where the file has them. A person completes modalities, and fields that
 * the file does not have. */
export async function proposedMapping(
  survey: Survey,
  open: () => AsyncIterable<Uint8Array>,
  options: ReadOptions,
): Promise<WorklistMapping> {
  let known = survey;
  let mapping = options.mapping ?? {};
  // An exam that cannot be identified shows what else it lacks once it can be.
  for (let round = 0; round < maxRounds; round++) {
    const next = await improvedMapping(known, open, { ...options, mapping });
    const isDone = JSON.stringify(next) === JSON.stringify(mapping);
    mapping = next;
    if (isDone || known.format === 'csv' || known.format === 'xlsx') break;
    known = await surveyFile(open, { ...options, mapping });
  }
  return mapping;
}

const maxRounds = 3;
/** Most places of a field in a mapping. */
const maxPlaces = 20;

async function improvedMapping(
  survey: Survey,
  open: () => AsyncIterable<Uint8Array>,
  options: ReadOptions,
): Promise<WorklistMapping> {
  const before = options.mapping ?? {};
  const lacking = [...survey.missing.keys()].filter(standsElsewhere);
  const isTable = survey.format === 'csv' || survey.format === 'xlsx';
  const trial: Record<string, string[]> = Object.fromEntries(
    lacking.flatMap((name) => {
      const places = [...listPlaces(survey, name), ...placesElsewhere(survey.format, name)];
      return places.length === 0 ? [] : [[name, places.slice(0, maxPlaces)]];
    }),
  );
  const tried = await surveyFile(open, { ...options, mapping: { ...before, fields: { ...before.fields, ...trial } } });
  const fields: Record<string, string[]> = {};
  const defaults: Record<string, string> = {};
  for (const name of lacking) {
    const places = listPlaces(tried, name).toSorted((a, b) => orderIn(trial[name], a) - orderIn(trial[name], b));
    const isBetter = places.length > 0 && (tried.missing.get(name) ?? 0) < (survey.missing.get(name) ?? 0);
    if (isBetter && (name !== 'modality' || tried.modalities.size === 0)) fields[name] = places;
    else if (isTable && name !== 'modality') fields[name] = ['HEADING'];
    else if (name === 'modality' || name === 'exam_description') defaults[name] = name === 'modality' ? 'CR' : 'Exam';
  }
  const odd = [...survey.modalities.keys()];
  return {
    ...before,
    ...(Object.keys(fields).length > 0 && { fields: { ...before.fields, ...fields } }),
    ...(odd.length > 0 && {
      values: {
        ...before.values,
        modality: { ...before.values?.['modality'], ...Object.fromEntries(odd.map((word) => [word, 'CR'])) },
      },
    }),
    ...(Object.keys(defaults).length > 0 && { defaults: { ...defaults, ...before.defaults } }),
  };
}

/** Places that were tried, the better first; those of the format itself before them. */
const orderIn = (places: readonly string[] = [], place: string): number => places.indexOf(place);

const listPlaces = ({ found }: Survey, name: string): string[] =>
  [...(found.get(name) ?? [])].map(([place]) => place).filter((place) => !place.startsWith('the column'));

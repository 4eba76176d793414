/** The filters of a listing of items as conditions of the store. A value that no exam can have is refused, not sought. */
import { validationFailed } from '../../src/contract/errors.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import type { WorklistQuery } from '../../src/contract/worklist-query.ts';
import { modalityCodes } from '../../src/domain/modalities.ts';
import { normaliseItem } from '../../src/domain/normalise.ts';
import { periodIn } from '../http/period.ts';
import type { Conditions, Store } from '../store/store.ts';
import { commitsSince } from './updates.ts';

type Filters = TypeOf<typeof WorklistQuery>;

/** Throws VALIDATION_FAILED for a modality, an identifier or a period that no exam can have. */
export function conditionsOf(space: string, filters: Filters, store: Pick<Store, 'commits'>): Conditions<'items'> {
  const { status, hospital, subspecialty, priority, report, source_system, assigned_to, q: text } = filters;
  const modality = modalitiesOf(filters.modality);
  const groups = { status, modality, hospital, subspecialty, priority, report, source_system, assigned_to };
  const during = { exam: periodIn(filters), commit: commitsSince(filters.updated_since, store) };
  return { is: { space, ...groups, ...keysOf(filters) }, during, text };
}

/** The terms of DICOM that the filter names: a list without the others would only seem complete. */
function modalitiesOf(said: Filters['modality']): string[] | undefined {
  const terms = said === undefined ? undefined : [said].flat().map((term) => term.trim().toUpperCase());
  if (terms?.every((term) => modalityCodes.includes(term)) === false) {
    const message = 'modality must be a DICOM modality, for example CR for computed radiography, CT or MR';
    throw validationFailed([{ field: 'modality', message, code: 'INVALID_MODALITY' }]);
  }
  return terms;
}

const indexOfKey = { accession_number: 'accession', study_uid: 'study', patient_id: 'patient' } as const;
type KeyName = keyof typeof indexOfKey;
const keyNames = Object.keys(indexOfKey) as KeyName[];

/** The identifiers in the form in which an ingest stores them. */
function keysOf(filters: Filters): { [I in (typeof indexOfKey)[KeyName]]?: string } {
  const given = keyNames.filter((name) => filters[name] !== undefined);
  if (given.length === 0) return {};
  const stored = normaliseItem(Object.fromEntries(given.map((name) => [name, filters[name]])))!.fields;
  const empty = given.find((name) => typeof stored[name] !== 'string' || stored[name] === '');
  if (empty !== undefined) {
    throw validationFailed([{ field: empty, message: `${empty} must not be empty`, code: 'INVALID_VALUE' }]);
  }
  return Object.fromEntries(given.map((name) => [indexOfKey[name], stored[name]]));
}

/** Lists items by the filters of a query. Values that no exam can have are refused. */
import { validationFailed } from '../../src/contract/errors.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import type { WorklistQuery } from '../../src/contract/worklist-query.ts';
import { modalityCodes, modalityMessage } from '../../src/contract/modalities.ts';
import { withSuggestion } from '../../src/domain/nearest-word.ts';
import { normaliseFields } from '../../src/domain/normalise.ts';
import { pageAmong, readPage } from '../http/paging.ts';
import { periodIn } from '../http/period.ts';
import { accessionKey } from '../storage/collections.ts';
import type { Documents } from '../storage/collections.ts';
import type { Conditions } from '../storage/store.ts';
import type { WorklistDeps } from './deps.ts';
import { changesSince, readUpdates } from './updates.ts';

type Filters = TypeOf<typeof WorklistQuery>;
type ListServices = Pick<WorklistDeps, 'store' | 'clock'>;

/**
 * Returns alternative conditions: a number without an issuer matches any issuer. Rejects with VALIDATION_FAILED for a
 * modality, identifier or period that no exam can have.
 */
async function createConditions(
  space: string,
  filters: Filters,
  { store, clock }: ListServices,
): Promise<readonly [Conditions<'items'>, ...Conditions<'items'>[]]> {
  const {
    status,
    hospital,
    subspecialty,
    priority,
    report,
    exam_status,
    source_system,
    assigned_to,
    q: text,
  } = filters;
  const modality = readModalities(filters.modality);
  const groups = {
    status,
    modality,
    hospital,
    subspecialty,
    priority,
    report,
    exam_status,
    source_system,
    assigned_to,
  };
  const during = { exam: periodIn(filters), ...(await changesSince(filters.updated_since, store, clock)) };
  const {
    accession_number: number,
    accession_issuer: issuer,
    study_uid: study,
    patient_id: patient,
  } = readKeys(filters);
  const is = { space, ...groups, study, patient };
  if (number === undefined) return [{ is, during, text }];
  const named = { is: { ...is, accession: accessionKey(number, issuer) }, during, text };
  return issuer === undefined ? [named, { is: { ...is, issued: number }, during, text }] : [named];
}

/** A page of the matching exams, and the commit up to which it is complete. */
export async function listItems<T>(
  services: ListServices,
  space: string,
  filters: Filters,
  show: (item: Documents['items']) => T,
) {
  const [conditions, ...others] = await createConditions(space, filters, services);
  const { store } = services;
  return readUpdates(store, filters, async (request) => {
    if (others.length === 0) return readPage(store, 'items', space, conditions, request, show);
    // Few exams share a number.
    const found = await Promise.all([conditions, ...others].map((each) => store.find('items', each)));
    const items = new Map(found.flat().map((item) => [item.id, item]));
    return pageAmong([...items.values()], `items\n${space}`, request, show);
  });
}

/** Validates the DICOM terms: a list that ignored unknown ones would only seem complete. */
function readModalities(said: Filters['modality']): string[] | undefined {
  const terms = said === undefined ? undefined : [said].flat().map((term) => term.trim().toUpperCase());
  const unknown = terms?.find((term) => !modalityCodes.includes(term));
  if (unknown !== undefined) {
    const message = withSuggestion(modalityMessage, unknown, modalityCodes);
    throw validationFailed([{ field: 'modality', message, code: 'INVALID_MODALITY' }]);
  }
  return terms;
}

const keyNames = ['accession_number', 'accession_issuer', 'study_uid', 'patient_id'] as const;
type Keys = { readonly [N in (typeof keyNames)[number]]?: string };

/** Normalises identifiers as an ingest does. */
function readKeys(filters: Filters): Keys {
  const given = keyNames.filter((name) => filters[name] !== undefined);
  if (given.length === 0) return {};
  if (filters.accession_issuer !== undefined && filters.accession_number === undefined) {
    throw invalidValue('accession_issuer', 'accession_issuer says whose accession_number is meant: send both');
  }
  const stored = normaliseFields(Object.fromEntries(given.map((name) => [name, filters[name]]))).fields;
  const empty = given.find((name) => typeof stored[name] !== 'string' || stored[name] === '');
  if (empty !== undefined) throw invalidValue(empty, `${empty} must not be empty`);
  return stored;
}

const invalidValue = (field: string, message: string) => validationFailed([{ field, message, code: 'INVALID_VALUE' }]);

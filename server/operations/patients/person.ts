/** Whose documents belong to one patient: the rule of the worklist, and never more than that. */
import { AppError } from '../../../src/contract/errors.ts';
import type { Documents } from '../../storage/collections.ts';
import type { Reader, StoredDocument } from '../../storage/store.ts';
import { comparePatients } from '../../worklists/priors/same-patient.ts';
import type { Person } from '../../worklists/priors/same-patient.ts';

export type { Person };

/** The patient of a document that an operator named, or a report that names nobody. */
export interface Subject {
  readonly space: string;
  /** `undefined`: a report without an exam. Only that report is meant. */
  readonly person: Person | undefined;
  /** The document by which the operator named the patient. */
  readonly id: string;
}

/** The readers of HL7 and FHIR store it in the metadata. */
function readIssuer(metadata: Documents['items']['metadata']): string | null {
  const issuer = metadata?.['patient_id_issuer'];
  return typeof issuer === 'string' ? issuer : null;
}

export const personOfItem = (item: Documents['items']): Person => ({
  patient_id: item.patient_id,
  patient_name: item.patient_name,
  patient_birth_date: item.patient_birth_date,
  issuer: readIssuer(item.metadata),
});

export const personOfPrior = (prior: Documents['priors']): Person => ({
  patient_id: prior.patient_id,
  patient_name: prior.patient_name,
  patient_birth_date: prior.patient_birth_date,
  issuer: prior.patient_id_issuer,
});

/** A message may name a patient by the id alone. */
export const personOfMessage = (message: Documents['told_patients']): Person => ({
  patient_id: message.patient_id,
  patient_name: message.facts.patient_name ?? '',
  patient_birth_date: message.facts.patient_birth_date ?? null,
  issuer: message.patient_id_issuer,
});

/** The person that the document names; `undefined`: it names nobody. */
export function readPerson({ collection, document }: StoredDocument): Person | undefined {
  if (collection === 'items') return personOfItem(document);
  if (collection === 'priors') return personOfPrior(document);
  return collection === 'told_patients' ? personOfMessage(document) : undefined;
}

/**
 * Whether both are one patient: the same id of the same issuer, and no name that contradicts. Placeholders such as `0` are the id of
 * many people.
 */
export function isSamePerson(one: Person, other: Person): boolean {
  if (one.patient_id !== other.patient_id) return false;
  if (one.issuer !== null && other.issuer !== null && one.issuer !== other.issuer) return false;
  if (one.patient_name === '' || other.patient_name === '') return true;
  return comparePatients(one, other) !== undefined;
}

/** NOT_FOUND if nothing has that id. */
export async function findSubject(reader: Reader, id: string): Promise<Subject> {
  const item = await reader.get('items', id);
  if (item) return { space: item.space, person: personOfItem(item), id };
  const prior = await reader.get('priors', id);
  if (prior) return { space: prior.space, person: personOfPrior(prior), id };
  const message = await reader.get('told_patients', id);
  if (message) return { space: message.space, person: personOfMessage(message), id };
  const entry = await reader.get('trash', id);
  if (entry) {
    const people = (entry.documents as unknown as StoredDocument[]).flatMap((each) => readPerson(each) ?? []);
    return { space: entry.space, person: people[0], id };
  }
  const record = await reader.get('records', id);
  if (!record) throw noSuchPatient();
  const exam = record.worklist_item_id === null ? undefined : await reader.get('items', record.worklist_item_id);
  return { space: record.space, person: exam && personOfItem(exam), id };
}

export const noSuchPatient = (): AppError =>
  new AppError('NOT_FOUND', {
    message: 'No exam, report or message of a patient has this id.',
    hint: 'laudio patient find shows the ids.',
  });

/** The priors of an exam: signed and preliminary reports of the patient's other exams, created here or imported. */
import type { Prior, PriorSummary } from '../../../src/contract/prior.ts';
import { parseInstant } from '../../../src/domain/iso-time.ts';
import { additionalNumbers } from '../../../src/domain/orders.ts';
import { personKey } from '../../storage/collections.ts';
import type { Documents } from '../../storage/collections.ts';
import type { Reader } from '../../storage/store.ts';
import { comparePatients } from './same-patient.ts';
import type { Person } from './same-patient.ts';

type StoredItem = Documents['items'];
type StoredPrior = Documents['priors'];

/**
 * Limits exams and imported reports per name of a patient, newest first. Only placeholders such as id `0` or a birth
 * date in 1900 have more.
 */
const maxDocuments = 500;

/** A prior with its sort key. */
export interface ListedPrior {
  /** Sorts by time of the exam, then by id; unique. */
  readonly id: string;
  readonly prior: PriorSummary;
}

/** All priors, unordered; every look-up uses an index. */
export async function findPriors(reader: Reader, item: StoredItem): Promise<ListedPrior[]> {
  const present = personOf(item);
  const [ours, imported] = await Promise.all([ourPriors(reader, item, present), importedPriors(reader, item, present)]);
  const accessions = new Set(ours.flatMap(({ accession_number: number }) => number ?? []));
  // Reports that we sent may return as imports.
  const others = imported.filter(({ accession_number: number }) => number === null || !accessions.has(number));
  return [...ours, ...others].map((prior) => ({ id: orderOf(prior), prior }));
}

const personOf = (item: StoredItem): Person => ({ ...item, issuer: readIssuer(item.metadata) });
const personOfPrior = (prior: StoredPrior): Person => ({ ...prior, issuer: prior.patient_id_issuer });

/** The readers of HL7 and FHIR store it there. */
function readIssuer(metadata: StoredItem['metadata']): string | null {
  const issuer = metadata?.['patient_id_issuer'];
  return typeof issuer === 'string' ? issuer : null;
}

/** Documents with the patient's id, or with birth date and name. */
async function underPatient<C extends 'items' | 'priors'>(
  reader: Reader,
  collection: C,
  item: StoredItem,
): Promise<readonly Documents[C][]> {
  const { space, patient_id: patient } = item;
  const person = personKey(item);
  const limit = maxDocuments;
  const [byId, byPerson] = await Promise.all([
    reader.find(collection, { is: { space, patient }, limit } as never) as Promise<readonly Documents[C][]>,
    person === null
      ? []
      : (reader.find(collection, { is: { space, person }, limit } as never) as Promise<readonly Documents[C][]>),
  ]);
  return [...new Map([...byId, ...byPerson].map((document) => [document.id, document])).values()];
}

async function ourPriors(reader: Reader, item: StoredItem, present: Person): Promise<PriorSummary[]> {
  const exams = await underPatient(reader, 'items', item);
  const found = await Promise.all(
    exams.map(async (exam): Promise<PriorSummary[]> => {
      if (exam.id === item.id || exam.record_id === null) return [];
      const differs = comparePatients(present, personOf(exam));
      const record = differs && (await reader.get('records', exam.record_id));
      const prior = record && priorOfRecord(record, exam);
      return prior ? [{ ...withoutSections(prior), differs }] : [];
    }),
  );
  return found.flat();
}

async function importedPriors(reader: Reader, item: StoredItem, present: Person): Promise<PriorSummary[]> {
  const reports = await underPatient(reader, 'priors', item);
  const numbers = new Set(
    [item, ...additionalNumbers(item.metadata)].map(({ accession_number: number }) => number ?? undefined),
  );
  return reports.flatMap((report) => {
    const isOfThisExam =
      (report.accession_number !== null && numbers.has(report.accession_number)) ||
      (report.study_uid !== null && report.study_uid === item.study_uid);
    if (isOfThisExam || report.status === 'withdrawn') return [];
    const differs = comparePatients(present, personOfPrior(report));
    return differs ? [{ ...withoutSections(shownPrior(report)), differs }] : [];
  });
}

/** The prior as the API shows it. */
export const shownPrior = ({ space: _space, ...prior }: StoredPrior): Prior => prior;

export const withoutSections = ({ sections: _sections, ...summary }: Prior): Omit<Prior, 'sections'> => summary;

/** A record as a prior; `undefined` while it is a draft. */
export function priorOfRecord(record: Documents['records'], exam: StoredItem): Prior | undefined {
  if (record.status === 'draft') return undefined;
  return {
    id: record.id,
    origin: 'laudio',
    status: record.status,
    patient_id: exam.patient_id,
    patient_name: exam.patient_name,
    display_name: exam.display_name,
    patient_birth_date: exam.patient_birth_date ?? null,
    patient_id_issuer: readIssuer(exam.metadata),
    exam_datetime: exam.exam_datetime,
    exam_description: exam.exam_description,
    report_id: null,
    accession_number: exam.accession_number,
    study_uid: exam.study_uid,
    modality: exam.modality,
    reported_at: record.updated_at,
    author: null,
    hospital_name: exam.hospital_name ?? null,
    language: record.language,
    source_system: null,
    worklist_item_id: exam.id,
    version: record.version,
    created_at: record.created_at,
    updated_at: record.updated_at,
    sections: record.sections.filter(({ text }) => text !== ''),
  };
}

/** ms since year 0 with a fixed number of digits, then the id. */
const orderOf = ({ exam_datetime: at, id }: PriorSummary): string =>
  `${String(parseInstant(at) - yearZero).padStart(16, '0')} ${id}`;
const yearZero = Date.parse('0000-01-01T00:00:00Z');

/** Finds the reports that a FHIR search asks for. The ids of this FHIR server are those of the API, with `-` for `_`. */
import { AppError } from '../../../src/contract/errors.ts';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import { additionalNumbers } from '../../../src/domain/orders.ts';
import { findRecord } from '../../records/stored-record.ts';
import type { Documents } from '../../storage/collections.ts';
import type { Reader } from '../../storage/store.ts';
import { issuerIn } from '../../worklists/patients/adt-patients.ts';

type StoredItem = Documents['items'];
export type ReportRecord = Documents['records'];

/** Most exams of a patient, as for priors: only placeholders such as the id `0` have more. */
const maxExams = 500;

export const toFhirId = (id: string): string => id.replaceAll('_', '-');
/** The id in a reference: `rec-…`, `DiagnosticReport/rec-…` or an address. */
export const fromReference = (reference: string): string => (reference.split('/').at(-1) ?? '').replace('-', '_');

/** Drafts are for those who write them. */
export const isIssued = ({ status }: Pick<MedicalRecord, 'status'>): boolean => status !== 'draft';

/** NOT_FOUND if there is none, or it is a draft. */
export async function readIssued(reader: Reader, space: string, id: string): Promise<ReportRecord> {
  const record = await findRecord(reader, fromReference(id));
  if (record?.space !== space || !isIssued(record)) throw new AppError('NOT_FOUND');
  return record;
}

type ExamOfPatient = Pick<StoredItem, 'id' | 'patient_id' | 'metadata'>;

/** The exams of the patient of an exam: same id by the same issuer, oldest first. */
async function examsOfPatient(reader: Reader, space: string, { patient_id: patient, metadata }: ExamOfPatient) {
  const issuer = issuerIn(metadata);
  const items = await reader.find('items', { is: { space, patient }, limit: maxExams });
  return items.filter((item) => issuerIn(item.metadata) === issuer).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Finds the id of the Patient of an exam: that of the patient's oldest exam, so that all reports of a patient name the same. The exams
 * of a patient are read once.
 */
export function createPatientFinder(reader: Reader, space: string): (item: ExamOfPatient) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  return (item) => {
    const patient = JSON.stringify([item.patient_id, issuerIn(item.metadata)]);
    const found =
      known.get(patient) ??
      examsOfPatient(reader, space, item).then(([oldest = item]: readonly ExamOfPatient[]) => toFhirId(oldest.id));
    known.set(patient, found);
    return found;
  };
}

/** The exam by whose id the patient is named. NOT_FOUND if there is none. */
export async function readExam(reader: Reader, space: string, id: string): Promise<StoredItem> {
  const item = await reader.get('items', fromReference(id));
  if (item?.space !== space) throw new AppError('NOT_FOUND');
  return item;
}

export interface ReportQuery {
  readonly patient?: string;
  readonly 'patient.identifier'?: string;
  readonly 'based-on'?: string;
  readonly 'based-on.identifier'?: string;
  readonly identifier?: string;
  readonly _id?: string;
}

/** The issued reports that meet all conditions; `undefined`: there is no condition. */
export async function findReports(
  reader: Reader,
  space: string,
  query: ReportQuery,
): Promise<readonly ReportRecord[] | undefined> {
  const ofExams = async (items: readonly StoredItem[]): Promise<readonly ReportRecord[]> => {
    const found = await Promise.all(items.map(({ id: item }) => reader.find('records', { is: { space, item } })));
    return found.flat();
  };
  const byAccession = async (number: Identifier) => {
    // A number with an issuer is indexed alone as well.
    const indexed = [{ accession: number.value }, { issued: number.value }];
    const items = await Promise.all(
      indexed.map((is) => reader.find('items', { is: { space, ...is }, limit: maxExams })),
    );
    const unique = new Map(items.flat().map((item) => [item.id, item]));
    return ofExams([...unique.values()].filter((item) => hasNumber(item, number)));
  };
  const found = await Promise.all(
    [
      withValue(query.patient, async (id) => {
        const item = await reader.get('items', fromReference(id));
        return item?.space === space ? ofExams(await examsOfPatient(reader, space, item)) : [];
      }),
      withValue(query['patient.identifier'], async (text) => {
        const { system, value } = readIdentifier(text);
        const items = await reader.find('items', { is: { space, patient: value }, limit: maxExams });
        return ofExams(
          items.filter(({ metadata }) =>
            isOfSystem(system, [metadata?.['patient_id_system'], metadata?.['patient_id_issuer']]),
          ),
        );
      }),
      withValue(query['based-on'], async (id) => {
        const item = await reader.get('items', fromReference(id));
        return item?.space === space ? ofExams([item]) : [];
      }),
      withValue(query['based-on.identifier'], (text) => byAccession(readIdentifier(text))),
      withValue(query._id, async (id) => {
        const record = await findRecord(reader, fromReference(id));
        return record?.space === space ? [record] : [];
      }),
      withValue(query.identifier, async (text) => {
        const identifier = readIdentifier(text);
        const record = await findRecord(reader, identifier.value);
        return record?.space === space ? [record] : byAccession(identifier);
      }),
    ].filter((each) => each !== undefined),
  );
  const [first, ...others] = found;
  return first?.filter((record) => isIssued(record) && others.every((each) => each.some(({ id }) => id === record.id)));
}

const withValue = <T>(value: string | undefined, find: (value: string) => Promise<T>): Promise<T> | undefined =>
  value === undefined ? undefined : find(value);

interface Identifier {
  readonly system: string | undefined;
  readonly value: string;
}

function readIdentifier(text: string): Identifier {
  const at = text.indexOf('|');
  return at < 0 ? { system: undefined, value: text } : { system: text.slice(0, at), value: text.slice(at + 1) };
}

/** Whether the exam, or one of its orders, has that accession number. */
const hasNumber = ({ metadata, ...item }: StoredItem, { system, value }: Identifier): boolean =>
  (item.accession_number === value && isOfSystem(system, [metadata?.['accession_system'], item.accession_issuer])) ||
  additionalNumbers(metadata).some(
    (order) => order.accession_number === value && isOfSystem(system, [order.accession_issuer]),
  );

/** Whether the system of a number, or the name of who gave it, is the one that is asked for, if any is. */
function isOfSystem(system: string | undefined, names: readonly unknown[]): boolean {
  if (system === undefined) return true;
  const plain = (name: unknown): unknown => (typeof name === 'string' ? name.replace(/^urn:oid:/i, '') : name);
  return names.some((name) => name !== undefined && plain(name) === plain(system));
}

/**
 * Decides whose exam an item is. An item is refused where it names a patient other than the patient of the exam that it
 * matches, since two patients under one accession number must never become one. A sender who asks for the change
 * expressly moves the exam to the other patient. See patient-identity.ts.
 */
import type { FieldError } from '../../src/contract/errors.ts';
import type { HistoryEntry, IngestOutcome, WorklistItemInput } from '../../src/contract/worklist.ts';
import { matchPatient, patientFields } from '../../src/domain/patient-identity.ts';
import type { PatientField } from '../../src/domain/patient-identity.ts';
import type { Ids } from '../ids.ts';
import type { Documents } from '../store/collections.ts';
import type { Reader } from '../store/store.ts';
import type { CheckedItem } from './check-item.ts';
import type { Arrival } from './merge.ts';

type StoredItem = Documents['items'];
export type Warning = NonNullable<IngestOutcome['warnings']>[number];

export interface PatientVerdict {
  readonly problems: readonly FieldError[];
  /** The stored item into which the sent item is merged, without the data of a former patient. */
  readonly base: StoredItem;
  readonly warning: Warning | undefined;
  /** The sender does not know of a merge yet: what the item says of the patient is of before. */
  readonly isFormer?: true;
}

/** Fields of an exam that describe its patient but do not identify the patient. */
const furtherFacts = ['patient_sex', 'patient_age'] as const;

/** Compares the patient of a stored exam with the patient of an item that matches the exam. Rarely reads a document. */
export async function judgePatient(reader: Reader, stored: StoredItem, sent: CheckedItem): Promise<PatientVerdict> {
  // A field with an error of its own is reported by that error, not as another patient.
  const isAtFault = sent.errors.some(({ field }) => (patientFields as readonly string[]).includes(field));
  const match = isAtFault ? samePatient : matchPatient(stored, sent.fields as WorklistItemInput);
  if (match.patient === 'same') return { problems: none, base: stored, warning: undefined };
  if (!sent.instructions.accept_patient_change && (await wasGivenUp(reader, stored, sent.fields['patient_id'])))
    return { problems: none, base: stored, warning: undefined, isFormer: true };
  if (match.patient === 'corrected') {
    const message = `The patient was corrected: ${match.fields.map((field) => fieldNames[field]).join(', ')}.`;
    return { problems: none, base: stored, warning: { code: 'PATIENT_CORRECTED', message } };
  }
  const problem = sent.instructions.accept_patient_change
    ? ((await checkSignedDocument(reader, stored)) ?? checkComplete(sent))
    : mismatch(match.differs, stored, sent);
  if (problem) return { problems: [problem], base: stored, warning: undefined };
  return {
    problems: none,
    base: { ...stored, patient_birth_date: null, patient_sex: null, patient_age: null, metadata: null },
    warning: {
      code: 'PATIENT_CHANGED',
      message: `The exam is another patient’s now; the data of the former patient was removed.${inHand(stored)}`,
    },
  };
}

/** Why an exam has another id of its patient since a merge (HL7 ADT^A40 and their like). */
export const mergeReason = (event: string): string => `${merged}${event}).`;
const merged = 'The patient’s ids were merged (ADT^';

/** Whether a merge made the id that is sent another id of the exam's patient. A system may hear of a merge later than others. */
async function wasGivenUp(reader: Reader, { id, patient_id }: StoredItem, sent: unknown): Promise<boolean> {
  if (typeof sent !== 'string' || sent === patient_id) return false;
  const history = await reader.find('history', { is: { item: id } });
  const merges = history.filter(({ reason }) => reason?.startsWith(merged));
  return merges.some(({ changes }) => changes?.some(({ field, before }) => field === 'patient_id' && before === sent));
}

/** What an item of before a merge says of the exam, which keeps its patient. */
export function withoutPatient(sent: CheckedItem): CheckedItem {
  const { patient_id: _, patient_name, patient_birth_date, patient_sex, patient_age, ...fields } = sent.fields;
  const { patient_id_issuer, ...metadata } = (fields['metadata'] ?? {}) as Record<string, unknown>;
  const note = 'The patient’s id was given up by a merge; the exam keeps the patient of the merge.';
  return {
    ...sent,
    fields: { ...fields, ...(fields['metadata'] !== undefined && { metadata }) },
    notes: [...(sent.notes ?? []), note],
  };
}

/** Warns where somebody already works on the exam with the data of the former patient. */
function inHand({ record_id, status }: StoredItem): string {
  if (record_id !== null) return ' The exam has a draft: check whose it is.';
  return status === 'in_progress' ? ' Somebody is reporting on the exam: tell them.' : '';
}

const none: readonly FieldError[] = [];
const samePatient = { patient: 'same' } as const;

const fieldNames: Readonly<Record<PatientField, string>> = {
  patient_id: 'id',
  patient_name: 'name',
  patient_birth_date: 'birth date',
};

function mismatch(
  differs: readonly [PatientField, ...PatientField[]],
  stored: StoredItem,
  { fields }: CheckedItem,
): FieldError {
  const others =
    differs.length > 1
      ? `${differs.map((field) => fieldNames[field]).join(' and ')} differ`
      : `the id differs${formatDifference(stored.patient_id, String(fields['patient_id']))}, and name and birth date do not show that it is the same patient`;
  return {
    field: differs[0],
    message: `the exam with this accession number or study UID is another patient’s: ${others}`,
    code: 'PATIENT_MISMATCH',
  };
}

/** Says where two ids differ only as spreadsheets and forms change ids: the person who mends the file wants to know. */
function formatDifference(stored: string, sent: string): string {
  const bare = (id: string): string => id.replace(/^0+|[\s.-]/g, '').toUpperCase();
  return bare(stored) === bare(sent) ? ' in zeros, spaces, dashes or capitals alone' : '';
}

/**
 * A signed document belongs to the patient for whom it was signed. Gives the error where the exam has such a document.
 */
async function checkSignedDocument(reader: Reader, { record_id: id }: StoredItem): Promise<FieldError | undefined> {
  const record = id === null ? undefined : await reader.get('records', id);
  if (!record || record.status === 'draft') return undefined;
  return {
    field: 'patient_id',
    message: 'the exam is another patient’s and has a signed document, which cannot become this patient’s',
    code: 'PATIENT_MISMATCH',
  };
}

/**
 * The item must bring the id and the name of the new patient: an exam needs both, and no data of the former patient may
 * stay.
 */
function checkComplete({ fields }: CheckedItem): FieldError | undefined {
  const missing = (['patient_id', 'patient_name'] as const).find((name) => fields[name] === undefined);
  if (missing === undefined) return undefined;
  return {
    field: missing,
    message: `${missing} is required where another patient is accepted`,
    code: 'FIELD_REQUIRED',
  };
}

/** The history entry for a patient who was corrected or changed. */
export function patientEntry(
  ids: Ids,
  before: StoredItem,
  after: StoredItem,
  warning: Warning,
  { who, at, source_system }: Arrival,
): HistoryEntry & { space: string; item_id: string } {
  const changed = [...patientFields, ...furtherFacts].filter((field) => before[field] !== after[field]);
  return {
    id: ids('his'),
    item_id: after.id,
    space: after.space,
    at,
    who,
    from: after.status,
    to: after.status,
    reason: warning.message,
    source_system,
    changes: changed.map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null })),
  };
}

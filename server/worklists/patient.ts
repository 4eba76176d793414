/**
 * Whose exam it is. An item that names another patient than the exam it matches is refused, since two patients under one
 * accession number must never become one; who asks for it expressly has the exam taken over. See patient-identity.ts.
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
  /** What the item is merged into: without what was known of a former patient. */
  readonly base: StoredItem;
  readonly warning: Warning | undefined;
}

/** What an exam says about its patient besides what the patient is told by. */
const furtherFacts = ['patient_sex', 'patient_age'] as const;

/** Compares the patient of a stored exam with that of an item that matches it. Reads a document in rare cases alone. */
export async function judgePatient(reader: Reader, stored: StoredItem, sent: CheckedItem): Promise<PatientVerdict> {
  // What is wrong with a field is told as such.
  const isAtFault = sent.errors.some(({ field }) => (patientFields as readonly string[]).includes(field));
  const match = isAtFault ? sameAsEver : matchPatient(stored, sent.fields as WorklistItemInput);
  if (match.patient === 'same') return { problems: none, base: stored, warning: undefined };
  if (match.patient === 'corrected') {
    const message = `The patient was corrected: ${match.fields.map((field) => words[field]).join(', ')}.`;
    return { problems: none, base: stored, warning: { code: 'PATIENT_CORRECTED', message } };
  }
  const problem = sent.instructions.accept_patient_change
    ? ((await signedDocument(reader, stored)) ?? incomplete(sent))
    : mismatch(match.differs, stored, sent);
  if (problem) return { problems: [problem], base: stored, warning: undefined };
  return {
    problems: none,
    base: { ...stored, patient_birth_date: null, patient_sex: null, patient_age: null, metadata: null },
    warning: {
      code: 'PATIENT_CHANGED',
      message: `The exam is another patient’s now; what was known of the former one is gone.${inHand(stored)}`,
    },
  };
}

/** Who was told of the former patient already. */
function inHand({ record_id, status }: StoredItem): string {
  if (record_id !== null) return ' It has a draft: see whose it is.';
  return status === 'in_progress' ? ' Somebody reports on it: see that they know.' : '';
}

const none: readonly FieldError[] = [];
const sameAsEver = { patient: 'same' } as const;

const words: Readonly<Record<PatientField, string>> = {
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
      ? `${differs.map((field) => words[field]).join(' and ')} differ`
      : `the id differs${manner(stored.patient_id, String(fields['patient_id']))}, and name and birth date do not show that it is the same one`;
  return {
    field: differs[0],
    message: `the exam with this accession number or study UID is another patient’s: ${others}`,
    code: 'PATIENT_MISMATCH',
  };
}

/** What a spreadsheet or a form does to ids: the person who mends the file wants to know. */
function manner(one: string, other: string): string {
  const bare = (id: string): string => id.replace(/^0+|[\s.-]/g, '').toUpperCase();
  return bare(one) === bare(other) ? ' in zeros, spaces, dashes or capitals alone' : '';
}

/** A signed document is about the patient it was signed for. */
async function signedDocument(reader: Reader, { record_id: id }: StoredItem): Promise<FieldError | undefined> {
  const record = id === null ? undefined : await reader.get('records', id);
  if (record?.status !== 'final') return undefined;
  return {
    field: 'patient_id',
    message: 'the exam is another patient’s and has a signed document, which cannot become this patient’s',
    code: 'PATIENT_MISMATCH',
  };
}

/** Nothing of the former patient may stay, and an exam has to have an id and a name. */
function incomplete({ fields }: CheckedItem): FieldError | undefined {
  const missing = (['patient_id', 'patient_name'] as const).find((name) => fields[name] === undefined);
  if (missing === undefined) return undefined;
  return {
    field: missing,
    message: `${missing} is required where another patient is accepted`,
    code: 'FIELD_REQUIRED',
  };
}

/** What the history tells of a patient who was corrected or changed. */
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

/**
 * What a patient's system says of a patient, applied to the exams that are stored: facts that changed (HL7 ADT^A08, A31) and ids
 * that turned out to be one person's (A40, A34). Both leave an entry in the history of each exam.
 */
import type { MessageChanges, MessageError } from '../../src/contract/channel.ts';
import type { FieldError } from '../../src/contract/errors.ts';
import { normaliseItem } from '../../src/domain/normalise.ts';
import type { NormalisedItem } from '../../src/domain/normalise.ts';
import { matchPatient } from '../../src/domain/patient-identity.ts';
import { isSameName } from '../../src/domain/same-name.ts';
import { isTestPatientName } from '../../src/domain/test-data.ts';
import { isOver } from '../../src/domain/worklist-state.ts';
import type { NamedPatient, PatientReading } from '../../src/worklist-files/reading.ts';
import type { Ids } from '../ids.ts';
import type { Documents } from '../store/collections.ts';
import type { Transaction } from '../store/store.ts';
import type { CheckedItem, ItemRules } from './check-item.ts';
import { updatedItem } from './merge.ts';
import type { Arrival } from './merge.ts';
import { mergeReason, patientEntry } from './patient.ts';
import { putItem } from './put-item.ts';

export interface PatientOutcome {
  readonly changes: MessageChanges;
  readonly warnings: string[];
  readonly refused: MessageError[];
}

type StoredItem = Documents['items'];
type Identity = Pick<NamedPatient, 'patient_id' | 'patient_id_issuer'>;

/** Of an exam that is over a merge changes the id alone: its document was signed with the facts of then. */
export async function changePatient(
  tx: Transaction,
  ids: Ids,
  { event, patient, merged }: PatientReading,
  { arrival, rules }: { readonly arrival: Arrival; readonly rules: ItemRules },
): Promise<PatientOutcome> {
  const { patient_id_issuer: issuer, ...facts } = patient;
  const sent = checked(normaliseItem(facts)!, issuer, rules);
  if (sent.errors.length > 0) return refusal(sent.errors);
  const former = merged ?? patient;
  const found = await examsOf(tx, arrival.space, former);
  if (former.patient_id_issuer === undefined && issuersIn(found).size > 1)
    return refusal([ambiguous(merged !== undefined)]);
  const named = found.filter((exam) => isOf(exam, patient, merged));
  const exams = named.filter((exam) => merged || !isOver(exam.status));
  let updated = 0;
  for (const exam of exams) {
    const { patient_id } = sent.fields;
    const said = isOver(exam.status) ? { ...sent, fields: { patient_id, metadata: sent.fields['metadata'] } } : sent;
    const after = updatedItem(exam, withoutAbsent(said), arrival);
    if (after === exam) continue;
    updated += 1;
    const message = merged ? mergeReason(event) : `The patient was corrected (ADT^${event}).`;
    putItem(tx, after, 'updated');
    tx.put('history', patientEntry(ids, exam, after, { code: 'PATIENT_CORRECTED', message }, arrival));
  }
  const warnings = exams.length > 0 ? [] : ['No open exam of that patient is stored: there was nothing to change.'];
  if (named.length < found.length)
    warnings.push('Exams of that id that may be of another patient were left: one side names no issuer.');
  return { changes: { inserted: 0, updated, deduped: exams.length - updated, statuses: 0 }, warnings, refused: [] };
}

const refusal = (errors: readonly FieldError[]): PatientOutcome => ({
  changes: { inserted: 0, updated: 0, deduped: 0, statuses: 0 },
  warnings: [],
  refused: errors.map(({ code, message, field }) => ({ code, message, ...(field !== '' && { place: field }) })),
});

/** A patient's facts are checked as those of an exam are, without the identifiers that only an exam has. */
function checked(
  normalised: NormalisedItem,
  issuer: string | undefined,
  { validate, testMode }: ItemRules,
): CheckedItem {
  const fields = { ...normalised.fields, ...(issuer !== undefined && { metadata: { patient_id_issuer: issuer } }) };
  const errors = validate(fields);
  const name = fields['patient_name' as keyof typeof fields] as unknown;
  if (testMode && typeof name === 'string' && !isTestPatientName(name)) {
    const message = 'test clients may only send test patients, for example Test Patient or TESTE^PACIENTE';
    errors.push({ field: 'patient_name', message, code: 'TEST_DATA_REQUIRED' });
  }
  return { fields, extra: undefined, instructions: { keep_absent: true }, errors };
}

const withoutAbsent = (sent: CheckedItem): CheckedItem => ({
  ...sent,
  fields: Object.fromEntries(Object.entries(sent.fields).filter(([, value]) => value !== undefined)),
});

const issuerOf = ({ metadata }: StoredItem): string | undefined => {
  const issuer = metadata?.['patient_id_issuer'];
  return typeof issuer === 'string' ? issuer : undefined;
};
const issuersIn = (exams: readonly StoredItem[]): ReadonlySet<string> =>
  new Set(exams.flatMap((exam) => issuerOf(exam) ?? []));

const ambiguous = (isMerge: boolean): FieldError => ({
  field: 'patient_id',
  message: `Patients of several issuers have this id; name the issuer (${isMerge ? 'MRG-1.4' : 'PID-3.4'}).`,
  code: 'IDENTIFIER_CONFLICT',
});

/**
 * Where one side names no issuer, more than the id has to agree: with a merge the name that is given up, with a change the name or
 * the birth date.
 */
const isOf = (exam: StoredItem, patient: NamedPatient, merged: PatientReading['merged']): boolean => {
  const { patient_id_issuer: issuer, patient_name: name } = merged ?? patient;
  if ((issuer === undefined) === (issuerOf(exam) === undefined)) return true;
  if (merged) return name === undefined || isSameName(exam.patient_name, name);
  return matchPatient(exam, patient).patient !== 'another';
};

/** The exams of whoever has that id from that issuer; where one side names no issuer, the id decides. */
async function examsOf(
  tx: Transaction,
  space: string,
  { patient_id, patient_id_issuer }: Identity,
): Promise<StoredItem[]> {
  const found = await tx.find('items', { is: { space, patient: patient_id } });
  return found.filter((exam) => {
    const issuer = issuerOf(exam);
    return patient_id_issuer === undefined || issuer === undefined || issuer === patient_id_issuer;
  });
}

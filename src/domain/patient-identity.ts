/** Whether an item names the same patient as the stored exam (contract: Worklists, Identity). */
import type { WorklistItem, WorklistItemInput } from '../contract/worklist.ts';
import { isSameName } from './same-name.ts';

/** Fields that distinguish one patient from another. */
export const patientFields = ['patient_id', 'patient_name', 'patient_birth_date'] as const;
export type PatientField = (typeof patientFields)[number];

/** The metadata may name the issuer of the id (`patient_id_issuer`). */
type StoredIdentity = Pick<WorklistItem, PatientField> & Partial<Pick<WorklistItem, 'metadata'>>;
type SentIdentity = Pick<WorklistItemInput, PatientField | 'metadata'>;

export type PatientMatch =
  | { readonly patient: 'same' }
  /** The same patient, with a correction of stored fields. */
  | { readonly patient: 'corrected'; readonly fields: readonly PatientField[] }
  /** Another patient; `differs` lists the fields that show it. */
  | { readonly patient: 'another'; readonly differs: readonly [PatientField, ...PatientField[]] };

/**
 * Another id makes another patient, unless name and birth date are known to be the same. Another name together with
 * another birth date, or with another issuer of the id, makes another patient too. A field that the item omits or
 * clears shows nothing.
 */
export function matchPatient(stored: StoredIdentity, sent: SentIdentity): PatientMatch {
  if (patientFields.every((name) => sent[name] === undefined || sent[name] === stored[name])) return same;
  const isOtherId = isOther('patient_id', stored, sent);
  const hasName = isSameName(stored.patient_name, sent.patient_name ?? '');
  const isOtherName = isOther('patient_name', stored, sent) && !hasName;
  const isOtherBirth = isOther('patient_birth_date', stored, sent);
  const differs: PatientField[] = [
    ...(isOtherId ? ['patient_id' as const] : []),
    ...(isOtherName ? ['patient_name' as const] : []),
    ...(isOtherBirth ? ['patient_birth_date' as const] : []),
  ];
  const [first, ...others] = differs;
  if (first === undefined) return same;
  const isProved = hasName && Boolean(sent.patient_birth_date) && sent.patient_birth_date === stored.patient_birth_date;
  const isAnother = isOtherId ? !isProved : isOtherName && (isOtherBirth || isOtherIssuer(stored, sent));
  return isAnother ? { patient: 'another', differs: [first, ...others] } : { patient: 'corrected', fields: differs };
}

/** Two hospitals may give the same number to two patients, who may be born on one day. */
function isOtherIssuer(stored: StoredIdentity, sent: SentIdentity): boolean {
  const [known, named] = [stored, sent].map(({ metadata }) => metadata?.['patient_id_issuer']);
  return Boolean(known) && Boolean(named) && known !== named;
}

const same: PatientMatch = { patient: 'same' };

/** Whether both values are known and differ. */
const isOther = (field: PatientField, stored: StoredIdentity, sent: SentIdentity): boolean =>
  Boolean(sent[field]) && Boolean(stored[field]) && sent[field] !== stored[field];

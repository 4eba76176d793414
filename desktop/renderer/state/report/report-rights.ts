/**
 * The person's rights to a report, by the role that the operator assigned: who edits it, and what a signature means.
 */
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import { signsAs, findStanding } from '../../../../src/domain/signing-rules.ts';
import type { Standing } from '../../../../src/domain/signing-rules.ts';
import { role, unsigned, userName } from '../session.ts';

export const getStanding = ({ preliminary }: MedicalRecord): Standing =>
  findStanding(role.value ?? undefined, preliminary?.by === userName.value);

/**
 * Whether the person signed it and the service does not have the signature yet. It is not signed, and can't be edited
 * here.
 */
export const isSignatureWaiting = ({ id }: Pick<MedicalRecord, 'id'>): boolean => unsigned.value.has(id);

/** Whether the person can edit the text as it is: a resident makes a preliminary report a draft first. */
export const mayChange = ({ id, status, signing }: MedicalRecord): boolean =>
  signing === undefined &&
  !isSignatureWaiting({ id }) &&
  (status === 'draft' || (status === 'preliminary' && role.value === 'attending'));

/** The effect of a signature in its grace period, as far as the page knows; an addendum has one, too. */
export type PendingKind = 'preliminary' | 'final' | 'addendum';
export function getPendingKind({ status, signing }: MedicalRecord): PendingKind {
  if (status === 'final' && signing !== undefined) return 'addendum';
  return status === 'draft' && signing?.by === userName.value ? signsAs(role.value) : 'final';
}

/** The effect of this person's signature on the report. */
export function getSignatureKind({ status }: MedicalRecord): 'preliminary' | 'cosign' | 'final' {
  if (status === 'preliminary') return 'cosign';
  return signsAs(role.value);
}

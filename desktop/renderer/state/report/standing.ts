/** What the person at this page is to a report, by the role that the operator gave: who changes it, and what a signature makes of it. */
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import { signsAs, findStanding } from '../../../../src/domain/signing-rules.ts';
import type { Standing } from '../../../../src/domain/signing-rules.ts';
import { role, unsigned, userName } from '../session.ts';

export const standingTo = ({ preliminary }: MedicalRecord): Standing =>
  findStanding(role.value ?? undefined, preliminary?.by === userName.value);

/** Whether the person has signed it and the service does not have that yet. It is not signed, and nobody changes it here. */
export const isSignatureWaiting = ({ id }: Pick<MedicalRecord, 'id'>): boolean => unsigned.value.has(id);

/** Whether the person changes the words as they stand: a resident makes a preliminary report a draft first. */
export const mayChange = ({ id, status, signing }: MedicalRecord): boolean =>
  signing === undefined &&
  !isSignatureWaiting({ id }) &&
  (status === 'draft' || (status === 'preliminary' && role.value === 'attending'));

/** What the signature of the person is to this report. */
export function signatureOn({ status }: MedicalRecord): 'preliminary' | 'cosign' | 'final' {
  if (status === 'preliminary') return 'cosign';
  return signsAs(role.value);
}

/** Signatures: the caller's standing, the stored signer, and the consequences for the exam. */
import type { Signer } from '../../src/contract/admin.ts';
import type { RecordVersion } from '../../src/contract/record-version.ts';
import { refusedForFinal } from '../../src/domain/record-state.ts';
import { findStanding, decideStep } from '../../src/domain/signing-rules.ts';
import type { Standing, Step } from '../../src/domain/signing-rules.ts';
import type { Call } from '../http/call.ts';
import type { Reader, Transaction } from '../storage/store.ts';
import { getPersonId } from '../http/caller.ts';
import type { Mover } from '../worklists/item-status.ts';
import { completeExam, holdExam, linkExam, returnExam } from './exam.ts';
import type { SignatureDeps } from './exam.ts';
import { checkNotSigning } from './stored-record.ts';
import type { OpenRecord, SettledRecord, StoredRecord } from './stored-record.ts';

/** The caller's standing towards the record, by role. */
export async function readStanding(
  reader: Reader,
  { signatory_id }: Pick<StoredRecord, 'signatory_id'>,
  { caller: { user } }: Pick<Call, 'caller'>,
): Promise<Standing> {
  if (!user) return 'nobody';
  const { role } = (await reader.get('users', user.id)) ?? {};
  return findStanding(role, signatory_id === user.id);
}

/** 409 if the record cannot be edited: it is final or in its grace period. */
export function checkOpen(record: StoredRecord): asserts record is OpenRecord {
  if (record.status === 'final') throw refusedForFinal();
  checkNotSigning(record);
}

/** The step that an edit by the caller makes. 403 if only others may edit. */
export const decideEdit = async (reader: Reader, record: OpenRecord, call: Call): Promise<Step> =>
  decideStep(record.status, 'change', await readStanding(reader, record, call));

/** The signer's role, licence and place at the time of signing; later changes don't affect signed reports. */
export async function readSigner(reader: Reader, { caller }: Call): Promise<Signer> {
  const what = 'signs a document, and adds to a signed document';
  const { id } = getPersonId(caller, what, 'Leave the document a draft; the physician signs it.');
  const { role, licence, place } = (await reader.get('users', id)) ?? {};
  return { ...(role && { role }), ...(licence !== undefined && { licence }), ...(place !== undefined && { place }) };
}

/** Updates the exam after a step and announces the report. `before`: the record before the step. */
export async function applyTransition(
  tx: Transaction,
  services: SignatureDeps,
  { before, record, change }: { before: SettledRecord; record: SettledRecord; change: RecordVersion['change'] },
  mover: Mover,
): Promise<void> {
  if (record.status !== before.status) await linkExam(tx, services, record);
  if (record.status === 'final') await completeExam(tx, services, { record, change }, mover);
  if (change === 'preliminary') await holdExam(tx, services, record, mover);
  if (before.status === 'preliminary' && record.status === 'draft')
    await returnExam(tx, services, { before, record }, mover);
}

/** Signatures of a document: in which standing somebody acts, what the document keeps of a signature, and what follows for its exam. */
import type { Signer } from '../../src/contract/admin.ts';
import type { SentBack } from '../../src/contract/document.ts';
import type { RecordVersion } from '../../src/contract/record-version.ts';
import { refusedForFinal } from '../../src/domain/record-state.ts';
import { standingOf, stepOf } from '../../src/domain/signing-rules.ts';
import type { Standing, Step } from '../../src/domain/signing-rules.ts';
import type { Call } from '../http/call.ts';
import type { Reader, Transaction } from '../storage/store.ts';
import { personOf } from '../http/caller.ts';
import type { Mover } from '../worklists/item-status.ts';
import { completeExam, formerReport, holdExam, linkExam, returnExam } from './exam.ts';
import type { Ending } from './exam.ts';
import { refuseWhileSigning } from './stored-record.ts';
import type { StoredRecord } from './stored-record.ts';

/** What the caller is to the document, by the role that the operator gave. */
export async function standingTo(
  reader: Reader,
  { signatory_id }: Pick<StoredRecord, 'signatory_id'>,
  { caller: { user } }: Pick<Call, 'caller'>,
): Promise<Standing> {
  if (!user) return 'nobody';
  const { role } = (await reader.get('users', user.id)) ?? {};
  return standingOf(role, signatory_id === user.id);
}

/** What becomes of the document where the caller changes its words. 409 where it is final, 403 where others change it. */
export async function stepOfChange(reader: Reader, record: StoredRecord, call: Call): Promise<Step> {
  if (record.status === 'final') throw refusedForFinal();
  refuseWhileSigning(record);
  return stepOf(record.status, 'change', await standingTo(reader, record, call));
}

/**
 * Who signs, in which role, under which licence and where, at the time of signing: a later change of these leaves signed
 * documents as they are.
 */
export async function signerOf(reader: Reader, { caller }: Call): Promise<Signer> {
  const what = 'signs a document, and adds to a signed document';
  const { id } = personOf(caller, what, 'Leave the document a draft; the physician signs it.');
  const { role, licence, place } = (await reader.get('users', id)) ?? {};
  return { ...(role && { role }), ...(licence !== undefined && { licence }), ...(place !== undefined && { place }) };
}

/** The document with what it keeps of the step: a signature, or that the signature is gone. */
export function withStep(
  record: StoredRecord,
  { status, change }: Step,
  { by, at }: Pick<SentBack, 'by' | 'at'>,
  { user, note }: { readonly user: { readonly id: string } | null; readonly note?: string | undefined },
): StoredRecord {
  if (change === 'edited') return { ...record, status };
  const { sent_back: _request, ...answered } = record;
  if (change === 'signed') return { ...answered, status };
  const { preliminary: _signature, signatory_id: _signatory, ...unsigned } = answered;
  if (change === 'reopened') return { ...unsigned, status };
  if (change === 'sent_back')
    return { ...unsigned, status, sent_back: { by, at, ...(note !== undefined && { note }) } };
  return {
    ...unsigned,
    status,
    preliminary: { by, at, version: record.version },
    ...(user && { signatory_id: user.id }),
  };
}

/** The signed document with the one that its exam had: whoever receives both must know the second for a correction. */
export async function withReplaced(tx: Transaction, record: StoredRecord): Promise<StoredRecord> {
  const replaces = record.status === 'final' ? await formerReport(tx, record) : undefined;
  return replaces ? { ...record, replaces } : record;
}

/** Brings the exam after its document, and announces what became of the document. `before`: as it was. */
export async function followStep(
  tx: Transaction,
  services: Ending,
  { before, record, change }: { before: StoredRecord; record: StoredRecord; change: RecordVersion['change'] },
  mover: Mover,
): Promise<void> {
  if (record.status !== before.status) await linkExam(tx, services, record);
  if (record.status === 'final') await completeExam(tx, services, { record, told: change }, mover);
  if (change === 'preliminary') await holdExam(tx, services, record, mover);
  if (before.status === 'preliminary' && record.status === 'draft')
    await returnExam(tx, services, { before, record }, mover);
}

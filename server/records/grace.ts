/**
 * A signature with a grace period: it begins, becomes final, or is taken back. Each step is one transaction, so that
 * the first of concurrent steps wins.
 */
import type { MedicalRecord } from '../../src/contract/document.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { RecordUpdate } from '../../src/contract/record.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { isSameContent, refusedForFinal } from '../../src/domain/record-state.ts';
import type { Call } from '../http/call.ts';
import { etagOf } from '../http/versions.ts';
import type { RecordDeps } from './deps.ts';
import type { Transaction } from '../storage/store.ts';
import { getPersonId } from '../http/caller.ts';
import { findPreviousReport, linkExam, createMover, findCompletionRefusal } from './exam.ts';
import type { SignatureDeps } from './exam.ts';
import {
  beginSignature,
  isSigning,
  outcomeOf,
  signFinally,
  signPreliminary,
  withoutPending,
} from './signature-state.ts';
import { applyTransition } from './signing.ts';
import type { Maker, ReviewState } from './review.ts';
import { putUnversioned, putRecord, readRecord, signingRefusal, toRecord, versionId } from './stored-record.ts';
import type { OpenRecord, SigningRecord, StoredRecord, StoredVersion } from './stored-record.ts';

/** The future signature and its grace period. */
interface SignatureStart {
  /** The findings after the signer's review. */
  readonly reviewed: ReviewState;
  /** The status after the grace period. */
  readonly as: 'preliminary' | 'final';
  readonly version: Pick<StoredVersion, 'signer' | 'open_findings'>;
  readonly seconds: number;
}

/** Begins a signature. INVALID_TRANSITION if the exam was cancelled. */
export async function startGrace(
  tx: Transaction,
  services: Pick<RecordDeps, 'clock'>,
  record: OpenRecord,
  { reviewed, as, version, seconds }: SignatureStart,
  maker: Maker,
  call: Call,
): Promise<StoredRecord> {
  const refusal = await findCompletionRefusal(tx, record);
  if (refusal) throw refusal;
  const { id: user_id } = getPersonId(
    call.caller,
    'signs a document',
    'Leave the document a draft; the physician signs it.',
  );
  const final_at = new Date(services.clock.now() + seconds * 1000).toISOString();
  const signing = beginSignature(record, {
    as,
    signing: { ...maker, final_at },
    pending: { user_id, source_system: createMover(call).source_system ?? null, ...version, ...reviewed },
  });
  putUnversioned(tx, signing, 'signing');
  await linkExam(tx, services, signing);
  return signing;
}

/**
 * Updates a record in its grace period: the same signature changes nothing, one without a grace period completes it,
 * and any other change is refused.
 */
export async function updatePendingSignature(
  tx: Transaction,
  services: SignatureDeps,
  record: SigningRecord,
  update: RecordUpdate,
  call: Call,
): Promise<StoredRecord> {
  if (!isSameContent(record, update)) throw signingRefusal(record);
  if (update.status === undefined || update.status === record.status) return record;
  if (update.status !== outcomeOf(record) || !isSigner(record, call)) throw signingRefusal(record);
  return (update.grace_seconds ?? 0) > 0 ? record : completeSignature(tx, services, record);
}

const isSigner = ({ pending_signature }: SigningRecord, { caller }: Call): boolean =>
  caller.user !== null && caller.user.id === pending_signature.user_id;

/**
 * Makes the record final or preliminary, updates its exam unless it was cancelled meanwhile, and announces the result.
 */
export async function completeSignature(
  tx: Transaction,
  services: SignatureDeps,
  signing: SigningRecord,
): Promise<StoredRecord> {
  const before = withoutPending(signing);
  const { user_id, as: _as, source_system, findings_to_review, dismissals, ...kept } = signing.pending_signature;
  const who = signing.signing.by;
  const at = isoNow(services.clock);
  const next: OpenRecord = {
    ...before,
    ...(findings_to_review && { findings_to_review }),
    ...(dismissals && { dismissals }),
    version: before.version + 1,
    updated_at: at,
  };
  const isFinal = outcomeOf(signing) === 'final';
  const change = isFinal ? 'signed' : 'preliminary';
  const record = isFinal
    ? signFinally(next, await findPreviousReport(tx, next))
    : signPreliminary(next, { by: who, at, id: user_id });
  const { provenance } = (await tx.get('versions', versionId(before.id, before.version))) ?? {};
  putRecord(tx, record, { who, change, ...(provenance && { provenance }), ...kept });
  if (await findCompletionRefusal(tx, record)) await linkExam(tx, services, record);
  else await applyTransition(tx, services, { before, record, change }, { who, holder: who, source_system });
  return record;
}

/** Takes the signature back. A record without a signature is unchanged; 409 for a final one. */
export async function takeBack(
  services: Pick<RecordDeps, 'clock'>,
  id: string,
  call: Call,
): Promise<{ status: 200; data: MedicalRecord; headers: Record<string, string> }> {
  return call.commit(async (tx) => {
    const present = await readRecord(tx, call.caller.space, id);
    const record = isSigning(present) ? await removeSignature(tx, services, present, call) : present;
    if (record.status === 'final') throw refusedForFinal();
    return { status: 200, data: toRecord(record), headers: { ETag: etagOf(record) } };
  });
}

async function removeSignature(
  tx: Transaction,
  services: Pick<RecordDeps, 'clock'>,
  signing: SigningRecord,
  call: Call,
): Promise<StoredRecord> {
  if (!isSigner(signing, call)) {
    throw new AppError('FORBIDDEN', { message: 'Only the user who signed the document can take the signature back.' });
  }
  const record = withoutPending(signing);
  putUnversioned(tx, record, 'taken_back');
  await linkExam(tx, services, record);
  return record;
}

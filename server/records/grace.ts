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
import { personOf } from '../http/caller.ts';
import { formerReport, linkExam, moverBy, refusalToComplete } from './exam.ts';
import type { Ending } from './exam.ts';
import {
  beginSignature,
  isSigning,
  outcomeOf,
  signFinally,
  signPreliminary,
  withoutPending,
} from './signature-state.ts';
import { followStep } from './signing.ts';
import type { Maker, Reviewed } from './review.ts';
import { putBesideVersions, putRecord, readRecord, refusedWhileSigning, toRecord, versionId } from './stored-record.ts';
import type { OpenRecord, SigningRecord, StoredRecord, StoredVersion } from './stored-record.ts';

/** The future signature and its grace period. */
interface Begun {
  /** The findings after the signer's review. */
  readonly reviewed: Reviewed;
  /** The status after the grace period. */
  readonly as: 'preliminary' | 'final';
  readonly version: Pick<StoredVersion, 'signer' | 'open_findings'>;
  readonly seconds: number;
}

/** Begins a signature. INVALID_TRANSITION if the exam was cancelled. */
export async function beginSigning(
  tx: Transaction,
  services: Pick<RecordDeps, 'clock'>,
  record: OpenRecord,
  { reviewed, as, version, seconds }: Begun,
  maker: Maker,
  call: Call,
): Promise<StoredRecord> {
  const refusal = await refusalToComplete(tx, record);
  if (refusal) throw refusal;
  const { id: user_id } = personOf(
    call.caller,
    'signs a document',
    'Leave the document a draft; the physician signs it.',
  );
  const final_at = new Date(services.clock.now() + seconds * 1000).toISOString();
  const signing = beginSignature(record, {
    as,
    signing: { ...maker, final_at },
    pending: { user_id, source_system: moverBy(call).source_system ?? null, ...version, ...reviewed },
  });
  putBesideVersions(tx, signing, 'signing');
  await linkExam(tx, services, signing);
  return signing;
}

/**
 * Updates a record in its grace period: the same signature changes nothing, one without a grace period completes it,
 * and any other change is refused.
 */
export async function updateSigning(
  tx: Transaction,
  services: Ending,
  record: SigningRecord,
  update: RecordUpdate,
  call: Call,
): Promise<StoredRecord> {
  if (!isSameContent(record, update)) throw refusedWhileSigning(record);
  if (update.status === undefined || update.status === record.status) return record;
  if (update.status !== outcomeOf(record) || !isSigner(record, call)) throw refusedWhileSigning(record);
  return (update.grace_seconds ?? 0) > 0 ? record : endSigning(tx, services, record);
}

const isSigner = ({ pending_signature }: SigningRecord, { caller }: Call): boolean =>
  caller.user !== null && caller.user.id === pending_signature.user_id;

/**
 * Makes the record final or preliminary, updates its exam unless it was cancelled meanwhile, and announces the result.
 */
export async function endSigning(tx: Transaction, services: Ending, signing: SigningRecord): Promise<StoredRecord> {
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
    ? signFinally(next, await formerReport(tx, next))
    : signPreliminary(next, { by: who, at, id: user_id });
  const { provenance } = (await tx.get('versions', versionId(before.id, before.version))) ?? {};
  putRecord(tx, record, { who, change, ...(provenance && { provenance }), ...kept });
  if (await refusalToComplete(tx, record)) await linkExam(tx, services, record);
  else await followStep(tx, services, { before, record, change }, { who, holder: who, source_system });
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
    const record = isSigning(present) ? await withoutSigning(tx, services, present, call) : present;
    if (record.status === 'final') throw refusedForFinal();
    return { status: 200, data: toRecord(record), headers: { ETag: etagOf(record) } };
  });
}

async function withoutSigning(
  tx: Transaction,
  services: Pick<RecordDeps, 'clock'>,
  signing: SigningRecord,
  call: Call,
): Promise<StoredRecord> {
  if (!isSigner(signing, call)) {
    throw new AppError('FORBIDDEN', { message: 'Only the user who signed the document takes the signature back.' });
  }
  const record = withoutPending(signing);
  putBesideVersions(tx, record, 'taken_back');
  await linkExam(tx, services, record);
  return record;
}

/**
 * The signature state of a record as a union, and the functions that lead from one state to another: an invalid step
 * does not compile. src/domain/signing-rules.ts decides who may request a step.
 *
 *     draft ── sign ──► preliminary ── co-sign ──► final
 *       ▲ └─────────────── sign ─────────────────►  │ └─ addendum: stays final
 *       └── reopen, send back ──┘
 *
 * A draft or preliminary record can be `signing` meanwhile: signed, within the grace period.
 */
import type { SentBack, Signing } from '../../src/contract/document.ts';
import type { Step } from '../../src/domain/signing-rules.ts';
import type { Documents } from '../storage/collections.ts';

type StoredDocument = Documents['records'];
type StateField = 'status' | keyof Absent;

/** The fields of a record apart from its state. */
export type RecordBody = Omit<StoredDocument, StateField>;

/** Fields that a state doesn't have. */
interface Absent {
  signing?: never;
  pending_signature?: never;
  preliminary?: never;
  signatory_id?: never;
  sent_back?: never;
  replaces?: never;
}
type State<Fields> = RecordBody & Fields & Omit<Absent, keyof Fields>;

type Preliminary = NonNullable<StoredDocument['preliminary']>;
type Pending = NonNullable<StoredDocument['pending_signature']>;

/** `sent_back`: the attending's request, which the next signature answers. */
interface DraftFields {
  status: 'draft';
  sent_back?: SentBack;
}
/** `signatory_id`: the resident who signed as `preliminary`. */
interface PreliminaryFields {
  status: 'preliminary';
  preliminary: Preliminary;
  signatory_id?: string;
}
/** `replaces`: the previous report that receivers have. */
interface FinalFields {
  status: 'final';
  preliminary?: Preliminary;
  signatory_id?: string;
  replaces?: NonNullable<StoredDocument['replaces']>;
}
/** A signature in its grace period. Only a draft becomes preliminary (`as`). */
interface SignatureOfDraft {
  signing: Signing;
  pending_signature: Pending;
}
interface Cosignature {
  signing: Signing;
  pending_signature: FinalPending;
}
/** A pending signature that makes the record final. */
export type FinalPending = Omit<Pending, 'as'> & { as?: never };

export type DraftRecord = State<DraftFields>;
export type PreliminaryRecord = State<PreliminaryFields>;
export type FinalRecord = State<FinalFields>;
/** A record in its grace period. */
export type SigningRecord = State<DraftFields & SignatureOfDraft> | State<PreliminaryFields & Cosignature>;

/** A record whose signature and content can change. */
export type OpenRecord = DraftRecord | PreliminaryRecord;
/** A record without a pending signature. */
export type SettledRecord = OpenRecord | FinalRecord;
export type StoredRecord = SettledRecord | SigningRecord;

export const isSigning = (record: StoredRecord): record is SigningRecord => record.signing !== undefined;

/**
 * Reads the state of a stored document. Incomplete signatures are ignored: a preliminary record without `preliminary`
 * is a draft, and `signing` requires `pending_signature`.
 */
export function recordOfDocument(document: StoredDocument): StoredRecord {
  const {
    status,
    signing,
    pending_signature: pending,
    preliminary,
    signatory_id,
    sent_back,
    replaces,
    ...body
  } = document;
  const signature = { ...(preliminary && { preliminary }), ...(signatory_id !== undefined && { signatory_id }) };
  if (status === 'final') return { ...body, status, ...signature, ...(replaces && { replaces }) };
  if (status === 'preliminary' && preliminary) {
    const record: PreliminaryRecord = { ...body, ...signature, status, preliminary };
    if (!signing || !pending) return record;
    const { as: _as, ...pending_signature } = pending;
    return { ...record, signing, pending_signature };
  }
  const record: DraftRecord = { ...body, status: 'draft', ...(sent_back && { sent_back }) };
  return signing && pending ? { ...record, signing, pending_signature: pending } : record;
}

/** The stored document of a record, which contains the state field by field. */
export const documentOfRecord = (record: StoredRecord): StoredDocument => record;

/** Who signs, and when. `id`: the user; absent for clients. */
export interface Signatory {
  readonly by: string;
  readonly at: string;
  readonly id?: string | undefined;
}

/** A resident signs, possibly again. */
export function signPreliminary(record: OpenRecord, { by, at, id }: Signatory): PreliminaryRecord {
  return {
    ...withoutSignature(record),
    status: 'preliminary',
    preliminary: { by, at, version: record.version },
    ...(id !== undefined && { signatory_id: id }),
  };
}

/** A physician signs, or an attending co-signs. `replaces`: the exam's previous report. */
export function signFinally(record: OpenRecord, replaces: FinalRecord['replaces']): FinalRecord {
  const { sent_back: _answered, ...signed } = record;
  return { ...signed, status: 'final', ...(replaces && { replaces }) };
}

/** The resident withdraws the signature by editing the record. */
export const reopen = (record: OpenRecord): DraftRecord => ({ ...withoutSignature(record), status: 'draft' });

/** An attending asks the resident for changes. */
export const sendBack = (record: OpenRecord, request: SentBack): DraftRecord => ({
  ...reopen(record),
  sent_back: request,
});

/** The record in its grace period. */
export function beginSignature(
  record: OpenRecord,
  { as, signing, pending }: { as: 'preliminary' | 'final'; signing: Signing; pending: FinalPending },
): SigningRecord {
  if (record.status === 'preliminary') return { ...record, signing, pending_signature: pending };
  const pending_signature: Pending = as === 'preliminary' ? { ...pending, as } : pending;
  return { ...record, signing, pending_signature };
}

/** The status after the grace period. */
export const outcomeOf = ({ pending_signature: { as } }: SigningRecord): 'preliminary' | 'final' => as ?? 'final';

type Findings = NonNullable<Pending['findings_to_review']>;

/** Changes the findings of the pending signature, if it has any. */
export function withPendingReview(record: SigningRecord, change: (findings: Findings) => Findings): SigningRecord {
  const { findings_to_review: findings } = record.pending_signature;
  if (!findings) return record;
  const findings_to_review = change(findings);
  return record.status === 'draft'
    ? { ...record, pending_signature: { ...record.pending_signature, findings_to_review } }
    : { ...record, pending_signature: { ...record.pending_signature, findings_to_review } };
}

/** The record before its signature. */
export function withoutPending(record: SigningRecord): OpenRecord {
  const { signing: _signing, pending_signature: _pending, ...open } = record;
  return open;
}

export interface TransitionContext {
  /** Who makes the step; `id`: the user, absent for clients. */
  readonly maker: Signatory;
  /** The note of an attending who sends the record back. */
  readonly note?: string | undefined;
  /** The exam's previous report. */
  readonly replaces?: FinalRecord['replaces'];
}

/** The record after a step of the signing rules. An edit keeps the state. */
export function withTransition(
  record: OpenRecord,
  change: Step['change'],
  { maker, note, replaces }: TransitionContext,
): SettledRecord {
  switch (change) {
    case 'edited':
      return record;
    case 'reopened':
      return reopen(record);
    case 'sent_back':
      return sendBack(record, { by: maker.by, at: maker.at, ...(note !== undefined && { note }) });
    case 'preliminary':
      return signPreliminary(record, maker);
    case 'signed':
      return signFinally(record, replaces);
  }
}

/** Removes the resident's signature and an answered request. */
function withoutSignature(record: OpenRecord): RecordBody {
  const { status: _status, preliminary: _signature, signatory_id: _id, sent_back: _request, ...body } = record;
  return body;
}

/**
 * How far the signatures of a record are, as one union, and the functions that lead from one state to another: what a state
 * does not allow does not compile. Who may ask for which step is in src/domain/signing-rules.ts.
 *
 *     draft ── sign ──► preliminary ── co-sign ──► final
 *       ▲ └─────────────── sign ─────────────────►  │ └─ addendum: stays final
 *       └── reopen, send back ──┘
 *
 * A draft and a preliminary record can be `signing` meanwhile: signed, with a signature that can still be taken back.
 */
import type { SentBack, Signing } from '../../src/contract/document.ts';
import type { Step } from '../../src/domain/signing-rules.ts';
import type { Documents } from '../storage/collections.ts';

type StoredDocument = Documents['records'];
type StateField = 'status' | keyof Absent;

/** What a record is beside its state. */
export type RecordBody = Omit<StoredDocument, StateField>;

/** Fields that a state does not have. */
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

/** `sent_back`: the request of the attending that the next signature answers. */
interface DraftFields {
  status: 'draft';
  sent_back?: SentBack;
}
/** `signatory_id`: the resident whose signature `preliminary` is. */
interface PreliminaryFields {
  status: 'preliminary';
  preliminary: Preliminary;
  signatory_id?: string;
}
/** `replaces`: the report that receivers had before. */
interface FinalFields {
  status: 'final';
  preliminary?: Preliminary;
  signatory_id?: string;
  replaces?: NonNullable<StoredDocument['replaces']>;
}
/** A signature that can still be taken back. Only a draft becomes preliminary (`as`). */
interface SignatureOfDraft {
  signing: Signing;
  pending_signature: Pending;
}
interface Cosignature {
  signing: Signing;
  pending_signature: FinalPending;
}
/** What a signature changes that makes the record final. */
export type FinalPending = Omit<Pending, 'as'> & { as?: never };

export type DraftRecord = State<DraftFields>;
export type PreliminaryRecord = State<PreliminaryFields>;
export type FinalRecord = State<FinalFields>;
/** A record whose signature can still be taken back. */
export type SigningRecord = State<DraftFields & SignatureOfDraft> | State<PreliminaryFields & Cosignature>;

/** Signatures and content can change. */
export type OpenRecord = DraftRecord | PreliminaryRecord;
/** No signature waits. */
export type SettledRecord = OpenRecord | FinalRecord;
export type StoredRecord = SettledRecord | SigningRecord;

export const isSigning = (record: StoredRecord): record is SigningRecord => record.signing !== undefined;

/**
 * The record of a stored document. A signature that lacks its signer is none: a preliminary record without `preliminary` is
 * a draft, and `signing` counts together with `pending_signature` only.
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

/** The stored document of a record: the state is in it field by field. */
export const documentOfRecord = (record: StoredRecord): StoredDocument => record;

/** Who signs, and when. `id`: the user; absent for clients. */
export interface Signatory {
  readonly by: string;
  readonly at: string;
  readonly id?: string | undefined;
}

/** A resident signs: again, where the record is preliminary already. */
export function signPreliminary(record: OpenRecord, { by, at, id }: Signatory): PreliminaryRecord {
  return {
    ...withoutSignature(record),
    status: 'preliminary',
    preliminary: { by, at, version: record.version },
    ...(id !== undefined && { signatory_id: id }),
  };
}

/** A physician signs, or an attending co-signs. `replaces`: the report that the exam had. */
export function signFinally(record: OpenRecord, replaces: FinalRecord['replaces']): FinalRecord {
  const { sent_back: _answered, ...signed } = record;
  return { ...signed, status: 'final', ...(replaces && { replaces }) };
}

/** The resident takes the signature back by changing the record. */
export const reopen = (record: OpenRecord): DraftRecord => ({ ...withoutSignature(record), status: 'draft' });

/** An attending asks the resident for changes. */
export const sendBack = (record: OpenRecord, request: SentBack): DraftRecord => ({
  ...reopen(record),
  sent_back: request,
});

/** The record during its grace period. */
export function beginSignature(
  record: OpenRecord,
  { as, signing, pending }: { as: 'preliminary' | 'final'; signing: Signing; pending: FinalPending },
): SigningRecord {
  if (record.status === 'preliminary') return { ...record, signing, pending_signature: pending };
  const pending_signature: Pending = as === 'preliminary' ? { ...pending, as } : pending;
  return { ...record, signing, pending_signature };
}

/** What the signature makes of the record. */
export const outcomeOf = ({ pending_signature: { as } }: SigningRecord): 'preliminary' | 'final' => as ?? 'final';

type Findings = NonNullable<Pending['findings_to_review']>;

/** The record with other findings in its signature, where the signature has any. */
export function withPendingReview(record: SigningRecord, change: (findings: Findings) => Findings): SigningRecord {
  const { findings_to_review: findings } = record.pending_signature;
  if (!findings) return record;
  const findings_to_review = change(findings);
  return record.status === 'draft'
    ? { ...record, pending_signature: { ...record.pending_signature, findings_to_review } }
    : { ...record, pending_signature: { ...record.pending_signature, findings_to_review } };
}

/** The record as it was before its signature. */
export function withoutPending(record: SigningRecord): OpenRecord {
  const { signing: _signing, pending_signature: _pending, ...open } = record;
  return open;
}

export interface StepContext {
  /** Who makes the step; `id`: the user, absent for clients. */
  readonly maker: Signatory;
  /** What an attending writes who sends the record back. */
  readonly note?: string | undefined;
  /** The report that the exam had. */
  readonly replaces?: FinalRecord['replaces'];
}

/** The record after a step of the signing rules, in the state to which it leads. An edit leaves the state as it is. */
export function withStep(
  record: OpenRecord,
  change: Step['change'],
  { maker, note, replaces }: StepContext,
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

/** Without the resident's signature, and without a request that is answered. */
function withoutSignature(record: OpenRecord): RecordBody {
  const { status: _status, preliminary: _signature, signatory_id: _id, sent_back: _request, ...body } = record;
  return body;
}

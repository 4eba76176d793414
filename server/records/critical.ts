/** Critical results: marking, communicating and dismissing them. */
import type { CriticalDecision, CriticalMark, CriticalResult } from '../../src/contract/critical.ts';
import type { MedicalRecord } from '../../src/contract/document.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import type { DetailCode } from '../../src/contract/errors.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { communicationSections } from '../../src/reporting/critical.ts';
import { markedFinding, withCriticalFindings } from '../../src/reporting/critical-findings.ts';
import { withSuggestion } from '../../src/domain/nearest-word.ts';
import { normalForm } from '../../src/domain/normal-form.ts';
import { textOf } from '../../src/domain/record-state.ts';
import { applyDismissal, review } from '../../src/reporting/versions/review.ts';
import type { Call } from '../http/call.ts';
import { checkIfMatch, etagOf } from '../http/versions.ts';
import type { RecordDeps } from './deps.ts';
import { getPersonId, whoIs } from '../http/caller.ts';
import type { Maker } from './review.ts';
import { announceAgain } from './exam.ts';
import type { SignatureDeps } from './exam.ts';
import { isSigning, withPendingReview } from './signature-state.ts';
import { putRecord, putReviewed, readRecord, toRecord, versionId } from './stored-record.ts';
import type { StoredRecord } from './stored-record.ts';

interface Answer {
  readonly status: 200;
  readonly data: MedicalRecord;
  readonly headers: Readonly<Record<string, string>>;
}

const answerWith = (record: StoredRecord): Answer => ({
  status: 200,
  data: toRecord(record),
  headers: { ETag: etagOf(record) },
});

/** Tolerated lead of the client's clock. */
const clockSkew = 120_000;

/** Marks words of the report as a critical result. */
export async function markCritical(
  { clock }: Pick<RecordDeps, 'clock'>,
  id: string,
  { section, words: sent }: CriticalMark,
  call: Call,
): Promise<Answer> {
  return call.commit(async (tx) => {
    const before = await readRecord(tx, call.caller.space, id);
    const words = normalForm(sent);
    const text = before.sections.find(({ key }) => key === section)?.text;
    if (text === undefined)
      throw invalidField('section', describeUnknownSection(section, before.sections), 'INVALID_VALUE');
    if (!text.includes(words)) throw invalidField('words', 'words do not occur in the section', 'INVALID_VALUE');
    getPersonId(call.caller, 'marks a critical result', 'Leave the mark to the physician.');
    const maker = { by: whoIs(call.caller), at: isoNow(clock) };
    const { id: resultId } = markedFinding({ section, words }, before);
    const results = before.critical_results ?? [];
    const present = results.find((each) => each.id === resultId);
    if (present && present.status !== 'dismissed') return answerWith(before);
    const open = { status: 'open', communication: null, dismissal: null } as const;
    const marked = present ?? { id: resultId, section, words, since: maker.at };
    const result: CriticalResult = { ...marked, marked_by: maker.by, ...open };
    const others = results.filter((each) => each.id !== resultId);
    return answerWith(await putReviewed(tx, withResults(before, [...others, result], maker)));
  });
}

function describeUnknownSection(typed: string, sections: MedicalRecord['sections']): string {
  const keys = sections.map(({ key }) => key);
  return withSuggestion(`section must be one of ${keys.join(', ')}`, typed, keys);
}

/**
 * Records the communication or dismissal of a critical result. The communication is part of the report, so it makes a
 * version that receivers of the previous one get.
 */
export async function decideCritical(
  services: SignatureDeps,
  { id, result: resultId }: { id: string; result: string },
  decision: CriticalDecision,
  call: Call,
): Promise<Answer> {
  return call.commit(async (tx) => {
    const before = await readRecord(tx, call.caller.space, id);
    checkIfMatch(call.header('if-match'), before);
    const { critical_results: present = [] } = before;
    const result = present.find((each) => each.id === resultId);
    if (!result) throw new AppError('NOT_FOUND', { message: 'The record has no critical result with this id.' });
    const maker = { by: whoIs(call.caller), at: isoNow(services.clock) };
    const next = { ...result, ...readOutcome(decision, maker) };
    getPersonId(call.caller, 'says what became of a critical result', 'Leave this to the physician.');
    if (next.status === 'open' && result.status === 'open') return answerWith(before);
    const results = present.map((each) => (each === result ? next : each));
    const after = withResults(before, results, maker);
    if (next.status !== 'told' && result.status !== 'told') return answerWith(await putReviewed(tx, after));
    const record = { ...after, version: before.version + 1, updated_at: maker.at };
    const { provenance } = (await tx.get('versions', versionId(id, before.version))) ?? {};
    putRecord(tx, record, { who: maker.by, change: 'communicated', ...(provenance && { provenance }) });
    // The communication was withdrawn or changed.
    await announceAgain(tx, services, { record, change: result.status === 'told' ? 'corrected' : 'communicated' });
    return answerWith(record);
  });
}

type Outcome = Pick<CriticalResult, 'status' | 'communication' | 'dismissal'>;

/**
 * VALIDATION_FAILED if the decision lacks a required field, has one that doesn't fit its status, or lies in the future.
 */
function readOutcome({ status, communication, reason }: CriticalDecision, { by, at: now }: Maker): Outcome {
  if (communication && status !== 'told')
    throw invalidField('communication', 'communication belongs to the status told', 'INVALID_VALUE');
  if (reason !== undefined && status !== 'dismissed')
    throw invalidField('reason', 'reason belongs to the status dismissed', 'INVALID_VALUE');
  if (status === 'open') return { status, communication: null, dismissal: null };
  if (status === 'dismissed') {
    if (reason === undefined) throw invalidField('reason', 'reason is required', 'FIELD_REQUIRED');
    return { status, communication: null, dismissal: { reason, by, at: now } };
  }
  if (!communication) throw invalidField('communication', 'communication is required', 'FIELD_REQUIRED');
  const at = communication.at === undefined ? now : new Date(communication.at).toISOString();
  if (Date.parse(at) > Date.parse(now) + clockSkew)
    throw invalidField('communication.at', 'communication.at must not be in the future', 'INVALID_VALUE');
  return { status, communication: { ...communication, at, by, noted_at: now }, dismissal: null };
}

const invalidField = (field: string, message: string, code: DetailCode): AppError =>
  validationFailed([{ field, message, code }]);

/** Replaces the results and updates findings and text to match. */
function withResults(record: StoredRecord, results: CriticalResult[], maker: Maker): StoredRecord {
  const after = { ...record, critical_results: results };
  const { findings_to_review: found } = record;
  const reviewed = {
    ...after,
    text: textOf([...after.sections, ...communicationSections(after)]),
    ...(found && { findings_to_review: findingsWith(after, maker) }),
  };
  if (!isSigning(reviewed)) return reviewed;
  // The signer's findings are stored with the signature, which applies them when it ends.
  return withPendingReview(reviewed, (signed) => findingsWith({ ...after, findings_to_review: signed }, maker));
}

/** Updates the findings of critical results; other findings stay. */
function findingsWith(record: StoredRecord, maker: Maker): NonNullable<StoredRecord['findings_to_review']> {
  const { findings_to_review: before = [], critical_results: results = [] } = record;
  const stateOf = (id: string) => results.find((each) => each.id === id)?.status;
  const present = before.map((finding) => {
    if (finding.kind !== 'critical_not_communicated') return finding;
    const state = stateOf(finding.id);
    if (state === 'open' && finding.status !== 'open') return applyDismissal(finding, null);
    if (state === 'dismissed' && finding.status !== 'dismissed') return applyDismissal(finding, maker);
    return state === 'told' && finding.status === 'open'
      ? { ...finding, status: 'resolved' as const, ...maker }
      : finding;
  });
  const known = new Set(before.map(({ id }) => id));
  const marked = withCriticalFindings([], record).filter(({ id }) => !known.has(id));
  return [...present, ...review(marked, { before: [], dismissals: [], ...maker })];
}

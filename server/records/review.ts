/** Decisions about findings: people dismiss single findings, and acknowledge findings when they sign. */
import type { MedicalRecord } from '../../src/contract/document.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Finding, OpenFinding } from '../../src/contract/finding.ts';
import type { RecordUpdate } from '../../src/contract/record.ts';
import type { FindingDecision } from '../../src/contract/review.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { counted } from '../../src/domain/counted.ts';
import { nextResults } from '../../src/reporting/critical.ts';
import { withCriticalFindings } from '../../src/reporting/critical-findings.ts';
import { openFields } from '../../src/reporting/versions/inspection.ts';
import { applyDismissal, isOpenField, isOpenWarning, review } from '../../src/reporting/versions/review.ts';
import type { Call } from '../http/call.ts';
import type { RecordDeps } from './deps.ts';
import { getPersonId, whoIs } from '../http/caller.ts';
import { etagOf } from '../http/versions.ts';
import type { Inspection } from '../../src/reporting/versions/inspection.ts';
import { checkOpen, decideEdit } from './signing.ts';
import { putReviewed, readRecord, toRecord } from './stored-record.ts';
import type { StoredRecord } from './stored-record.ts';

/** Author and time of a version. */
export interface Maker {
  readonly by: string;
  readonly at: string;
}

/** The findings and critical results of the next version; decisions about those of `before` are carried over. */
export function withFindings(
  {
    findings_to_review: before = [],
    dismissals = [],
    critical_results: results = [],
  }: Partial<Pick<StoredRecord, 'findings_to_review' | 'dismissals' | 'critical_results'>>,
  document: Pick<StoredRecord, 'sections' | 'language'>,
  found: Inspection['found'],
  maker: Maker,
): Pick<StoredRecord, 'findings_to_review' | 'critical_results'> {
  if (!found) return results.length > 0 ? { critical_results: results } : {};
  const critical_results = nextResults(results, found, document, maker.at);
  const present = withCriticalFindings(found, { ...document, critical_results });
  return {
    findings_to_review: review(present, { before, dismissals, ...maker }),
    ...(critical_results.length > 0 && { critical_results }),
  };
}

/** Decisions about the findings of a record. */
export type ReviewState = Pick<StoredRecord, 'findings_to_review' | 'dismissals'>;

/**
 * The findings after the signer's acknowledgements, and the warnings that were open. 409 OPEN_FINDINGS if the request
 * requires all warnings to be acknowledged and one isn't, or if a field is open.
 */
export function reviewSignature(
  record: StoredRecord,
  { acknowledged = [], require_resolved: mustResolve = false }: RecordUpdate,
  maker: Maker,
): { reviewed: ReviewState; open_findings: OpenFinding[] } {
  const isAcknowledged = (each: Pick<Finding, 'id' | 'kind'>): boolean =>
    !isOpenField(each) && acknowledged.includes(each.id);
  const open =
    record.findings_to_review?.filter(isOpenWarning) ??
    withCriticalFindings(openFields(record.sections, record.language), record);
  const unacknowledged = open.filter((each) => !isAcknowledged(each));
  if (mustResolve && unacknowledged.length > 0) throw notSigned(unacknowledged);
  const { dismissals: former } = record;
  const dismissals = open.filter(isAcknowledged).map(({ id }) => ({ id, ...maker }));
  return {
    reviewed: {
      ...((former || dismissals.length > 0) && { dismissals: [...(former ?? []), ...dismissals] }),
      ...(record.findings_to_review && {
        findings_to_review: record.findings_to_review.map((each) =>
          isOpenWarning(each) && isAcknowledged(each) ? applyDismissal(each, maker) : each,
        ),
      }),
    },
    open_findings: open.map((each) => ({
      id: each.id,
      kind: each.kind,
      section: each.section,
      acknowledged: isAcknowledged(each),
    })),
  };
}

type Open = Pick<Finding, 'id' | 'kind' | 'severity' | 'section' | 'start' | 'end'>;

/** 409 with the open warnings and fields, and what to do about them. */
function notSigned(open: readonly Open[]): AppError {
  const fields = open.filter(isOpenField).length;
  const fillIn = 'Fill in the fields: one of their choices, or the value, without the brackets.';
  return new AppError('OPEN_FINDINGS', {
    ...(fields > 0 && {
      message: `${counted(fields, 'field')} of the document must be filled in before it is signed.`,
    }),
    details: {
      open: open.map(({ id, kind, severity, section, start, end }) => ({ id, kind, severity, section, start, end })),
    },
    hint: [
      ...(fields > 0 ? [fillIn] : []),
      ...(fields < open.length ? ['Correct or dismiss the findings, or send their ids in acknowledged.'] : []),
    ].join(' '),
  });
}

/** Dismisses a finding, or undoes the dismissal. The version stays the same. */
export async function decideFinding(
  { clock }: Pick<RecordDeps, 'clock'>,
  { id, finding: findingId }: { id: string; finding: string },
  { status }: FindingDecision,
  call: Call,
): Promise<{ status: 200; data: MedicalRecord; headers: Record<string, string> }> {
  return call.commit(async (tx) => {
    const before = await readRecord(tx, call.caller.space, id);
    const { findings_to_review: findings = [] } = before;
    const finding = findings.find((each) => each.id === findingId);
    if (!finding) throw new AppError('NOT_FOUND', { message: 'The record has no finding with this id.' });
    if (before.status === 'final' || finding.status === 'resolved') throw refusedFor(before);
    checkOpen(before);
    await decideEdit(tx, before, call);
    if (status === 'dismissed' && isOpenField(finding)) throw notSigned([finding]);
    if (finding.status === status) return answerWith(before);
    getPersonId(call.caller, 'decides about a finding', 'Leave the finding to the physician.');
    const dismissal = status === 'dismissed' ? { by: whoIs(call.caller), at: isoNow(clock) } : null;
    const others = (before.dismissals ?? []).filter((each) => each.id !== findingId);
    const record: StoredRecord = {
      ...before,
      dismissals: dismissal ? [...others, { id: findingId, ...dismissal }] : others,
      findings_to_review: findings.map((each) => (each === finding ? applyDismissal(each, dismissal) : each)),
    };
    return answerWith(await putReviewed(tx, record));
  });
}

const answerWith = (record: StoredRecord) => ({
  status: 200 as const,
  data: toRecord(record),
  headers: { ETag: etagOf(record) },
});

const refusedFor = ({ status }: StoredRecord): AppError =>
  new AppError('INVALID_TRANSITION', {
    message: status === 'final' ? 'The document is signed.' : 'A later version has resolved this finding.',
    details: { status: status === 'final' ? 'final' : 'resolved' },
  });

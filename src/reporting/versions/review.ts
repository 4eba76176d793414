/** People's decisions about the findings of a report, from version to version. */
import type { Finding } from '../../contract/finding.ts';
import type { Finding as Found } from '../checks/finding.ts';

/** A finding that somebody reviewed and left as it is; stored as long as the report, so that the decision lasts. */
export interface Dismissal {
  readonly id: string;
  readonly by: string;
  readonly at: string;
}

/** The previous version, and who made the next one. */
export interface PreviousReview {
  /** Findings of the previous version; empty if there was none. */
  readonly before: readonly Finding[];
  readonly dismissals: readonly Dismissal[];
  readonly by: string;
  readonly at: string;
}

/** Findings stored with a report: more than people read. */
const maxFindings = 200;
const gravity = { warning: 0, question: 1, info: 2 } as const;
/** Fields come first: an open one prevents the signature, however many other findings there are. */
const rankOf = (finding: Pick<Finding, 'kind' | 'severity'>): number =>
  isOpenField(finding) ? -1 : gravity[finding.severity];

/** The findings of a version, the gravest if there are many; then those that its change resolved. */
export function review(found: readonly Found[], { before, dismissals, by, at }: PreviousReview): Finding[] {
  const dismissed = new Map(dismissals.map((each) => [each.id, each]));
  const kept = new Set(
    found
      .toSorted((a, b) => rankOf(a) - rankOf(b))
      .slice(0, maxFindings)
      .map(({ id }) => id),
  );
  const present = found
    .filter(({ id }) => kept.has(id))
    .map((each) => withStatus(each, isOpenField(each) ? undefined : dismissed.get(each.id)));
  const ids = new Set(found.map(({ id }) => id));
  const gone = before.filter(
    ({ id, kind, severity, status }) =>
      // The end of a check is nobody's decision.
      !ids.has(id) && severity !== 'info' && status !== 'dismissed' && kind !== 'unchecked',
  );
  const resolved = gone.map((each): Finding =>
    each.status === 'resolved' ? each : { ...each, status: 'resolved', by, at },
  );
  return [...present, ...resolved.slice(-maxFindings)];
}

const withStatus = ({ evidence, readings, ...found }: Found, dismissal: Dismissal | undefined): Finding => ({
  ...found,
  evidence: [...evidence],
  ...(readings && { readings: [...readings] }),
  ...(dismissal
    ? { status: 'dismissed' as const, by: dismissal.by, at: dismissal.at }
    : { status: 'open' as const, by: null, at: null }),
});

/** The finding after somebody dismissed it, or withdrew the dismissal (`null`). */
export const applyDismissal = (finding: Finding, dismissal: Omit<Dismissal, 'id'> | null): Finding => ({
  ...finding,
  status: dismissal ? 'dismissed' : 'open',
  by: dismissal?.by ?? null,
  at: dismissal?.at ?? null,
});

/** Whether it is an unfilled field, which cannot be dismissed. */
export const isOpenField = ({ kind }: Pick<Finding, 'kind'>): boolean => kind === 'field_open';

/** Whether signing a report with this finding requires a confirmation. */
export const isOpenWarning = ({ severity, status }: Pick<Finding, 'severity' | 'status'>): boolean =>
  severity === 'warning' && status === 'open';

/** Whether a second hearing found it after the signature: a warning, since the signer was not asked. */
export const isLateDoubt = ({ kind, severity }: Pick<Finding, 'kind' | 'severity'>): boolean =>
  kind === 'heard_differently' && severity === 'warning';

/** What people decided about the findings of a document, from version to version. */
import type { Finding } from '../../contract/finding.ts';
import type { Finding as Found } from '../checks/finding.ts';

/** Somebody looked at a finding, and lets the text stand; kept for as long as the document, so that it lasts. */
export interface Dismissal {
  readonly id: string;
  readonly by: string;
  readonly at: string;
}

/** A version as it was before, and who made the one after it. */
export interface Reviewed {
  /** Of the version before; empty where there was none. */
  readonly before: readonly Finding[];
  readonly dismissals: readonly Dismissal[];
  readonly by: string;
  readonly at: string;
}

/** Findings that are kept of a document: nobody reads more of them. */
const mostFindings = 200;
const gravity = { warning: 0, question: 1, info: 2 } as const;
/** Fields come first: as long as one is open nobody signs, however much else there is to look at. */
const rankOf = (finding: Pick<Finding, 'kind' | 'severity'>): number =>
  isOpenField(finding) ? -1 : gravity[finding.severity];

/** Those that are found in a version, the gravest where there are many; then those that its change resolved. */
export function review(found: readonly Found[], { before, dismissals, by, at }: Reviewed): Finding[] {
  const dismissed = new Map(dismissals.map((each) => [each.id, each]));
  const kept = new Set(
    found
      .toSorted((a, b) => rankOf(a) - rankOf(b))
      .slice(0, mostFindings)
      .map(({ id }) => id),
  );
  const present = found
    .filter(({ id }) => kept.has(id))
    .map((each) => withStatus(each, isOpenField(each) ? undefined : dismissed.get(each.id)));
  const ids = new Set(found.map(({ id }) => id));
  const gone = before.filter(
    ({ id, severity, status }) => !ids.has(id) && severity !== 'info' && status !== 'dismissed',
  );
  const resolved = gone.map((each): Finding =>
    each.status === 'resolved' ? each : { ...each, status: 'resolved', by, at },
  );
  return [...present, ...resolved.slice(-mostFindings)];
}

const withStatus = ({ evidence, ...found }: Found, dismissal: Dismissal | undefined): Finding => ({
  ...found,
  evidence: [...evidence],
  ...(dismissal
    ? { status: 'dismissed' as const, by: dismissal.by, at: dismissal.at }
    : { status: 'open' as const, by: null, at: null }),
});

/** The finding once somebody dismissed it, or took the dismissal back (`null`). */
export const decided = (finding: Finding, dismissal: Omit<Dismissal, 'id'> | null): Finding => ({
  ...finding,
  status: dismissal ? 'dismissed' : 'open',
  by: dismissal?.by ?? null,
  at: dismissal?.at ?? null,
});

/** Whether it is a field that nobody has filled in: nobody can let that stand. */
export const isOpenField = ({ kind }: Pick<Finding, 'kind'>): boolean => kind === 'field_open';

/** Whether a document that has it is signed only by who says so. */
export const isOpenWarning = ({ severity, status }: Pick<Finding, 'severity' | 'status'>): boolean =>
  severity === 'warning' && status === 'open';

/**
 * Adjusts the findings of critical results: adds those that a person marked, and removes those that were communicated.
 */
import type { CriticalResult } from '../contract/critical.ts';
import type { MedicalRecord } from '../contract/document.ts';
import { withoutCommunicated } from './critical.ts';
import { toFindings } from './checks/finding.ts';
import type { Finding } from './checks/finding.ts';
import { elementAt } from '../domain/elements.ts';

type Document = Pick<MedicalRecord, 'sections' | 'language' | 'critical_results'>;

/** The finding for words that a person marked. It has no place if the report no longer has the words. */
export function markedFinding(
  { section, words }: Pick<CriticalResult, 'section' | 'words'>,
  { sections, language }: Pick<Document, 'sections' | 'language'>,
): Finding {
  const at = sections.find(({ key }) => key === section)?.text.indexOf(words) ?? -1;
  const [start, end] = at < 0 ? [0, 0] : [at, at + words.length];
  const found = { kind: 'critical_not_communicated', severity: 'warning', section, start, end } as const;
  return elementAt(toFindings([{ ...found, words: { written: words } }], language, [section]), 0);
}

/** The findings of a report without communicated critical ones, and with those that a person marked. */
export function withCriticalFindings<F extends Pick<Finding, 'id' | 'kind'>>(
  found: readonly F[],
  document: Document,
): (F | Finding)[] {
  const { critical_results: results = [] } = document;
  const present = withoutCommunicated(found, document);
  const marked = results.filter((each) => each.marked_by !== null && each.status === 'open');
  const missing = marked.filter(({ id }) => !present.some((each) => each.id === id));
  return [...present, ...missing.map((each) => markedFinding(each, document))];
}

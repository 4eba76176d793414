/** Formats findings: points to review before signing a report. */
import type { MedicalRecord, Section } from '../../src/contract/document.ts';
import type { Finding } from '../../src/contract/finding.ts';
import type { Tone } from '../shell/view.ts';

export const toneOf = ({ severity }: Pick<Finding, 'severity'>): Tone =>
  severity === 'warning' ? 'bad' : severity === 'question' ? 'warn' : 'faint';

/** The words that a finding is about, from the section. */
const quoteFinding = ({ section, start, end }: Finding, sections: readonly Section[]): string =>
  sections.find(({ key }) => key === section)?.text.slice(start, end) ?? '';

const state = ({ status, by }: Finding): string => (status === 'open' ? '' : ` (${status} by ${by ?? 'nobody'})`);

const line = (finding: Finding, sections: readonly Section[]): string => {
  const words = quoteFinding(finding, sections);
  const place = words === '' || finding.message.includes(words) ? finding.section : `${finding.section}, “${words}”`;
  return `${finding.id}  ${finding.severity}  ${place}: ${finding.message}${state(finding)}`;
};

/** Open findings first, then decided and resolved ones. Only `--json` includes findings of severity `info`. */
export function findingsText({ findings_to_review: all = [], sections }: MedicalRecord): string {
  const notable = all.filter(({ severity }) => severity !== 'info');
  return [...notable.filter(({ status }) => status === 'open'), ...notable.filter(({ status }) => status !== 'open')]
    .map((each) => line(each, sections))
    .join('\n');
}

/** The document as plain text. */
import { footOf, headOf, letterheadOf, noticesOf, signedParts } from '../../src/domain/report-head.ts';
import type { Line, Report } from '../../src/domain/report-head.ts';

export function textReport(report: Report): string {
  const { title } = report.record;
  const head = [...noticesOf(report).map((notice) => `[${notice}]`), ...headOf(report).map(line)];
  const letterhead = letterheadOf(report);
  const blocks = [
    ...(letterhead.length > 0 ? [letterhead.join('\n')] : []),
    `${title}\n${'='.repeat([...title].length)}`,
    ...(head.length > 0 ? [head.join('\n')] : []),
    ...signedParts(report).flatMap(({ sections, signature }) => [
      ...sections.map((section) => `${section.title}\n${'-'.repeat([...section.title].length)}\n${section.text}`),
      ...(signature.length > 0 ? [signature.map(line).join('\n')] : []),
    ]),
    footOf(report),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const line = ({ label, value }: Line): string => `${label}: ${value}`;

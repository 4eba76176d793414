/** The document as plain text. */
import { footOf, headOf, letterheadOf, noticesOf, signatureOf } from '../../src/domain/report-head.ts';
import type { Report } from '../../src/domain/report-head.ts';

export function textReport(report: Report): string {
  const { title, sections } = report.record;
  const head = [...noticesOf(report).map((notice) => `[${notice}]`), ...headOf(report).map(line)];
  const letterhead = letterheadOf(report);
  const signature = signatureOf(report).map(line);
  const blocks = [
    ...(letterhead === null ? [] : [letterhead]),
    `${title}\n${'='.repeat([...title].length)}`,
    ...(head.length > 0 ? [head.join('\n')] : []),
    ...sections.map((section) => `${section.title}\n${'-'.repeat([...section.title].length)}\n${section.text}`),
    ...(signature.length > 0 ? [signature.join('\n')] : []),
    footOf(report),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const line = ({ label, value }: { label: string; value: string }): string => `${label}: ${value}`;

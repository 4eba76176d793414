/** The document as plain text. */
import { footOf, headOf, noticesOf } from '../../src/domain/report-head.ts';
import type { Report } from '../../src/domain/report-head.ts';

export function textReport(report: Report): string {
  const { title, sections } = report.record;
  const head = [
    ...noticesOf(report).map((notice) => `[${notice}]`),
    ...headOf(report).map(({ label, value }) => `${label}: ${value}`),
  ];
  const blocks = [
    `${title}\n${'='.repeat([...title].length)}`,
    ...(head.length > 0 ? [head.join('\n')] : []),
    ...sections.map((section) => `${section.title}\n${'-'.repeat([...section.title].length)}\n${section.text}`),
    footOf(report),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** The blocks of a report on paper, in order. Print, PDF, web page and plain text each draw these blocks. */
import { buildFoot, buildHead, buildLetterhead, buildNotices, signedParts } from './report-head.ts';
import type { Line, Report } from './report-head.ts';

export type Block =
  /** The institution: its name, then the lines below it. */
  | { readonly kind: 'letterhead'; readonly lines: readonly string[] }
  | { readonly kind: 'title'; readonly text: string }
  /** A notice that the reader must not overlook. */
  | { readonly kind: 'notice'; readonly text: string }
  /** Patient and exam. */
  | { readonly kind: 'head'; readonly lines: readonly Line[] }
  | { readonly kind: 'section'; readonly title: string; readonly text: string }
  /** Who signed the sections above it. */
  | { readonly kind: 'signature'; readonly lines: readonly Line[] }
  | { readonly kind: 'foot'; readonly text: string };

/** `notices`: additional ones of the renderer. Blocks without content are left out. */
export function buildPage(report: Report, notices: readonly string[] = []): Block[] {
  const { title } = report.record;
  const head: Block[] = [
    { kind: 'letterhead', lines: buildLetterhead(report) },
    { kind: 'title', text: title },
    ...[...buildNotices(report), ...notices].map((text): Block => ({ kind: 'notice', text })),
    { kind: 'head', lines: buildHead(report) },
  ];
  const body = signedParts(report).flatMap(({ sections, signature }): Block[] => [
    ...sections.map(({ title: heading, text }): Block => ({ kind: 'section', title: heading, text })),
    { kind: 'signature', lines: signature },
  ]);
  const all: Block[] = [...head, ...body, { kind: 'foot', text: buildFoot(report) }];
  return all.filter((block) => !('lines' in block) || block.lines.length > 0);
}

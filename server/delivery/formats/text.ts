/** The document as plain text. */
import { buildPage } from '../../../src/reporting/report-page.ts';
import type { Block } from '../../../src/reporting/report-page.ts';
import type { Line, Report } from '../../../src/reporting/report-head.ts';

export function textReport(report: Report): string {
  let text = '';
  let previous: Block | undefined;
  for (const block of buildPage(report)) {
    if (previous) text += previous.kind === 'notice' && inHead.has(block.kind) ? '\n' : '\n\n';
    text += formatBlock(block);
    previous = block;
  }
  return `${text}\n`;
}

/** Blocks without an empty line between them. */
const inHead: ReadonlySet<Block['kind']> = new Set(['notice', 'head']);

function formatBlock(block: Block): string {
  switch (block.kind) {
    case 'letterhead':
      return block.lines.join('\n');
    case 'title':
      return underline(block.text, '=');
    case 'notice':
      return `[${block.text}]`;
    case 'head':
    case 'signature':
      return block.lines.map(line).join('\n');
    case 'section':
      return `${underline(block.title, '-')}\n${block.text}`;
    case 'foot':
      return block.text;
  }
}

const underline = (text: string, stroke: string): string => `${text}\n${stroke.repeat([...text].length)}`;

const line = ({ label, value }: Line): string => `${label}: ${value}`;

/** The document as a page for screen and print. It has no scripts and loads nothing; its policy forbids both. */
import type { Section } from '../../../src/contract/document.ts';
import { inlineStyle } from '../../http/page/inline-style.ts';
import { escapeHtml } from '../../../src/domain/escape-html.ts';
import { signedParts } from '../../../src/reporting/report-head.ts';
import type { Line, Report } from '../../../src/reporting/report-head.ts';
import { buildPage } from '../../../src/reporting/report-page.ts';
import type { Block } from '../../../src/reporting/report-page.ts';

/** The first letter of each line of a text decides its direction (`plaintext`). With `dir=auto` that of the first line would. */
const look = inlineStyle(`
:root { color-scheme: light; font: 16px/1.55 Georgia, "Times New Roman", serif; color: #1c2430; background: #fff; }
body { max-width: 42rem; margin: 3rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; font-weight: 600; line-height: 1.25; margin: 0 0 1.25rem; }
section + dl { margin-top: 1.5rem; border-bottom: 0; padding-bottom: 0; break-inside: avoid; }
.letterhead { margin: 0 0 1.25rem; font: 0.8125rem/1.45 system-ui, sans-serif; color: #566071; }
.letterhead p:first-child { font: 600 1rem/1.55 Georgia, "Times New Roman", serif; letter-spacing: 0.02em; color: #1c2430; }
h2 { font-size: 1.05rem; font-weight: 600; margin: 1.75rem 0 0.35rem; }
h1, h2, p, dd { unicode-bidi: plaintext; }
p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1.25rem; margin: 0; padding: 1rem 0; border-block: 1px solid #d5dae1; font-family: system-ui, sans-serif; font-size: 0.875rem; }
dt { color: #566071; }
dd { margin: 0; overflow-wrap: anywhere; text-align: left; }
.notice { font-family: system-ui, sans-serif; font-size: 0.875rem; margin: 0 0 1rem; padding: 0.4rem 0.8rem; border-left: 3px solid #b7791f; background: #fdf6e7; }
footer { margin-top: 2.5rem; padding-top: 0.75rem; border-top: 1px solid #d5dae1; font: 0.75rem/1.4 system-ui, sans-serif; color: #566071; }
@page { margin: 2cm; }
@media print { body { margin: 0; padding: 0; max-width: none; } h2 { break-after: avoid; } }
`);

/** Allows only the style sheet of the page. */
export const htmlPolicy = `default-src 'none'; style-src ${look.source}`;

export function htmlReport(report: Report): string {
  const { record } = report;
  const blocks = buildPage(report);
  const foot = blocks.filter(({ kind }) => kind === 'foot');
  return `<!doctype html>
<html lang="${record.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(htmlPolicy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(record.title)}</title>
${look.element.html}
</head>
<body>
<main>
${blocks
  .filter(({ kind }) => kind !== 'foot')
  .map(blockHtml)
  .join('\n')}
</main>
${foot.map(blockHtml).join('\n')}
</body>
</html>
`;
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'letterhead':
      return `<header class="letterhead">${block.lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}</header>`;
    case 'title':
      return `<h1>${escapeHtml(block.text)}</h1>`;
    case 'notice':
      return `<p class="notice">${escapeHtml(block.text)}</p>`;
    case 'head':
    case 'signature':
      return linesHtml(block.lines);
    case 'section':
      return sectionHtml(block);
    case 'foot':
      return `<footer>${escapeHtml(block.text)}</footer>`;
  }
}

function linesHtml(lines: readonly Line[]): string {
  const cells = lines.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`);
  return `<dl>${cells.join('')}</dl>`;
}

/**
 * The sections with their signatures as XHTML that keeps line breaks without a style sheet: the narrative of a FHIR resource
 * is shown with the viewer's styles.
 */
export const sectionsXhtml = (report: Report): string =>
  signedParts(report)
    .flatMap(({ sections, signature }) => [
      ...sections.map(({ title, text }) => `<div><h2>${escapeHtml(title)}</h2><p>${brokenLines(text)}</p></div>`),
      ...(signature.length > 0 ? [linesHtml(signature)] : []),
    ])
    .join('\n');

/** Line ends become elements, and runs of blanks are preserved. */
const brokenLines = (text: string): string =>
  escapeHtml(text)
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/^[ \t]+|[ \t]{2,}/g, (blanks) => '\u00a0'.repeat(blanks.length)))
    .join('<br/>');

const sectionHtml = ({ title, text }: Pick<Section, 'title' | 'text'>): string =>
  `<section><h2>${escapeHtml(title)}</h2><p>${escapeHtml(text)}</p></section>`;

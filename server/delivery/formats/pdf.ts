/**
 * The document as PDF, A4, for archiving: PDF/A-2b (ISO 19005-2) declares its colours, embeds its fonts and contains its
 * metadata. It is tagged, for screen readers.
 */
import type { Section } from '../../../src/contract/document.ts';
import type { Line, Report } from '../../../src/reporting/report-head.ts';
import { buildPage } from '../../../src/reporting/report-page.ts';
import type { Block } from '../../../src/reporting/report-page.ts';
import { PdfDocument } from './pdf/library.ts';
import { maxPages } from './pdf/max-pages.ts';
import { createSheets, margins } from './pdf/sheets.ts';
import type { Sheets } from './pdf/sheets.ts';
import { escapeXml } from './xml.ts';

/** Width of the label column, in points. */
const labels = 112;
/** Width of the line above a signature, in points. */
const signatureWidth = 240;

/** Makes the PDF; `undefined`: the document would have more than `maxPages`. */
export async function pdfReport(report: Report): Promise<Uint8Array | undefined> {
  const { record } = report;
  const pdf = new PdfDocument({
    pdfVersion: '1.7',
    subset: 'PDF/A-2b',
    tagged: true,
    size: 'A4',
    margins,
    bufferPages: true,
    lang: record.language,
    displayTitle: true,
    // No standard font: those are not embedded.
    font: '',
    // The date is the document's, so that a version always has the same bytes.
    info: { Title: record.title, Creator: 'Laudio', CreationDate: new Date(record.updated_at) },
  });
  describeAsXml(pdf);
  const sheets = createSheets(pdf, maxPages);
  if (lineCount(record.sections) > maxPages * sheets.linesOfPage('text')) return undefined;
  for (const block of buildPage(report)) {
    writeBlock(sheets, block);
    if (sheets.full) return undefined;
  }
  const chunks: Uint8Array[] = [];
  const ended = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject));
  pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

/** Counts only line breaks in the text, which rejects most oversized documents before layout. */
const lineCount = (sections: readonly Section[]): number =>
  sections.reduce((count, { text }) => count + text.split('\n').length, 0);

/** pdfkit writes the title into its XML unescaped, after it has written the dictionary. */
function describeAsXml(pdf: PDFKit.PDFDocument): void {
  const described = pdf as PDFKit.PDFDocument & { endMetadata: () => void };
  const endMetadata = described.endMetadata.bind(pdf);
  described.endMetadata = () => {
    pdf.info.Title = escapeXml(pdf.info.Title ?? '');
    endMetadata();
  };
}

function writeBlock(sheets: Sheets, block: Block): void {
  switch (block.kind) {
    case 'letterhead': {
      const [name = '', ...lines] = block.lines;
      sheets.write('P', 'letterhead', name);
      for (const line of lines) sheets.write('P', 'address', line);
      sheets.gap(6);
      sheets.rule();
      return sheets.gap(18);
    }
    case 'title':
      sheets.write('H1', 'title', block.text);
      return sheets.gap(10);
    case 'notice':
      return sheets.write('P', 'notice', block.text);
    case 'head':
      writeLines(sheets, block.lines);
      return sheets.gap(6);
    case 'section':
      sheets.gap(14);
      // Keeps a heading on the same page as the first lines of its section.
      sheets.keepTogether(40);
      sheets.write('H2', 'heading', block.title);
      sheets.gap(3);
      return sheets.write('P', 'text', block.text);
    case 'signature':
      sheets.gap(28);
      sheets.keepTogether(48);
      sheets.rule(signatureWidth);
      sheets.gap(6);
      writeLines(sheets, block.lines);
      return sheets.gap(10);
    case 'foot':
      return sheets.end(block.text);
  }
}

const writeLines = (sheets: Sheets, lines: readonly Line[]): void => {
  for (const { label, value } of lines) sheets.write('P', 'value', value, { label, indent: labels });
};

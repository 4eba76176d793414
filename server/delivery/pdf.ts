/** The document as PDF, A4, in the standard fonts: their encoding covers western European languages. */
import { footOf, headOf, noticesOf } from './report.ts';
import type { Report } from './report.ts';
import { normalForm } from '../../src/domain/normal-form.ts';

const ink = '#1c2430';
const faint = '#566071';
const margins = { top: 64, bottom: 72, left: 64, right: 64 };

export async function pdfReport(report: Report): Promise<Uint8Array> {
  const { default: PdfDocument } = await import('pdfkit');
  const { record } = report;
  const pdf = new PdfDocument({
    size: 'A4',
    margins,
    bufferPages: true,
    lang: record.language,
    displayTitle: true,
    // The dates are the document's, so that the same version gives the same bytes.
    info: {
      Title: record.title,
      Creator: 'Laudio',
      CreationDate: new Date(record.updated_at),
      ModDate: new Date(record.updated_at),
    },
  });
  const chunks: Uint8Array[] = [];
  const ended = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject));
  pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  writePages(pdf, report);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

function writePages(pdf: PDFKit.PDFDocument, report: Report): void {
  const { title, sections } = report.record;
  pdf.fillColor(ink).font('Helvetica-Bold').fontSize(16).text(winAnsi(title)).moveDown(0.6);
  pdf.fontSize(9).fillColor(faint);
  for (const notice of noticesOf(report)) pdf.font('Helvetica-Oblique').text(winAnsi(notice));
  for (const { label, value } of headOf(report)) {
    pdf
      .font('Helvetica')
      .fillColor(faint)
      .text(`${winAnsi(label)}: `, { continued: true })
      .fillColor(ink)
      .text(winAnsi(value));
  }
  for (const section of sections) {
    pdf.moveDown(1.1).font('Helvetica-Bold').fontSize(11).fillColor(ink);
    // A heading alone at the foot of a page belongs to the next one.
    if (pdf.y > pdf.page.height - margins.bottom - 40) pdf.addPage();
    pdf.text(winAnsi(section.title)).moveDown(0.25);
    pdf.font('Helvetica').fontSize(10.5).text(winAnsi(section.text), { lineGap: 2.5 });
  }
  const { start, count } = pdf.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page);
    // Without the margin, text below it would begin a new page.
    pdf.page.margins.bottom = 0;
    const foot = `${footOf(report)}   ${page - start + 1}/${count}`;
    pdf
      .font('Helvetica')
      .fontSize(8)
      .fillColor(faint)
      .text(foot, margins.left, pdf.page.height - 44, { lineBreak: false });
  }
}

/** Characters of Windows-1252 outside Latin-1 (PDF 32000-1, annex D). */
const beyondLatin = new Set('ƒ–—‘’‚“”„†‡•…€‰‹›ˆ™ŒœŠš˜ŸŽž');

/** Text that the standard fonts can show: signs of medicine are spelled out, what is left becomes `?`. */
export function winAnsi(text: string): string {
  return normalForm(text)
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t|\p{Zs}/gu, ' ')
    .replace(/[^\n\x20-\x7e\xa1-\xff]/gu, (character) => {
      if (beyondLatin.has(character)) return character;
      if (Object.hasOwn(spelled, character)) return spelled[character]!;
      const plain = character.normalize('NFKD').replace(/\p{M}+/gu, '');
      if (/^[\x20-\x7e\xa1-\xff]+$/.test(plain)) return plain;
      return /\p{C}|\p{M}/u.test(character) ? '' : '?';
    });
}

const spelled: Readonly<Record<string, string>> = {
  '≤': '<=',
  '≥': '>=',
  '≠': '!=',
  '≈': '~',
  '−': '-',
  '‐': '-',
  '‑': '-',
  '→': '->',
  '←': '<-',
  '′': "'",
  '″': '"',
  μ: 'µ',
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  Δ: 'Delta',
  λ: 'lambda',
  '∅': 'Ø',
};

/** The document as PDF, A4, in the standard fonts: their encoding covers western European languages. */
import { normalForm } from '../../src/domain/normal-form.ts';
import { footOf, headOf, noticesOf } from '../../src/domain/report-head.ts';
import type { Report } from '../../src/domain/report-head.ts';
import { linesOf } from './lines.ts';

/** A document of more is not read as pages by anybody. */
export const maxPages = 1000;

const ink = '#1c2430';
const faint = '#566071';
const margins = { top: 64, bottom: 72, left: 64, right: 64 };

/** Sizes and gaps in points. */
interface Style {
  readonly font: 'Helvetica' | 'Helvetica-Bold' | 'Helvetica-Oblique';
  readonly size: number;
  readonly color: string;
  /** Between lines, besides what the font has. */
  readonly leading: number;
}

const styles = {
  title: { font: 'Helvetica-Bold', size: 16, color: ink, leading: 0 },
  notice: { font: 'Helvetica-Oblique', size: 9, color: faint, leading: 0 },
  label: { font: 'Helvetica', size: 9, color: faint, leading: 0 },
  value: { font: 'Helvetica', size: 9, color: ink, leading: 0 },
  heading: { font: 'Helvetica-Bold', size: 11, color: ink, leading: 0 },
  text: { font: 'Helvetica', size: 10.5, color: ink, leading: 2.5 },
  foot: { font: 'Helvetica', size: 8, color: faint, leading: 0 },
} as const satisfies Record<string, Style>;
type StyleName = keyof typeof styles;

/** `undefined` where it would have more than `maxPages`. */
export async function pdfReport(report: Report): Promise<Uint8Array | undefined> {
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
  if (!writePages(pdf, report)) return undefined;
  const chunks: Uint8Array[] = [];
  const ended = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject));
  pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

/** Whether all of it has found room. */
function writePages(pdf: PDFKit.PDFDocument, report: Report): boolean {
  const { title, sections } = report.record;
  const sheets = createSheets(pdf);
  sheets.write('title', title);
  sheets.gap(11);
  for (const notice of noticesOf(report)) sheets.write('notice', notice);
  for (const { label, value } of headOf(report)) sheets.write('value', value, label);
  for (const section of sections) {
    sheets.gap(14);
    // A heading alone at the foot of a page belongs to the next one.
    sheets.keepTogether(40);
    sheets.write('heading', section.title);
    sheets.gap(3);
    sheets.write('text', section.text);
    if (sheets.full) return false;
  }
  const { start, count } = pdf.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page);
    // Without the margin, text below it would begin a new page.
    pdf.page.margins.bottom = 0;
    sheets.line('foot', `${footOf(report)}   ${page - start + 1}/${count}`, margins.left, pdf.page.height - 44);
  }
  return true;
}

/** Pages that are filled from top to bottom, line by line. */
function createSheets(pdf: PDFKit.PDFDocument) {
  const { width, height } = pdf.page;
  const lineWidth = width - margins.left - margins.right;
  const bottom = height - margins.bottom;
  const widths: Partial<Record<StyleName, Map<string, number>>> = {};
  let y = margins.top;
  let pages = 1;
  let full = false;

  const use = (style: StyleName): PDFKit.PDFDocument => {
    const { font, size, color } = styles[style];
    return pdf.font(font).fontSize(size).fillColor(color);
  };
  const widthIn = (style: StyleName): ((character: string) => number) => {
    const known = (widths[style] ??= new Map());
    return (character) => {
      let wide = known.get(character);
      if (wide === undefined) known.set(character, (wide = use(style).widthOfString(character)));
      return wide;
    };
  };
  const line = (style: StyleName, text: string, x: number, at: number): void => {
    use(style).text(text, x, at, { lineBreak: false });
  };
  const nextPage = (): void => {
    full ||= pages === maxPages;
    if (full) return;
    pdf.addPage();
    pages++;
    y = margins.top;
  };

  return {
    line,
    /** Whether there was no room for something. */
    get full() {
      return full;
    },
    gap: (points: number): void => void (y += points),
    /** Begins a page where there is less room than that on this one. */
    keepTogether(points: number): void {
      if (y + points > bottom) nextPage();
    },
    /** A label begins the first line. */
    write(style: StyleName, text: string, label?: string): void {
      const begins = label === undefined ? '' : `${winAnsi(label)}: `;
      const lineHeight = use(style).currentLineHeight(true) + styles[style].leading;
      let isFirst = true;
      for (const each of linesOf(begins + winAnsi(text), { width: lineWidth, widthOf: widthIn(style) })) {
        if (y + lineHeight > bottom) nextPage();
        if (full) return;
        const told = isFirst && each.startsWith(begins) ? begins : '';
        if (told !== '') line('label', told, margins.left, y);
        const x = margins.left + (told === '' ? 0 : use(style).widthOfString(told));
        if (each.length > told.length) line(style, each.slice(told.length), x, y);
        y += lineHeight;
        isFirst = false;
      }
    },
  };
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

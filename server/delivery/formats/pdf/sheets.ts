/** Fills A4 pages from top to bottom, and tags their content (ISO 32000-1, 14.8). */
import { layLines, leftToRight } from './direction.ts';
import type { DirectedRun } from './direction.ts';
import { createLineWriter, createMarker } from './line-writer.ts';
import type { TextStyle } from './line-writer.ts';
import { splitCharacters } from './runs.ts';
import { faceOf, normaliseText } from './typeface.ts';

/** In points. */
export const margins = { top: 64, bottom: 72, left: 64, right: 64 };
const footAt = 44;

const ink = '#1c2430';
const faint = '#566071';
const hairline = '#c9d0d9';

/** Sizes and gaps in points. */
interface Style extends TextStyle {
  /** Added to the line height of the face. */
  readonly leading: number;
}

const styles = {
  letterhead: { face: 'bold', size: 12, color: ink, leading: 0 },
  address: { face: 'text', size: 9, color: faint, leading: 1 },
  title: { face: 'bold', size: 16, color: ink, leading: 0 },
  notice: { face: 'bold', size: 9, color: '#8a5a00', leading: 4 },
  label: { face: 'text', size: 9, color: faint, leading: 2 },
  value: { face: 'text', size: 9, color: ink, leading: 2 },
  heading: { face: 'bold', size: 11, color: ink, leading: 0 },
  text: { face: 'text', size: 10.5, color: ink, leading: 2.5 },
  foot: { face: 'text', size: 8, color: faint, leading: 0 },
} as const satisfies Record<string, Style>;
export type StyleName = keyof typeof styles;

/** Structure types of ISO 32000-1, 14.8.4. */
export type Tag = 'H1' | 'H2' | 'P';

export type Sheets = ReturnType<typeof createSheets>;

/** Content beyond `maxPages` is not written, and sets `full`. */
export function createSheets(pdf: PDFKit.PDFDocument, maxPages: number) {
  const writer = createLineWriter(pdf);
  const { width, height } = pdf.page;
  const bottom = height - margins.bottom;
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  let y = margins.top;
  let pages = 1;
  let full = false;

  const nextPage = (): void => {
    full ||= pages === maxPages;
    if (full) return;
    pdf.addPage();
    pages++;
    y = margins.top;
  };
  const lineHeight = (style: StyleName): number => {
    const { face, size, leading } = styles[style];
    const { ascent, descent, unitsPerEm } = faceOf(face).font;
    return ((ascent - descent) / unitsPerEm) * size + leading;
  };
  return {
    /** Whether content was dropped. */
    get full() {
      return full;
    },
    linesOfPage: (style: StyleName): number => Math.floor((bottom - margins.top) / lineHeight(style)),
    gap: (points: number): void => void (y += points),
    /** Begins a new page if this one has less room. */
    keepTogether(points: number): void {
      if (y + points > bottom) nextPage();
    },
    /** A horizontal line, across the page or `points` long. */
    rule(points = width - margins.left - margins.right): void {
      pdf.markContent('Artifact', { type: 'Layout' });
      pdf
        .moveTo(margins.left, y)
        .lineTo(margins.left + points, y)
        .lineWidth(0.5)
        .stroke(hairline);
      pdf.endMarkedContent();
    },
    /**
     * The label precedes the first line, in a separate column of `indent` points. A paragraph from right to left is aligned
     * right unless it has a label.
     */
    write(tag: Tag, style: StyleName, text: string, { label = '', indent = 0 } = {}): void {
      const left = margins.left + indent;
      const step = lineHeight(style);
      const measure = (some: string): number => writer.measure(styles[style], some);
      const right = width - margins.right;
      const room = { width: right - left, widthOf: measure, splitCharacters };
      /** A line from right to left has its last space at the left. */
      const findStart = (runs: readonly DirectedRun[]): number =>
        indent === 0 ? right - runs.reduce((sum, run) => sum + measure(run.text), 0) : left - measure(' ');
      const block = pdf.struct(tag);
      root.add(block);
      const marker = createMarker(pdf, (actual) =>
        block.add(actual === undefined ? pdf.markStructureContent(tag) : pdf.markStructureContent('Span', { actual })),
      );
      let before = label === '' ? '' : `${normaliseText(label)} `;
      for (const { runs, isRightToLeft } of layLines(normaliseText(text), room)) {
        if (y + step > bottom) {
          // Marked content must end on its page.
          marker.end();
          nextPage();
        }
        if (full) break;
        if (before !== '') writer.write(marker, styles.label, [leftToRight(before)], margins.left, y);
        before = '';
        writer.write(marker, styles[style], runs, isRightToLeft ? findStart(runs) : left, y);
        y += step;
      }
      marker.end();
      block.end();
    },
    /** Numbers the pages, and ends the document. */
    end(foot: string): void {
      root.end();
      const { start, count } = pdf.bufferedPageRange();
      for (let page = start; page < start + count; page++) {
        pdf.switchToPage(page);
        // With a bottom margin, text below it would begin a new page.
        pdf.page.margins.bottom = 0;
        const text = normaliseText(`${foot}   ${page - start + 1}/${count}`);
        const marker = createMarker(pdf, () => pdf.markContent('Artifact', { type: 'Pagination' }));
        writer.write(marker, styles.foot, [leftToRight(text)], margins.left, height - footAt);
        marker.end();
      }
    },
  };
}

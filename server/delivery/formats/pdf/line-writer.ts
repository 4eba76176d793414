/** Writes a line with its marked content (ISO 32000-1, 14.6). */
import type { DirectedRun } from './direction.ts';
import { nameCharacter, splitRuns } from './runs.ts';
import type { Run } from './runs.ts';
import { createTypesetter } from './shaping.ts';
import type { LaidOutMark, LaidOutText } from './shaping.ts';
import { faceOf } from './typeface.ts';
import type { FaceName } from './typeface.ts';

export interface TextStyle {
  readonly face: FaceName;
  readonly size: number;
  readonly color: string;
}

export function createLineWriter(pdf: PDFKit.PDFDocument) {
  const openFace = (name: FaceName) => {
    const typesetter = createTypesetter(faceOf(name));
    pdf.registerFont(name, typesetter.font as unknown as PDFKit.Mixins.PDFFontSource);
    return typesetter;
  };
  const typesetters = { text: openFace('text'), bold: openFace('bold') } satisfies Record<FaceName, unknown>;

  /** Measures text in points. */
  const measure = ({ face, size }: TextStyle, text: string): number => (typesetters[face].measure(text) * size) / 1000;

  const drawMarks = (style: TextStyle, marks: readonly LaidOutMark[], left: number, top: number): void => {
    const { ascent, unitsPerEm } = faceOf(style.face).font;
    const scale = style.size / unitsPerEm;
    for (const { glyph, x, y } of marks) {
      pdf
        .save()
        .translate(left + x * scale, top + (ascent - y) * scale)
        .scale(1, -1);
      glyph.render(pdf as never, style.size);
      pdf.restore();
    }
  };

  return {
    measure,
    /** `runs`: from left to right. Shows characters that the face lacks as code points. */
    write(marker: Marker, style: TextStyle, runs: readonly DirectedRun[], left: number, top: number): void {
      const { face, size, color } = style;
      const { kindOf, layOut } = typesetters[face];
      const { ascent, unitsPerEm } = faceOf(face).font;
      pdf.font(face).fontSize(size).fillColor(color);
      let x = left;
      const draw = (text: string, laidOut?: LaidOutText): void => {
        pdf.text(text, x, top, { lineBreak: false, features: (laidOut ?? asIs) as never });
        x += laidOut ? (laidOut.width * size) / unitsPerEm : measure(style, text);
      };
      const drawNamed = (text: string): void => {
        const y = pdf.page.height - top - (ascent * size) / unitsPerEm;
        drawName(pdf, marker, text, { size, x, y });
        x += measure(style, text);
      };
      const drawRightToLeft = ({ text, runs: parts }: RunGroup): void => {
        const laidOut = layOut(parts);
        if (laidOut.glyphs.length === 0) return;
        marker.begin();
        pdf.markContent('ReversedChars');
        drawMarks(style, laidOut.marks, x, top);
        draw(text, laidOut);
        pdf.endMarkedContent();
      };
      for (const { text, isRightToLeft } of runs) {
        if (isRightToLeft)
          for (const group of groupRuns(splitRuns(text, kindOf)).toReversed())
            if (group.isNamed) drawNamed(group.text);
            else drawRightToLeft(group);
        else
          for (const run of splitRuns(text, kindOf))
            if (run.kind === 'named') drawNamed(run.text);
            else if (run.kind !== 'unseen') {
              marker.begin();
              draw(run.text);
            }
      }
    },
  };
}

/** The parts of pdfkit that write text. */
interface PdfInternals {
  readonly _font: {
    readonly id: string;
    ref(): unknown;
    encode(text: string, features: readonly never[]): readonly [codes: readonly string[], positions: unknown];
  };
  readonly page: { readonly fonts: Record<string, unknown>; readonly height: number };
}

/**
 * Draws the name of a character, with a mark that has the character. Readers take its place from the text object in which the mark ends
 * (poppler); pdfkit's own objects are over by then. `y`: of the base line, from below.
 */
function drawName(
  pdf: PDFKit.PDFDocument,
  marker: Marker,
  character: string,
  { size, x, y }: { readonly size: number; readonly x: number; readonly y: number },
): void {
  const { _font: font, page } = pdf as unknown as PdfInternals;
  page.fonts[font.id] ??= font.ref();
  const [codes] = font.encode(nameCharacter(character), asIs);
  // pdfkit turns the page round.
  pdf.save().transform(1, 0, 0, -1, 0, page.height);
  pdf.addContent(`BT 1 0 0 1 ${x.toFixed(3)} ${y.toFixed(3)} Tm /${font.id} ${size} Tf`);
  marker.begin(character);
  pdf.addContent(`<${codes.join('')}> Tj`);
  marker.end();
  pdf.addContent('ET').restore();
}

/** Switches off pdfkit's word cache, and is all the features that a line has. */
const asIs: readonly never[] = [];

/** Runs that are drawn together: one that is named, or those between two. */
interface RunGroup {
  readonly isNamed: boolean;
  readonly runs: Run[];
  text: string;
}

function groupRuns(runs: Iterable<Run>): RunGroup[] {
  const groups: RunGroup[] = [];
  for (const run of runs) {
    const isNamed = run.kind === 'named';
    const last = groups.at(-1);
    if (last?.isNamed === false && !isNamed) {
      last.runs.push(run);
      last.text += run.text;
    } else groups.push({ isNamed, runs: [run], text: run.text });
  }
  return groups;
}

export type Marker = ReturnType<typeof createMarker>;

/**
 * Marks content in one run, except characters that are shown differently: their mark has the `actual` text for screen readers,
 * search and copying. Marks are expensive: one per line took most of the time of a long document.
 */
export function createMarker(pdf: PDFKit.PDFDocument, mark: (actual?: string) => void) {
  let isOpen = false;
  const end = (): void => {
    if (isOpen) pdf.endMarkedContent();
    isOpen = false;
  };
  return {
    begin(actual?: string): void {
      if (isOpen && actual === undefined) return;
      end();
      mark(actual);
      isOpen = true;
    },
    end,
  };
}

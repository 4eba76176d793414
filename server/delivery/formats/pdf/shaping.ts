/** Sets text with the glyphs of a face: quickly one per character, or by the rules of the font (OpenType). One per document. */
import type { Font, Glyph, Subset } from 'fontkit';
import { elementAt } from '../../../../src/domain/elements.ts';
import { mirror } from './direction.ts';
import { isShaped, nameCharacter, splitRuns } from './runs.ts';
import type { Run, ShapedScript } from './runs.ts';
import type { Face, TextGlyph } from './typeface.ts';

/** Lengths are in units of the font. */
export interface LaidOutText {
  /** The glyph at the left comes first. */
  readonly glyphs: readonly LaidOutGlyph[];
  readonly marks: readonly LaidOutMark[];
  readonly width: number;
}
interface LaidOutGlyph {
  readonly glyph: TextGlyph;
  readonly xAdvance: number;
}
/** A mark of a letter. Its place is counted from the left end of the base line. */
export interface LaidOutMark {
  readonly glyph: Glyph;
  readonly x: number;
  readonly y: number;
}

/** Longer words are set in parts: the font reader takes n² for some words of n letters. */
const partsOfWord = /[^]{1,100}/gu;
/** A letter with its marks and joiners. */
const letters = /[^][\p{M}\u200c\u200d]*/gu;
const isAttached = (code: number): boolean => /[\p{M}\u200c\u200d]/u.test(String.fromCodePoint(code));

export function createTypesetter(face: Face) {
  const scale = 1000 / face.font.unitsPerEm;
  const subsetGlyphs = createSubsetGlyphs();
  // A word takes the font reader 50 µs.
  const words = new Map<string, LaidOutText>();

  const layOutWord = (word: string, script: ShapedScript): LaidOutText => {
    const known = words.get(word);
    if (known) return known;
    const laidOut = joinParts((word.match(partsOfWord) ?? []).map((part) => shape(part, script)));
    words.set(word, laidOut);
    return laidOut;
  };

  /** Readers take a glyph that is raised or moved back for another word. So a letter carries the text of its marks, which are drawn. */
  const shape = (word: string, script: ShapedScript): LaidOutText => {
    const { glyphs, positions } = face.shape(word, script);
    const units = word.match(letters) ?? [];
    const laidOut: LaidOutGlyph[] = [];
    const marks: LaidOutMark[] = [];
    const width = positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
    let x = width;
    // In reading order, that is from right to left.
    for (const [at, glyph] of [...glyphs.entries()].toReversed()) {
      const { xAdvance, xOffset, yOffset } = elementAt(positions, at);
      x -= xAdvance;
      const letterCount = glyph.codePoints.filter((code) => !isAttached(code)).length;
      if (letterCount === 0 && laidOut.length > 0)
        marks.push({ glyph: face.font.getGlyph(glyph.id), x: x + xOffset, y: yOffset });
      else {
        const text = units.splice(0, Math.max(1, letterCount)).join('');
        laidOut.push({ glyph: subsetGlyphs.withText(glyph, text), xAdvance });
      }
    }
    return { glyphs: laidOut.toReversed(), marks, width };
  };

  /** The face lacks the mirror images of a dozen signs, such as ∠, which it then draws as they are. */
  const mirrorIfKnown = (character: string): string => {
    const mirrored = mirror(character);
    return face.kindOf(mirrored) === 'named' ? character : mirrored;
  };

  /** A glyph for each character, without ligatures and kerning, which take longer. */
  const layOutPlain = (text: string): LaidOutText => {
    const glyphs = Array.from(text, (character) => {
      const glyph = face.findGlyph(character);
      return { glyph, xAdvance: glyph.advanceWidth };
    });
    return { glyphs, marks: [], width: glyphs.reduce((sum, { xAdvance }) => sum + xAdvance, 0) };
  };

  /** pdfkit passes `features` on, which is where a text that is laid out already comes in. */
  const layout = (text: string, features: LaidOutText | readonly never[]) => {
    const { glyphs, width } = 'glyphs' in features ? features : layOutPlain(text);
    return {
      glyphs: glyphs.map(({ glyph }) => glyph),
      positions: glyphs.map(({ xAdvance }) => ({ xAdvance, yAdvance: 0, xOffset: 0, yOffset: 0 })),
      advanceWidth: width,
    };
  };
  return {
    kindOf: face.kindOf,
    /** Runs from right to left, in reading order. None is `named`. */
    layOut: (runs: readonly Run[]): LaidOutText =>
      joinParts(
        runs
          .filter(({ kind }) => kind !== 'unseen')
          .map(({ kind, text }) =>
            isShaped(kind)
              ? layOutWord(text, kind)
              : layOutPlain(Array.from(text, mirrorIfKnown).toReversed().join('')),
          ),
      ),
    /** Measures text in thousandths of the font size. */
    measure(text: string): number {
      let width = 0;
      for (const { kind, text: run } of splitRuns(text, face.kindOf)) {
        if (kind === 'unseen') continue;
        if (isShaped(kind)) width += layOutWord(run, kind).width;
        else for (const each of kind === 'named' ? nameCharacter(run) : run) width += face.findGlyph(each).advanceWidth;
      }
      return width * scale;
    },
    /** The font for pdfkit. */
    font: Object.create(face.font, {
      layout: { value: layout },
      createSubset: { value: () => subsetGlyphs.includeIn(face.font.createSubset()) },
    }) as Font,
  };
}

/** Joins parts of a run from right to left, which are in reading order. */
function joinParts(parts: readonly LaidOutText[]): LaidOutText {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const glyphs: LaidOutGlyph[] = [];
  const marks: LaidOutMark[] = [];
  let width = 0;
  for (const part of parts.toReversed()) {
    for (const glyph of part.glyphs) glyphs.push(glyph);
    for (const { glyph, x, y } of part.marks) marks.push({ glyph, x: x + width, y });
    width += part.width;
  }
  return { glyphs, marks, width };
}

/** Includes a glyph once per text that it represents: ي and ی share some glyphs, and a letter may have marks. */
function createSubsetGlyphs() {
  const maxId = 0xffff;
  const known = new Map<string, TextGlyph>();
  const ids: number[] = [];
  return {
    withText({ id, advanceWidth }: Glyph, text: string): TextGlyph {
      const key = `${id} ${text}`;
      let glyph = known.get(key);
      if (!glyph) {
        // Readers expect the order in which it is drawn.
        const codePoints = Array.from(text, (character) => character.codePointAt(0) ?? 0).toReversed();
        glyph = { id: maxId + ids.push(id), advanceWidth, codePoints };
        known.set(key, glyph);
      }
      return glyph;
    },
    includeIn(subset: Subset): Subset {
      const { glyphs, mapping } = subset as unknown as { glyphs: number[]; mapping: Record<number, number> };
      const include = subset.includeGlyph.bind(subset) as unknown as (id: number) => number;
      const includeGlyph = (id: number): number =>
        id <= maxId ? include(id) : (mapping[id] ??= glyphs.push(elementAt(ids, id - maxId - 1)) - 1);
      return Object.assign(subset, { includeGlyph });
    },
  };
}

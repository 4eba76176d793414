/**
 * The typeface of PDF documents: DejaVu Sans Condensed (../fonts/LICENSE), which covers Latin, Greek, Cyrillic, and medical and
 * mathematical symbols. PDF/A requires embedded fonts; pdfkit embeds the glyphs in use.
 */
import { readFileSync } from 'node:fs';
import type { Font, Glyph } from 'fontkit';
import { normalForm } from '../../../../src/domain/normal-form.ts';
import { create } from './library.ts';
import { joinedEmoji } from './runs.ts';

const files = { text: 'DejaVuSansCondensed.ttf', bold: 'DejaVuSansCondensed-Bold.ttf' } as const;
export type FaceName = keyof typeof files;
export const faceNames = Object.keys(files) as FaceName[];

export interface Face {
  /** The font for pdfkit: sets one glyph per character, in time linear in the text. */
  readonly font: Font;
  readonly has: (character: string) => boolean;
  /** In thousandths of the font size. */
  readonly widthOf: (character: string) => number;
}

const opened: Partial<Record<FaceName, Face>> = {};

/** Opened once per thread. */
export const faceOf = (name: FaceName): Face => (opened[name] ??= openFace(name));

function openFace(name: FaceName): Face {
  const font = create(readFileSync(new URL(`../fonts/${files[name]}`, import.meta.url))) as Font;
  const scale = 1000 / font.unitsPerEm;
  const characters = new Set(font.characterSet.map((code) => String.fromCodePoint(code)));
  const glyphs = new Map<string, Pick<Glyph, 'id' | 'advanceWidth' | 'codePoints'>>();
  const findGlyph = (character: string) => {
    const known = glyphs.get(character);
    if (known) return known;
    const code = character.codePointAt(0)!;
    const { id, advanceWidth } = font.glyphForCodePoint(code);
    // fontkit's own glyph lacks its code point if it was first used as a component of another (¹ in ½).
    const glyph = { id, advanceWidth, codePoints: [code] };
    glyphs.set(character, glyph);
    return glyph;
  };
  /** Without ligatures and kerning, which take fontkit 30 µs per character; the width of a line is the sum of its characters. */
  const layout = (text: string) => {
    const run = Array.from(text, findGlyph);
    const positions = run.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
    return { glyphs: run, positions, advanceWidth: run.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0) };
  };
  return {
    font: Object.create(font, { layout: { value: layout } }) as Font,
    has: (character) => !unset.test(character) && characters.has(character),
    widthOf: (character) => findGlyph(character).advanceWidth * scale,
  };
}

/**
 * Scripts that join letters or run from right to left, which one glyph per character cannot represent; and private characters, of
 * which each font has its own.
 */
const unset = /[\p{Script_Extensions=Arabic}\p{Script_Extensions=Hebrew}\p{Script_Extensions=Nko}\p{Co}]/u;

const unseen = new RegExp(
  `(${joinedEmoji.source})|[[\\p{C}\\p{Default_Ignorable_Code_Point}]--[\\n\\p{Co}\\p{Cn}]]`,
  'gv',
);

/** Removes invisible characters except those that join emoji, and replaces all kinds of space except non-breaking ones by a plain space. */
export const normaliseText = (text: string): string =>
  normalForm(text)
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[[\t\p{Zs}]--[\u00a0\u202f]]/gv, ' ')
    .replace(unseen, (_, emoji: string | undefined) => emoji ?? '');

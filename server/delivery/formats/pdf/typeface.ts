/**
 * What PDF documents are written in: DejaVu Sans Condensed (../fonts/LICENSE), which has the letters of Latin, Greek and
 * Cyrillic and the signs of medicine and mathematics. PDF/A wants every font in the file; pdfkit puts in the glyphs in use.
 */
import { readFileSync } from 'node:fs';
import type { Font, Glyph } from 'fontkit';
import { normalForm } from '../../../../src/domain/normal-form.ts';
import { create } from './library.ts';

const files = { text: 'DejaVuSansCondensed.ttf', bold: 'DejaVuSansCondensed-Bold.ttf' } as const;
export type FaceName = keyof typeof files;
export const faceNames = Object.keys(files) as FaceName[];

export interface Face {
  /** As pdfkit takes a font: it sets one glyph a character, in time that grows with the text. */
  readonly font: Font;
  readonly has: (character: string) => boolean;
  /** In thousandths of the size. */
  readonly widthOf: (character: string) => number;
}

const opened: Partial<Record<FaceName, Face>> = {};

/** Opened once a thread. */
export const faceOf = (name: FaceName): Face => (opened[name] ??= openFace(name));

function openFace(name: FaceName): Face {
  const font = create(readFileSync(new URL(`../fonts/${files[name]}`, import.meta.url))) as Font;
  const scale = 1000 / font.unitsPerEm;
  const characters = new Set(font.characterSet);
  const glyphs = new Map<string, Pick<Glyph, 'id' | 'advanceWidth' | 'codePoints'>>();
  const glyphOf = (character: string) => {
    const known = glyphs.get(character);
    if (known) return known;
    const code = character.codePointAt(0)!;
    const { id, advanceWidth } = font.glyphForCodePoint(code);
    // Not fontkit's own glyph: one that it met first as a part of another (¹ in ½) knows no character.
    const glyph = { id, advanceWidth, codePoints: [code] };
    glyphs.set(character, glyph);
    return glyph;
  };
  /** Without ligatures and kerning: fontkit takes 30 µs a character for them, and a line is as wide as its characters. */
  const layout = (text: string) => {
    const run = Array.from(text, glyphOf);
    const positions = run.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
    return { glyphs: run, positions, advanceWidth: run.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0) };
  };
  return {
    font: Object.create(font, { layout: { value: layout } }) as Font,
    has: (character) => !unset.test(character) && characters.has(character.codePointAt(0)!),
    widthOf: (character) => glyphOf(character).advanceWidth * scale,
  };
}

/** Scripts whose letters join or run from right to left: one glyph after the other would not be their writing. */
const unset = /[\p{Script_Extensions=Arabic}\p{Script_Extensions=Hebrew}\p{Script_Extensions=Nko}]/u;

/** The text as it is set: characters that nobody sees are left out, spaces are of one kind but for those that hold words together. */
export const settable = (text: string): string =>
  normalForm(text)
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[[\t\p{Zs}]--[\u00a0\u202f]]/gv, ' ')
    .replace(/[[\p{C}\p{Default_Ignorable_Code_Point}]--[\n\p{Co}\p{Cn}]]/gv, '');

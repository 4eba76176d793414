/**
 * The typeface of PDF documents: DejaVu Sans Condensed (../fonts/LICENSE), which covers Latin, Greek, Cyrillic, Arabic, Hebrew, and
 * medical and mathematical symbols. PDF/A requires embedded fonts; pdfkit embeds the glyphs in use.
 */
import { readFileSync } from 'node:fs';
import type { Font, Glyph, GlyphRun } from 'fontkit';
import { normalForm } from '../../../../src/domain/normal-form.ts';
import { create } from './library.ts';
import { directionMarks, hasRightToLeft } from './direction.ts';
import { joinedEmoji, joiners, shapedScripts } from './runs.ts';
import type { Kind, ShapedScript } from './runs.ts';

const files = { text: 'DejaVuSansCondensed.ttf', bold: 'DejaVuSansCondensed-Bold.ttf' } as const;
export type FaceName = keyof typeof files;
export const faceNames = Object.keys(files) as FaceName[];

/** A glyph, and the characters that a reader copies for it. */
export type TextGlyph = Pick<Glyph, 'id' | 'advanceWidth' | 'codePoints'>;

export interface Face {
  readonly font: Font;
  readonly kindOf: (character: string) => Kind;
  /** The glyph of a character by itself. */
  readonly findGlyph: (character: string) => TextGlyph;
  /** The glyphs of a word from right to left, by the rules of the font, in the order from left to right. */
  readonly shape: (word: string, script: ShapedScript) => GlyphRun;
}

const opened: Partial<Record<FaceName, Face>> = {};

/** Opened once per thread. */
export const faceOf = (name: FaceName): Face => (opened[name] ??= openFace(name));

function openFace(name: FaceName): Face {
  const font = create(readFileSync(new URL(`../fonts/${files[name]}`, import.meta.url))) as Font;
  const kinds = new Map(
    font.characterSet.map((code) => {
      const character = String.fromCodePoint(code);
      return [character, findKind(character)];
    }),
  );
  for (const character of directionMarks) kinds.set(character, 'unseen');
  for (const character of joiners) kinds.set(character, 'joiner');
  const glyphs = new Map<string, TextGlyph>();
  // fontkit itself keeps a glyph with the code points of its first use.
  const freshGlyph = (id: number, codePoints: number[] = []): Glyph =>
    Object.create(font.getGlyph(id), { codePoints: { value: codePoints } }) as Glyph;
  const shaping = Object.create(font, { getGlyph: { value: freshGlyph } }) as Font;
  return {
    font,
    shape: (word, script) => shaping.layout(word, undefined, script, undefined, 'rtl'),
    kindOf: (character) => kinds.get(character) ?? 'named',
    findGlyph(character) {
      const known = glyphs.get(character);
      if (known) return known;
      const code = character.codePointAt(0) ?? 0;
      const { id, advanceWidth } = font.glyphForCodePoint(code);
      // Not fontkit's own: it lacks its code point if it was first used as a component of another (¹ in ½).
      const glyph = { id, advanceWidth, codePoints: [code] };
      glyphs.set(character, glyph);
      return glyph;
    },
  };
}

/** How to show a character that the face has. */
function findKind(character: string): Kind {
  // Private characters differ between fonts.
  if (/\p{Co}/u.test(character)) return 'named';
  return /\p{Nd}/u.test(character)
    ? 'plain'
    : (scriptPatterns.find(([, pattern]) => pattern.test(character))?.[0] ?? 'plain');
}

const scriptPatterns = Object.entries(shapedScripts).map(
  ([tag, script]) => [tag as ShapedScript, new RegExp(`\\p{Script_Extensions=${script}}`, 'u')] as const,
);

const unseenBut = (kept: string): RegExp =>
  new RegExp(`(${joinedEmoji.source})|[[\\p{C}\\p{Default_Ignorable_Code_Point}]--[\\n\\p{Co}\\p{Cn}${kept}]]`, 'gv');
const unseen = unseenBut('');
const unseenAmongLetters = unseenBut(`${directionMarks}${joiners}`);

/**
 * Removes invisible characters except those that join emoji, and those that order or join the letters of a text from right to left;
 * and replaces all kinds of space except non-breaking ones by a plain space.
 */
export const normaliseText = (text: string): string =>
  normalForm(text)
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[[\t\p{Zs}]--[\u00a0\u202f]]/gv, ' ')
    .replace(hasRightToLeft(text) ? unseenAmongLetters : unseen, (_, emoji: string | undefined) => emoji ?? '');

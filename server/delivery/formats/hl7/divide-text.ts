/** Divides the text of a section into the values of its OBX segments, as the receiver wants them. */
import { breakLines } from '../lines.ts';
import type { Hl7Settings } from './settings.ts';

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The letters of a word as people see them, so that no mark loses its letter. */
function* splitLetters(word: string): Generator<string, void> {
  for (const { segment } of letters.segment(word)) yield segment;
}

/** At least one value. */
export function divideText(text: string, { line_length: width, text_rows: rows }: Hl7Settings): readonly string[] {
  const lines =
    width === undefined ? text.split('\n') : [...breakLines(text, { width, widthOf, splitCharacters: splitLetters })];
  return rows === 'line' ? lines : [lines.join('\n')];
}

const widthOf = (letter: string): number => Array.from(letter).length;

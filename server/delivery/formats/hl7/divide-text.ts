/** Divides the text of a section into the values of its OBX segments, as the receiver wants them. */
import { breakLines } from '../lines.ts';
import { escapeHl7 } from './segments.ts';
import type { Hl7Settings } from './settings.ts';

/** Maximum length of a value, escapes included. The standard allows 65,536 (2.A.31); a common parser refuses more than this. */
const maxValue = 32_000;
const lineBreak = '\n';

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The letters of a word as people see them, so that no mark loses its letter. */
function* splitLetters(word: string): Generator<string, void> {
  for (const { segment } of letters.segment(word)) yield segment;
}

/** At least one value. */
export function divideText(text: string, { line_length: width, text_rows: rows }: Hl7Settings): readonly string[] {
  const lines =
    width === undefined
      ? text.split(lineBreak)
      : [...breakLines(text, { width, widthOf, splitCharacters: splitLetters })];
  const whole = rows === 'line' ? lines : [lines.join(lineBreak)];
  return whole.flatMap((value) => (measure(value) <= maxValue ? [value] : divideValue(value)));
}

const widthOf = (text: string): number => Array.from(text).length;
const measure = (text: string): number => escapeHl7(text).length;

/** Values that fit, joined by line breaks the whole one; a line that is too long is broken at a space. */
function divideValue(value: string): readonly string[] {
  const values: string[] = [];
  let lines: string[] = [];
  let used = 0;
  for (const line of value.split(lineBreak).flatMap(breakLine)) {
    const length = measure(line);
    if (lines.length > 0 && used + measure(lineBreak) + length > maxValue) {
      values.push(lines.join(lineBreak));
      lines = [];
      used = 0;
    }
    used += length + (lines.length > 0 ? measure(lineBreak) : 0);
    lines.push(line);
  }
  return [...values, lines.join(lineBreak)];
}

const breakLine = (line: string): readonly string[] =>
  measure(line) <= maxValue
    ? [line]
    : [...breakLines(line, { width: maxValue, widthOf: measure, splitCharacters: splitLetters })];

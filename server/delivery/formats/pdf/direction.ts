/** Lines in the order in which they are drawn, by the Unicode Bidirectional Algorithm (UAX 9). */
import { breakParagraph, splitParagraphs } from '../lines.ts';
import type { LineOptions } from '../lines.ts';
import { createBidi } from './library.ts';

const bidi = createBidi();

/** The blocks that Unicode reserves for scripts from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

export const hasRightToLeft = (text: string): boolean => rightToLeft.test(text);

/** The marks of direction (UAX 9, 2.6), which order their neighbours. */
export const directionMarks = '\u061c\u200e\u200f';

/** Characters of one direction, in reading order. */
export interface DirectedRun {
  readonly text: string;
  readonly isRightToLeft: boolean;
}

export const leftToRight = (text: string): DirectedRun => ({ text, isRightToLeft: false });

/** A line of a paragraph. */
export interface Line {
  /** The run at the left comes first. */
  readonly runs: readonly DirectedRun[];
  /** Whether the first letter of the paragraph is from right to left. */
  readonly isRightToLeft: boolean;
}

/** Breaks the text into lines. A space at the end separates words of consecutive lines, for screen readers and search. */
export function* layLines(text: string, room: LineOptions): Generator<Line> {
  for (const paragraph of splitParagraphs(text)) {
    const directions = hasRightToLeft(paragraph) ? resolveDirections(paragraph) : undefined;
    for (const { start, end } of breakParagraph(paragraph, room)) {
      const line = `${paragraph.slice(start, end)} `;
      if (directions) {
        const levels = new Uint8Array(line.length).fill(directions.base);
        levels.set(directions.levels.subarray(start, end));
        yield { runs: orderRuns(line, levels), isRightToLeft: directions.base === 1 };
      } else yield { runs: [leftToRight(line)], isRightToLeft: false };
    }
  }
}

/** Some of the library's steps take n² for n characters without a letter. No paragraph that a person wrote is longer. */
const maxResolved = 5000;

/** The embedding levels of a paragraph and of its UTF-16 code units. Odd ones run from right to left. */
function resolveDirections(paragraph: string): { base: number; levels: Uint8Array } {
  const text = paragraph.replace(astral, replaceAstral);
  const levels = new Uint8Array(text.length);
  let base: number | undefined;
  for (let start = 0; start < text.length; start += maxResolved) {
    const direction = base === undefined ? 'auto' : base === 1 ? 'rtl' : 'ltr';
    const resolved = bidi.getEmbeddingLevels(text.slice(start, start + maxResolved), direction);
    base ??= resolved.paragraphs[0]?.level;
    levels.set(resolved.levels, start);
  }
  return { base: base ?? 0, levels };
}

const astral = /[\u{10000}-\u{10ffff}]/gu;

/** A text of the same direction and length: the library takes each half of a surrogate pair for a Latin letter. */
const replaceAstral = (character: string): string =>
  hasRightToLeft(character) ? '\u05d0\u05d0' : /\p{L}/u.test(character) ? 'aa' : '\ufffc\ufffc';

interface LevelRun {
  text: string;
  readonly level: number;
}

/** The runs of a line from left to right (UAX 9, rule L2). */
function orderRuns(line: string, levels: Uint8Array): DirectedRun[] {
  const found: LevelRun[] = [];
  for (const [at, level] of levels.entries()) {
    const last = found.at(-1);
    if (last?.level === level) last.text += line.charAt(at);
    else found.push({ text: line.charAt(at), level });
  }
  let runs = found;
  const maxLevel = runs.reduce((max, { level }) => Math.max(max, level), 0);
  for (let level = maxLevel; level > 0; level--) runs = reverseFrom(level, runs);
  return runs.map(({ text, level }) => ({ text, isRightToLeft: level % 2 === 1 }));
}

/** Reverses each sequence of runs whose level is `min` or higher. */
function reverseFrom(min: number, runs: readonly LevelRun[]): LevelRun[] {
  const ordered: LevelRun[] = [];
  let sequence: LevelRun[] = [];
  const endSequence = (): void => {
    for (const run of sequence.toReversed()) ordered.push(run);
    sequence = [];
  };
  for (const run of runs)
    if (run.level >= min) sequence.push(run);
    else {
      endSequence();
      ordered.push(run);
    }
  endSequence();
  return ordered;
}

/** The character to draw in a run from right to left: `)` for `(`. */
export const mirror = (character: string): string => bidi.getMirroredCharacter(character) ?? character;

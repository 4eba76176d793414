/** Help in the width of the terminal, however narrow: commander wraps nothing below 40 columns. */
import type { Help } from 'commander';
import { lastElement } from '../../src/domain/elements.ts';

/** Columns before a term, and before a description on a separate line. */
const indent = { term: 2, description: 6 } as const;
/** Columns between a term and its description. */
const gap = 2;
/** Minimum columns for a description on the line of its term. */
const beside = 26;

/** Columns before the first line, and before further lines. */
interface Indents {
  readonly first: number;
  readonly rest: number;
}

/** Lines of at most `width` columns, broken between words; a longer word is broken between its choices. */
export function wrappedText(text: string, width: number, { first, rest }: Indents = { first: 0, rest: 0 }): string {
  return text
    .split('\n')
    .map((paragraph) => {
      const lines = [''];
      for (const { piece, space } of splitPieces(paragraph, width - rest)) {
        const line = lastElement(lines);
        const before = line === '' ? '' : space;
        const room = width - (lines.length === 1 ? first : rest);
        if (line !== '' && line.length + before.length + piece.length > room) lines.push(piece);
        else lines[lines.length - 1] = line + before + piece;
      }
      return lines.map((line, at) => (line === '' ? '' : ' '.repeat(at === 0 ? first : rest) + line)).join('\n');
    })
    .join('\n');
}

/** A command line that can be copied even if it is broken: a shell continues after a backslash. */
export function wrappedCommand(line: string, width: number): string {
  const indents = { first: indent.term, rest: indent.description };
  if (indent.term + line.length <= width) return wrappedText(line, width, indents);
  const end = ' \\';
  return wrappedText(line, width - end.length, indents).replaceAll('\n', `${end}\n`);
}

/** Words, each with the space before it; the choices of a word longer than a line have none between them. */
function splitPieces(paragraph: string, width: number): { piece: string; space: string }[] {
  return paragraph
    .split(' ')
    .filter((word) => word !== '')
    .flatMap((word) => {
      const choices = word.length > width ? word.split(/(?<=[|,])/) : [word];
      return choices.map((piece, at) => ({ piece, space: at === 0 ? ' ' : '' }));
    });
}

export const wrappedHelp = {
  minWidthToWrap: 1,
  styleUsage(this: Pick<Help, 'helpWidth'>, usage: string): string {
    // Commander puts the title before it.
    return wrappedText(usage, this.helpWidth ?? 80, { first: 'Usage: '.length, rest: indent.description }).trimStart();
  },
  boxWrap(text: string, width: number): string {
    return wrappedText(text, width);
  },
  formatItem(this: Pick<Help, 'helpWidth'>, term: string, termWidth: number, description: string): string {
    const width = this.helpWidth ?? 80;
    const start = indent.term + termWidth + gap;
    const isBeside = width - start >= beside;
    if (!isBeside || term.length > termWidth) {
      const lines = [wrappedText(term, width, { first: indent.term, rest: indent.description })];
      const below = { first: indent.description, rest: indent.description };
      return [...lines, ...(description ? [wrappedText(description, width, below)] : [])].join('\n');
    }
    const text = wrappedText(description, width, { first: start, rest: start });
    return ' '.repeat(indent.term) + term + text.slice(indent.term + term.length);
  },
} satisfies Partial<Help>;

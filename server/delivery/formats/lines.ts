/** Breaks text into lines of a width, in one pass: an unbroken run takes as long as words of the same length. */

export interface LineOptions {
  /** Width of a line, in any unit. */
  readonly width: number;
  /** Width of one character, in the same unit. */
  readonly widthOf: (character: string) => number;
  /** The characters of a word. Default: its code points. */
  readonly splitCharacters?: (word: string) => Iterable<string>;
}

/**
 * Breaks lines at spaces, which it drops there, and inside words that are wider than a line. Keeps the line ends of the
 * text and the spaces at the beginning of its lines. A blank line yields an empty line.
 */
export function* breakLines(text: string, options: LineOptions): Generator<string, void> {
  // `split` would hold all lines at once, and a text may have a million.
  for (let start = 0; start <= text.length;) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    yield* breakLine(text.slice(start, end).trimEnd(), options);
    start = end + 1;
  }
}

/** A word with the spaces before it. */
const words = /(?<! )( *)([^ ]+)/g;

function* breakLine(
  text: string,
  { width, widthOf, splitCharacters = (word) => word }: LineOptions,
): Generator<string, void> {
  let line = '';
  let used = 0;
  for (const [, gap, word] of text.matchAll(words) as Iterable<[string, string, string]>) {
    const gapWidth = gap.length * widthOf(' ');
    const wordWidth = sum(splitCharacters(word), widthOf);
    if (line !== '' && used + gapWidth + wordWidth > width) {
      yield line;
      line = '';
      used = 0;
    } else if (used + gapWidth < width) {
      line += gap;
      used += gapWidth;
    }
    if (used + wordWidth <= width) {
      line += word;
      used += wordWidth;
      continue;
    }
    for (const character of splitCharacters(word)) {
      const characterWidth = widthOf(character);
      if (line !== '' && used + characterWidth > width) {
        // The space before the first word is dropped if no letter of the word fits on the same line.
        if (line.trimEnd() !== '') yield line;
        line = '';
        used = 0;
      }
      line += character;
      used += characterWidth;
    }
  }
  yield line;
}

function sum(word: Iterable<string>, widthOf: LineOptions['widthOf']): number {
  let width = 0;
  for (const character of word) width += widthOf(character);
  return width;
}

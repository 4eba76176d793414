/** Text cut into lines of a width, in one walk along it: an unbroken run costs no more than words of its length. */

export interface LineOptions {
  /** Of a line, in any unit. */
  readonly width: number;
  /** Width of one character, in the same unit. */
  readonly widthOf: (character: string) => number;
}

/**
 * Breaks at spaces, which are dropped there, and inside words that are wider than a line. Line ends of the text stay, and
 * so do spaces at the beginning of its lines; a line without anything is an empty one.
 */
export function* linesOf(text: string, options: LineOptions): Generator<string, void> {
  // Not `split`: of a million lines there is one at a time.
  for (let start = 0; start <= text.length;) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    yield* brokenLine(text.slice(start, end).trimEnd(), options);
    start = end + 1;
  }
}

/** A word with the spaces before it; without spaces at the end of the text, each is found at once. */
const words = /( *)([^ ]+)/g;

function* brokenLine(text: string, { width, widthOf }: LineOptions): Generator<string, void> {
  let line = '';
  let used = 0;
  for (const [, gap, word] of text.matchAll(words) as Iterable<[string, string, string]>) {
    const gapWidth = gap.length * widthOf(' ');
    const wordWidth = sum(word, widthOf);
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
    for (const character of word) {
      const characterWidth = widthOf(character);
      if (line !== '' && used + characterWidth > width) {
        // The space before the first word is given up where not a letter of it would stand beside.
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

function sum(word: string, widthOf: LineOptions['widthOf']): number {
  let width = 0;
  for (const character of word) width += widthOf(character);
  return width;
}

/** Breaks text into lines of a width, in one pass: an unbroken run takes as long as words of the same length. */

export interface LineOptions {
  /** Width of a line, in any unit. */
  readonly width: number;
  /** Width of a character or a word, in the same unit. */
  readonly widthOf: (text: string) => number;
  /** The characters of a word. Default: its code points. */
  readonly splitCharacters?: (word: string) => Iterable<string>;
}

/** Where a line begins in its paragraph, and where it ends. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Breaks each paragraph of the text by `breakParagraph`. */
export function* breakLines(text: string, options: LineOptions): Generator<string, void> {
  for (const paragraph of splitParagraphs(text))
    for (const { start, end } of breakParagraph(paragraph, options)) yield paragraph.slice(start, end);
}

/** The parts of the text between its line ends, without trailing spaces. */
export function* splitParagraphs(text: string): Generator<string, void> {
  // `split` would hold all parts at once, and a text may have a million.
  for (let start = 0; start <= text.length;) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    yield text.slice(start, end).trimEnd();
    start = end + 1;
  }
}

/** A word with the spaces before it. */
const words = /(?<! )( *)([^ ]+)/g;

/**
 * Breaks lines at spaces, which it drops there, and inside words that are wider than a line. Keeps the spaces at the
 * beginning of the paragraph. An empty paragraph yields an empty line.
 */
export function* breakParagraph(
  paragraph: string,
  { width, widthOf, splitCharacters = (word) => word }: LineOptions,
): Generator<LineRange, void> {
  let start = 0;
  let end = 0;
  let used = 0;
  const spaceWidth = widthOf(' ');
  const beginAt = (at: number): void => {
    start = at;
    end = at;
    used = 0;
  };
  for (const { index, 1: gap, 2: word } of paragraph.matchAll(words) as Iterable<{
    index: number;
    1: string;
    2: string;
  }>) {
    const wordStart = index + gap.length;
    const gapWidth = gap.length * spaceWidth;
    const wordWidth = widthOf(word);
    if (end > start && used + gapWidth + wordWidth > width) {
      yield { start, end };
      beginAt(wordStart);
    } else if (used + gapWidth < width) {
      end = wordStart;
      used += gapWidth;
    } else if (end === start) beginAt(wordStart);
    if (used + wordWidth <= width) {
      end = wordStart + word.length;
      used += wordWidth;
      continue;
    }
    let at = wordStart;
    for (const character of splitCharacters(word)) {
      const characterWidth = widthOf(character);
      if (end > start && used + characterWidth > width) {
        // The space before the first word is dropped if no letter of the word fits on the same line.
        if (at > wordStart || paragraph.slice(start, end).trimEnd() !== '') yield { start, end };
        beginAt(at);
      }
      at += character.length;
      end = at;
      used += characterWidth;
    }
  }
  yield { start, end };
}

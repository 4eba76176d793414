/** Looks up the class of a character: a regular expression takes ten times as long on a long text. */

/** The class of each code point: 0 before the first look-up, else `known` and the flags of its class. */
const classes = new Uint8Array(0x110000);
const known = 1;
const mark = 2;
const word = 4;

function findClass(code: number): number {
  const found = classes[code];
  if (found) return found;
  const character = String.fromCodePoint(code);
  const isMark = /^\p{M}$/u.test(character);
  const isWord = /^[\p{L}\p{N}]$/u.test(character);
  return (classes[code] = known | (isMark ? mark : 0) | (isWord ? word : 0));
}

/** Whether the character combines with the one before (general category M). */
export const isMark = (code: number): boolean => code >= 0x300 && (findClass(code) & mark) !== 0;

/** Whether the character is a letter or a digit (general categories L and N). */
export const isLetterOrDigit = (code: number): boolean => (findClass(code) & word) !== 0;

/** The text without its marks. */
export function withoutMarks(text: string): string {
  const kept: string[] = [];
  let from = 0;
  let at = 0;
  for (let code = text.codePointAt(0); code !== undefined; code = text.codePointAt(at)) {
    const next = at + (code > 0xffff ? 2 : 1);
    if (isMark(code)) {
      if (at > from) kept.push(text.slice(from, at));
      from = next;
    }
    at = next;
  }
  return from === 0 ? text : kept.join('') + text.slice(from);
}

/** The largest number of marks that follow each other in the text. */
export function marksInRow(text: string): number {
  let max = 0;
  let row = 0;
  let at = 0;
  for (let code = text.codePointAt(0); code !== undefined; code = text.codePointAt(at)) {
    at += code > 0xffff ? 2 : 1;
    row = isMark(code) ? row + 1 : 0;
    if (row > max) max = row;
  }
  return max;
}

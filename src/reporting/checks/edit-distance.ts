/** The fewest insertions, deletions and substitutions that make one list of words another (Levenshtein), in linear memory. */
import { elementAt } from '../../domain/elements.ts';

/**
 * A word of the first list (`from`) and its counterpart in the second (`to`); one of them alone is an omission or an
 * insertion.
 */
export interface AlignedPair {
  readonly from?: number;
  readonly to?: number;
}

/** In the order of both lists. */
export function alignWords(first: readonly string[], second: readonly string[]): AlignedPair[] {
  const numbers = new Map<string, number>();
  const numbered = (words: readonly string[]): Int32Array =>
    Int32Array.from(words, (word) => {
      const known = numbers.get(word) ?? numbers.size;
      numbers.set(word, known);
      return known;
    });
  const aligned: AlignedPair[] = [];
  alignPart(numbered(first), numbered(second), [0, 0], aligned);
  return aligned;
}

/** The largest table that is kept whole, in cells. */
const maxCells = 250_000;

/** Hirschberg's algorithm: halves the first list and finds the matching cut of the second, until a part is small. */
function alignPart(
  a: Int32Array,
  b: Int32Array,
  [aFrom, bFrom]: readonly [number, number],
  aligned: AlignedPair[],
): void {
  if ((a.length + 1) * (b.length + 1) <= maxCells || a.length < 2) return alignSmall(a, b, [aFrom, bFrom], aligned);
  const middle = a.length >> 1;
  const before = lastRow(a.subarray(0, middle), b);
  const after = lastRow(a.subarray(middle).toReversed(), b.toReversed()).toReversed();
  let [cut, least] = [0, Infinity];
  for (const [at, distance] of before.entries()) {
    const total = distance + elementAt(after, at);
    if (total < least) [cut, least] = [at, total];
  }
  alignPart(a.subarray(0, middle), b.subarray(0, cut), [aFrom, bFrom], aligned);
  alignPart(a.subarray(middle), b.subarray(cut), [aFrom + middle, bFrom + cut], aligned);
}

/** The distances of all of `a` from each beginning of `b`. */
function lastRow(a: Int32Array, b: Int32Array): Int32Array {
  const row = Int32Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    let [diagonal, left] = [i - 1, i];
    row[0] = left;
    for (let j = 1; j <= b.length; j += 1) {
      const above = elementAt(row, j);
      left = Math.min(above + 1, left + 1, diagonal + (a[i - 1] === b[j - 1] ? 0 : 1));
      row[j] = left;
      diagonal = above;
    }
  }
  return row;
}

function alignSmall(
  a: Int32Array,
  b: Int32Array,
  [aFrom, bFrom]: readonly [number, number],
  aligned: AlignedPair[],
): void {
  const width = b.length + 1;
  const table = new Int32Array((a.length + 1) * width);
  const distanceAt = (i: number, j: number): number => elementAt(table, i * width + j);
  const replacing = (i: number, j: number): number => distanceAt(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
  for (let i = 0; i <= a.length; i += 1) {
    for (let j = 0; j <= b.length; j += 1) {
      table[i * width + j] =
        i === 0 || j === 0 ? i + j : Math.min(distanceAt(i - 1, j) + 1, distanceAt(i, j - 1) + 1, replacing(i, j));
    }
  }
  const found: AlignedPair[] = [];
  for (let [i, j] = [a.length, b.length]; i > 0 || j > 0;) {
    const here = distanceAt(i, j);
    if (i > 0 && j > 0 && here === replacing(i, j)) {
      found.push({ from: aFrom + --i, to: bFrom + --j });
    } else if (i > 0 && here === distanceAt(i - 1, j) + 1) found.push({ from: aFrom + --i });
    else found.push({ to: bFrom + --j });
  }
  for (const each of found.toReversed()) aligned.push(each);
}

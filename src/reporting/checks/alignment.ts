/** Aligns the equal words of two texts, in order: anchored at words that both have once, so that time stays linear. */
import { findFirstIndex } from '../words/binary-search.ts';

/** For each word of `b` the place of the same word in `a`, or -1; the places grow. */
export function align(a: readonly string[], b: readonly string[]): Int32Array {
  const places = new Int32Array(b.length).fill(-1);
  /** Stretches still to be aligned. */
  const todo: [aFrom: number, aTo: number, bFrom: number, bTo: number][] = [[0, a.length, 0, b.length]];
  for (let next = todo.pop(); next; next = todo.pop()) {
    let [aFrom, aTo, bFrom, bTo] = next;
    while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) places[bFrom++] = aFrom++;
    while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) places[--bTo] = --aTo;
    if (aFrom === aTo || bFrom === bTo) continue;
    const anchors = findAnchors(a, b, [aFrom, aTo, bFrom, bTo]);
    if (anchors.length === 0) {
      if ((aTo - aFrom) * (bTo - bFrom) <= maxCells) alignStretch(a, b, [aFrom, aTo, bFrom, bTo], places);
      continue;
    }
    let [aLast, bLast] = [aFrom, bFrom];
    for (const [aAt, bAt] of anchors) {
      places[bAt] = aAt;
      todo.push([aLast, aAt, bLast, bAt]);
      [aLast, bLast] = [aAt + 1, bAt + 1];
    }
    todo.push([aLast, aTo, bLast, bTo]);
  }
  return places;
}

/** Above this, a stretch without an anchor counts as another text. */
const maxCells = 40_000;

type Stretch = readonly [aFrom: number, aTo: number, bFrom: number, bTo: number];

/** Words that occur once in both stretches, as the longest run of them that keeps its order (patience diff). */
function findAnchors(
  a: readonly string[],
  b: readonly string[],
  [aFrom, aTo, bFrom, bTo]: Stretch,
): (readonly [number, number])[] {
  const seen = new Map<string, number>();
  for (let at = aFrom; at < aTo; at += 1) seen.set(a[at]!, seen.has(a[at]!) ? -1 : at);
  const inB = new Map<string, number>();
  for (let at = bFrom; at < bTo; at += 1) inB.set(b[at]!, inB.has(b[at]!) ? -1 : at);
  const pairs: (readonly [number, number])[] = [];
  for (let at = bFrom; at < bTo; at += 1) {
    const place = seen.get(b[at]!);
    if (place !== undefined && place >= 0 && inB.get(b[at]!) === at) pairs.push([place, at]);
  }
  return growing(pairs);
}

/** The longest part of the pairs whose first numbers increase. */
function growing(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const ends: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([value], at) => {
    const place = findFirstIndex(ends.length, (each) => pairs[ends[each]!]![0] >= value);
    before[at] = place > 0 ? ends[place - 1]! : -1;
    ends[place] = at;
  });
  const run: (readonly [number, number])[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) run.push(pairs[at]!);
  return run.toReversed();
}

/** The longest common subsequence of two short stretches. */
function alignStretch(
  a: readonly string[],
  b: readonly string[],
  [aFrom, aTo, bFrom, bTo]: Stretch,
  places: Int32Array,
): void {
  const [rows, columns] = [aTo - aFrom, bTo - bFrom];
  const lengths = new Uint16Array((rows + 1) * (columns + 1));
  for (let i = rows - 1; i >= 0; i -= 1) {
    for (let j = columns - 1; j >= 0; j -= 1) {
      lengths[i * (columns + 1) + j] =
        a[aFrom + i] === b[bFrom + j]
          ? lengths[(i + 1) * (columns + 1) + j + 1]! + 1
          : Math.max(lengths[(i + 1) * (columns + 1) + j]!, lengths[i * (columns + 1) + j + 1]!);
    }
  }
  let [i, j] = [0, 0];
  while (i < rows && j < columns) {
    if (a[aFrom + i] === b[bFrom + j]) places[bFrom + j++] = aFrom + i++;
    else if (lengths[(i + 1) * (columns + 1) + j]! >= lengths[i * (columns + 1) + j + 1]!) i += 1;
    else j += 1;
  }
}

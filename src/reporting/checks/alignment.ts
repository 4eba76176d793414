/** Aligns the equal words of two texts, in order: anchored at words that both have once, so that time stays linear. */
import { findFirstIndex } from '../../domain/binary-search.ts';
import { elementAt } from '../../domain/elements.ts';

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

type Pair = readonly [number, number];

/** A pair, and the one before it in the longest run that it ends. */
interface Link {
  readonly pair: Pair;
  readonly before: Link | undefined;
}

type Stretch = readonly [aFrom: number, aTo: number, bFrom: number, bTo: number];

/** Words that occur once in both stretches, as the longest run of them that keeps its order (patience diff). */
function findAnchors(a: readonly string[], b: readonly string[], [aFrom, aTo, bFrom, bTo]: Stretch): Pair[] {
  const inA = placesOfWords(a, aFrom, aTo);
  const pairs: Pair[] = [];
  for (const [word, at] of placesOfWords(b, bFrom, bTo)) {
    const place = inA.get(word) ?? repeated;
    if (place !== repeated && at !== repeated) pairs.push([place, at]);
  }
  return growing(pairs);
}

const repeated = -1;

/** The place of each word of a stretch, in order; `repeated` if it has several. */
function placesOfWords(words: readonly string[], from: number, to: number): Map<string, number> {
  const places = new Map<string, number>();
  for (const [at, word] of words.slice(from, to).entries()) places.set(word, places.has(word) ? repeated : from + at);
  return places;
}

/** The longest part of the pairs whose first numbers increase. */
function growing(pairs: readonly Pair[]): Pair[] {
  const ends: Link[] = [];
  for (const pair of pairs) {
    const place = findFirstIndex(ends.length, (each) => elementAt(ends, each).pair[0] >= pair[0]);
    ends[place] = { pair, before: ends[place - 1] };
  }
  const run: Pair[] = [];
  for (let link = ends.at(-1); link; link = link.before) run.push(link.pair);
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
  const lengthAt = (i: number, j: number): number => elementAt(lengths, i * (columns + 1) + j);
  for (let i = rows - 1; i >= 0; i -= 1) {
    for (let j = columns - 1; j >= 0; j -= 1) {
      lengths[i * (columns + 1) + j] =
        a[aFrom + i] === b[bFrom + j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  let [i, j] = [0, 0];
  while (i < rows && j < columns) {
    if (a[aFrom + i] === b[bFrom + j]) places[bFrom + j++] = aFrom + i++;
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i += 1;
    else j += 1;
  }
}

/** Computes the visible rows of a long list. */

export interface Heights {
  /** `tops[i]`: top of row i in px, plus one entry for the end. */
  readonly tops: Float64Array;
}

export function computeHeights<R>(rows: readonly R[], heightOf: (row: R) => number): Heights {
  const tops = new Float64Array(rows.length + 1);
  rows.forEach((row, at) => (tops[at + 1] = (tops[at] ?? 0) + heightOf(row)));
  return { tops };
}

/** Index of the row at a height (binary search); below the end, the last one. */
export function rowAt({ tops }: Heights, y: number): number {
  let low = 0;
  let high = tops.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** Range of rows (`end` exclusive) in a window of `height` px at `scroll`, plus `spare` px around it. */
export function visibleRows(
  heights: Heights,
  scroll: number,
  height: number,
  spare: number,
): { first: number; end: number } {
  const count = heights.tops.length - 1;
  if (count === 0) return { first: 0, end: 0 };
  return { first: rowAt(heights, scroll - spare), end: rowAt(heights, scroll + height + spare) + 1 };
}

/** Scroll position at which a row and the row before it are fully visible; `undefined` if they are. */
export function scrollTo({ tops }: Heights, row: number, scroll: number, height: number): number | undefined {
  const above = tops[Math.max(0, row - 1)] ?? 0;
  const below = tops[row + 1] ?? 0;
  if (above < scroll) return above;
  if (below > scroll + height) return below - height;
  return undefined;
}

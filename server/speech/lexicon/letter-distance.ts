/**
 * Letters that have to be inserted, omitted, replaced or swapped with their neighbour to make one word another, or more
 * than `max` if it is more.
 */
export function letterDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    if (Math.min(...row) > max) return max + 1;
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

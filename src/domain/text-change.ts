/** What became of a text. */
export interface TextChange {
  /** What was replaced, in the text before. */
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

/** From the first letter that differs to the last. */
export function changeOf(before: string, after: string): TextChange {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let rest = 0;
  while (rest < most - from && before[before.length - 1 - rest] === after[after.length - 1 - rest]) rest += 1;
  return { from, to: before.length - rest, by: after.slice(from, after.length - rest) };
}

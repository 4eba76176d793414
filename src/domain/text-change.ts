/** The part of a text that a change replaces. */
export interface TextChange {
  /** The replaced part of the text before. */
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

/** The change from the first letter that differs to the last. */
export function findChange(before: string, after: string): TextChange {
  const max = Math.min(before.length, after.length);
  let from = 0;
  while (from < max && before[from] === after[from]) from += 1;
  let rest = 0;
  while (rest < max - from && before[before.length - 1 - rest] === after[after.length - 1 - rest]) rest += 1;
  return { from, to: before.length - rest, by: after.slice(from, after.length - rest) };
}

/** Both changes; `undefined` where their places touch, so that one may be about what the other replaced. */
export function mergeTexts(before: string, one: string, other: string): string | undefined {
  if (one === other || other === before) return one;
  if (one === before) return other;
  const [ours, theirs] = [findChange(before, one), findChange(before, other)];
  const [first, second] = theirs.from < ours.from ? [theirs, ours] : [ours, theirs];
  if (first.to >= second.from) return undefined;
  return (
    before.slice(0, first.from) + first.by + before.slice(first.to, second.from) + second.by + before.slice(second.to)
  );
}

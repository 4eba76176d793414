/** Where the caret belongs after the text around it changed: next to the same words, as far as they still exist. */
export function moveCaret(before: string, after: string, caret: number): number {
  let head = 0;
  while (head < caret && before[head] === after[head]) head++;
  if (head === caret) return caret;
  const limit = Math.min(before.length, after.length) - head;
  let tail = 0;
  while (tail < limit && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return after.length - Math.min(tail, before.length - caret);
}

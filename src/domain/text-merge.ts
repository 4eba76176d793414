/** Puts together two changes of one text, where each leaves the other's place alone. */
import { changeOf } from './text-change.ts';

/** Both changes; `undefined` where their places touch, so that one may be about what the other replaced. */
export function mergeTexts(before: string, one: string, other: string): string | undefined {
  if (one === other || other === before) return one;
  if (one === before) return other;
  const [first, second] = [changeOf(before, one), changeOf(before, other)].toSorted((a, b) => a.from - b.from);
  if (first!.to >= second!.from) return undefined;
  return (
    before.slice(0, first!.from) +
    first!.by +
    before.slice(first!.to, second!.from) +
    second!.by +
    before.slice(second!.to)
  );
}

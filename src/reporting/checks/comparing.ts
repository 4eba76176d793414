/** What the checks ask of sections and sentences that they compare. */
import { sectionKind } from '../sections/section-kinds.ts';
import type { Evidence } from './finding.ts';
import type { ReadSection, ReadWord, Sentence } from './reading.ts';

/** What was concluded. */
export const isConclusion = ({ key }: ReadSection): boolean => sectionKind(key)?.concludes === true;
/** What was seen: not why the exam was made, how, or what it is compared with. */
export const tellsFindings = ({ key }: ReadSection): boolean =>
  ['findings', 'examination', 'measurements'].includes(key);

/** Reads a sentence once, however often it is compared. */
export function perSentence<T, More extends readonly unknown[]>(
  read: (sentence: Sentence, ...more: More) => T,
): (sentence: Sentence, ...more: More) => T {
  const known = new WeakMap<Sentence, T>();
  return (sentence, ...more) => {
    const before = known.get(sentence);
    if (before !== undefined) return before;
    const now = read(sentence, ...more);
    known.set(sentence, now);
    return now;
  };
}

export const common = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  a.size === 0 || b.size === 0 ? 0 : [...a].filter((word) => b.has(word)).length;

/** Says on which side something is. */
export const isSide = ({ fact, isElsewhere }: ReadWord): boolean => fact === 'side' && !isElsewhere;

/** The sides that a sentence names: `right`, `left`, `both`. */
export const sidesOf = perSentence(
  ({ words }): ReadonlySet<string> => new Set(words.filter(isSide).map(({ value }) => value!)),
);
export const isSingle = (sides: ReadonlySet<string>): boolean => sides.size === 1 && !sides.has('both');

export const textAt = (
  sections: readonly ReadSection[],
  section: string,
  { start, end }: { start: number; end: number },
): string => sections.find(({ key }) => key === section)!.text.slice(start, end);

/** Speaks of this exam, and of this side. */
export const isOfNow = (sentence: Sentence): boolean => !sentence.compares && !sentence.isPrior;

export const evidenceOf = ({ section }: Sentence, { start, end }: { start: number; end: number }): Evidence => ({
  section,
  start,
  end,
});

/** Properties of sections and sentences that the checks compare. */
import { concludes } from '../sections/section-kinds.ts';
import type { Evidence } from './finding.ts';
import type { ReadSection, ReadWord, Sentence } from './reading.ts';
import { findElement } from '../../domain/elements.ts';

/** Whether the section holds conclusions. */
export const isConclusion = ({ key }: ReadSection): boolean => concludes(key);
/** Whether the section describes findings, not the indication, the technique or comparisons. */
export const describesFindings = ({ key }: Pick<ReadSection, 'key'>): boolean =>
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

/** Whether the word gives a side. */
export const isSide = ({ fact, isElsewhere }: ReadWord): boolean => fact === 'side' && !isElsewhere;

/** The sides that a sentence names: `right`, `left`, `both`. */
export const sidesOf = perSentence(
  ({ words }): ReadonlySet<string> => new Set(words.filter(isSide).flatMap(({ value }) => value ?? [])),
);
export const isSingle = (sides: ReadonlySet<string>): boolean => sides.size === 1 && !sides.has('both');

export const textAt = (
  sections: readonly ReadSection[],
  section: string,
  { start, end }: { start: number; end: number },
): string => findElement(sections, ({ key }) => key === section).text.slice(start, end);

/** Whether the sentence is about this exam, and about this side. */
export const isOfNow = (sentence: Sentence): boolean => !sentence.compares && !sentence.isPrior;

export const citeSentence = ({ section }: Sentence, { start, end }: { start: number; end: number }): Evidence => ({
  section,
  start,
  end,
});

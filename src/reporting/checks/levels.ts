/** Vertebral levels of the impression that the findings, which have others, do not have. */
import { citeSentence, describesFindings, isConclusion, isOfNow, textAt } from './comparing.ts';
import { maxPlaces } from './finding.ts';
import type { FoundFinding } from './finding.ts';
import type { ReadSection, Sentence } from './reading.ts';

/** A disc or vertebra, without T1 to T4, which are sequences and stages too, and S1 alone, a heart sound. */
const levelPattern =
  /(?<![\p{L}\p{N}-])(?:([CTDL])(\d{1,2}) ?[-/] ?([CTDLS]?)(\d{1,2})|(C[1-7]|[TD](?:[5-9]|1[0-2])|L[1-6]))(?![\p{L}\p{N}-])/gu;

interface Level {
  readonly sentence: Sentence;
  readonly start: number;
  readonly end: number;
  /** The first and the last vertebra, counted from C1. */
  readonly from: number;
  readonly to: number;
}

/** How many vertebrae are above those of the letter. */
const above: Readonly<Record<string, number>> = { C: 0, T: 7, D: 7, L: 19, S: 24 };

const countFromTop = (letter: string, number: string): number => (above[letter] ?? 0) + Number(number);

function findLevels({ text, sentences }: ReadSection): Level[] {
  return sentences.flatMap((sentence) =>
    Array.from(text.slice(sentence.start, sentence.end).matchAll(levelPattern), (match): Level => {
      const [whole, letter = '', first = '', last = '', second = '', single = ''] = match;
      const from = single ? countFromTop(single.charAt(0), single.slice(1)) : countFromTop(letter, first);
      const start = sentence.start + match.index;
      const to = single ? from : countFromTop(last || letter, second);
      return { sentence, start, end: start + whole.length, from, to };
    }),
  );
}

/** Between two vertebrae; L4-L5 and L5-S1 share none. */
const isDisc = ({ from, to }: Level): boolean => to > from;

export function checkLevels(sections: readonly ReadSection[]): FoundFinding[] {
  const described = sections.filter(describesFindings).flatMap(findLevels);
  const [other] = described;
  if (!other) return [];
  const discs = described.filter(isDisc);
  const isDescribed = (level: Level): boolean =>
    isDisc(level) && discs.length > 0
      ? discs.some(({ from, to }) => from < level.to && level.from < to)
      : described.some(({ from, to }) => from <= level.to && level.from <= to);
  return sections
    .filter(isConclusion)
    .flatMap(findLevels)
    .filter((level) => isOfNow(level.sentence) && !isDescribed(level))
    .slice(0, maxPlaces)
    .map(({ sentence, start, end }): FoundFinding => ({
      kind: 'measure_differs_between_sections',
      severity: 'warning',
      section: sentence.section,
      start,
      end,
      words: {
        written: textAt(sections, sentence.section, { start, end }),
        other: textAt(sections, other.sentence.section, other),
      },
      evidence: [citeSentence(other.sentence, other)],
    }));
}

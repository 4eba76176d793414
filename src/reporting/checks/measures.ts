/** Measures in sentences. */
import type { Rules } from '../rules.ts';
import { perSentence } from './comparing.ts';
import { lengths } from './plausible.ts';
import type { ReadWord, Sentence } from './reading.ts';
import { elementAt } from '../../domain/elements.ts';

/** A measure: its numbers, in mm if it is a length. */
export interface Measure {
  readonly start: number;
  readonly end: number;
  readonly values: readonly number[];
  readonly unit: string;
  /** First of its words, and the last one, which is the unit. */
  readonly at: number;
  readonly last: number;
}

/** Whether the words before it make it a limit: "nodules under 6 mm". */
export const isLimit = ({ words }: Sentence, { at }: Measure, { lexicon, instructions }: Rules): boolean =>
  [1, 2].some((back) => {
    const word = words[at - back];
    // "o maior de 7 cm" is no limit.
    const isSuperlative = instructions.articles.has(words[at - back - 1]?.key ?? '');
    return word !== undefined && ((lexicon.limits.has(word.key) && !isSuperlative) || /^[<>≤≥]$/.test(word.key));
  });

/** "Increased by 3 mm", "aumento de 3 mm": the difference to another exam. */
export const isDifference = ({ words }: Sentence, { at }: Measure, { lexicon }: Rules): boolean =>
  lexicon.grows.has(words[at - 1]?.key ?? '') ||
  (lexicon.changedBy.has(words[at - 1]?.key ?? '') &&
    words.slice(Math.max(0, at - 4), at - 1).some(({ key }) => lexicon.changes.has(key)));

/** "2 cm above the carina", "a 4 cm da carina". */
export function isDistance({ words }: Sentence, measure: Measure, { lexicon, numbers }: Rules): boolean {
  const [before, number] = [words[measure.at - 1]?.key ?? '', words[measure.at - 2]?.fact];
  const isRange = number === 'number' || numbers.measures.sizes.has(words[measure.at - 2]?.key ?? '');
  return lexicon.distances.has(words[measure.last + 1]?.key ?? '') || (lexicon.distanceMarks.has(before) && !isRange);
}

/** The measures of a sentence; a size counts as one. */
export const measuresIn = perSentence(({ words }): readonly Measure[] => {
  const measures: Measure[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (!isFigure(elementAt(words, at))) continue;
    const first = at;
    while (/^[x]$/.test(words[at + 1]?.key ?? '') && words[at + 2] && isFigure(elementAt(words, at + 2))) at += 2;
    const unit = words[at + 1];
    if (unit?.fact !== 'unit' || unit.value === undefined) continue;
    const numbers = words.slice(first, at + 1).filter(isFigure);
    const scale = lengths[unit.value];
    measures.push({
      start: elementAt(words, first).start,
      end: unit.end,
      values: numbers.map(({ value }) => Number(value) * (scale ?? 1)),
      unit: scale === undefined ? unit.value : 'mm',
      at: first,
      last: at + 1,
    });
  }
  return measures;
});

const isFigure = ({ fact, value }: ReadWord): boolean => fact === 'number' && /^-?\d+(?:\.\d+)?$/.test(value ?? '');

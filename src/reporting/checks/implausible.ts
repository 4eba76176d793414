/** Measures that are impossible for what they measure. */
import { phraseAt } from '../words/phrases.ts';
import type { Rules } from '../rules.ts';
import { isConclusion, describesFindings } from './comparing.ts';
import type { FoundFinding } from './finding.ts';
import { findMeasured } from './measured-noun.ts';
import { measuresIn } from './measures.ts';
import type { Measure } from './measures.ts';
import { baseUnit, plausible } from './plausible.ts';
import type { Plausible } from './plausible.ts';
import type { ReadSection, Sentence } from './reading.ts';

/** Measures that are impossible: mostly because of a wrong unit or decimal sign. */
export function checkPlausible(sections: readonly ReadSection[], rules: Rules): FoundFinding[] {
  const isOfFetus = sections.some(({ tokens }) => tokens.some((_, at) => isFetus(tokens, at, rules)));
  return sections
    .filter((section) => describesFindings(section) || isConclusion(section))
    .flatMap((section) =>
      section.sentences.flatMap((sentence, at) => {
        const isAlong = sentence.words.some(({ key }) => rules.lexicon.alongside.has(key));
        const near = section.sentences.slice(Math.max(0, at - 1), at + 1);
        let before: { measure: Measure; of: string | undefined } | undefined;
        return measuresIn(sentence).flatMap((measure): FoundFinding[] => {
          const of = findMeasured({ sentence, measure, tokens: section.tokens, rules, before });
          before = { measure, of };
          const row = of === undefined ? undefined : findRow(of, { sentence, near, isOfFetus });
          if (!row || isPlausible(measure, row, isAlong)) return [];
          const { start, end } = measure;
          const written = section.text.slice(start, end);
          return [
            { kind: 'unit_implausible', severity: 'warning', section: section.key, start, end, words: { written } },
          ];
        });
      }),
    );
}

const isFetus = (tokens: ReadSection['tokens'], at: number, { lexicon }: Rules): boolean =>
  phraseAt(tokens, at, lexicon.people)?.value === 'fetus' ||
  phraseAt(tokens, at, lexicon.measured)?.value === 'biparietal';

/** The limits of what is measured; `undefined` if the report does not name it. */
function findRow(
  of: string,
  { sentence, near, isOfFetus }: { sentence: Sentence; near: readonly Sentence[]; isOfFetus: boolean },
): Plausible | undefined {
  const isOf =
    (organ: string) =>
    (each: Sentence): boolean =>
      each.organs.some(({ key }) => key === organ);
  // A lung nodule is small by definition.
  const isOfLung = sentence.organs.length > 0 && sentence.organs.every(({ key }) => key === 'lung');
  const row = plausible[of === 'nodule' && isOfLung ? 'pulmonary_nodule' : of];
  if (row?.organ !== undefined && !near.some(isOf(row.organ))) return undefined;
  return row?.life === undefined || (row.life === 'unborn') === isOfFetus ? row : undefined;
}
function isPlausible(
  { values, unit }: Measure,
  { unit: wanted, min, max, along }: Plausible,
  isLength: boolean,
): boolean {
  if (unit !== wanted && baseUnit[unit] !== wanted) return true;
  return values.every((value) => value >= min && value <= (isLength ? (along ?? max) : max));
}

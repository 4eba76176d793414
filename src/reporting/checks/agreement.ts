/** Categories and weeks of pregnancy of the impression that the findings do not have. */
import { describesFindings, isConclusion } from './comparing.ts';
import { maxPlaces } from './finding.ts';
import type { FoundFinding } from './finding.ts';
import { categoryPattern } from './impossible.ts';
import type { ReadSection } from './reading.ts';
import type { Rules } from '../rules.ts';
import { findFirstIndex } from '../../domain/binary-search.ts';
import { phraseAt } from '../words/phrases.ts';
import { elementAt } from '../../domain/elements.ts';

interface Value {
  readonly section: ReadSection;
  readonly start: number;
  readonly end: number;
  /** The system of a category, or `weeks`. */
  readonly of: string;
  readonly value: string;
}

const weeksPattern = /\b(\d{1,2})(?: |-)(?:weeks?|semanas?)\b(?! (?:ago|atrás))/gi;

function valuesIn(section: ReadSection, isPregnancy: boolean): Value[] {
  const { text, sentences } = section;
  const isPrior = (at: number): boolean =>
    sentences[findFirstIndex(sentences.length, (nth) => elementAt(sentences, nth).end > at)]?.isPrior === true;
  const found = (pattern: RegExp, of: (match: RegExpExecArray) => [of: string, value: string]): Value[] =>
    Array.from(text.matchAll(pattern))
      .filter(({ index }) => !isPrior(index))
      .map((match) => {
        const [name, value] = of(match);
        return { section, start: match.index, end: match.index + match[0].length, of: name, value };
      });
  return [
    ...found(categoryPattern, ([, name = '', category = '']) => [name.toUpperCase(), category.toUpperCase()]),
    ...(isPregnancy ? found(weeksPattern, ([, weeks = '']) => ['weeks', weeks]) : []),
  ];
}

export function checkAgreement(sections: readonly ReadSection[], { lexicon }: Rules): FoundFinding[] {
  const isPregnancy = sections.some(({ tokens }) =>
    tokens.some((_, at) => /^(?:fetus|pregnancy)$/.test(phraseAt(tokens, at, lexicon.people)?.value ?? '')),
  );
  const inFindings = Map.groupBy(
    sections.filter(describesFindings).flatMap((section) => valuesIn(section, isPregnancy)),
    ({ of }) => of,
  );
  const known = new Set([...inFindings].flatMap(([of, values]) => values.map(({ value }) => `${of} ${value}`)));
  const concluded = sections.filter(isConclusion).flatMap((section) => valuesIn(section, isPregnancy));
  const found = concluded.flatMap(({ section, start, end, of, value }): FoundFinding[] => {
    const [other] = inFindings.get(of) ?? [];
    if (!other || known.has(`${of} ${value}`)) return [];
    return [
      {
        kind: 'measure_differs_between_sections',
        severity: 'warning',
        section: section.key,
        start,
        end,
        words: { written: section.text.slice(start, end), other: other.section.text.slice(other.start, other.end) },
        evidence: [{ section: other.section.key, start: other.start, end: other.end }],
      },
    ];
  });
  return found.slice(0, maxPlaces);
}

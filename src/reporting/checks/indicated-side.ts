/** The other side of the part that the indication names: "pain in the left knee", and a tear of the right one. */
import { citeSentence, describesFindings, isConclusion, isOfNow, isSide, sidesOf, textAt } from './comparing.ts';
import type { FoundFinding } from './finding.ts';
import { placesIn, pairedRegions } from './regions.ts';
import type { ReadSection, ReadWord, Sentence } from './reading.ts';
import type { Rules } from '../rules.ts';

interface SidedWord {
  readonly section: ReadSection;
  readonly sentence: Sentence;
  readonly word: ReadWord;
}

export function checkIndicatedSide(sections: readonly ReadSection[], rules: Rules): FoundFinding[] {
  const indicated = sections
    .filter(({ key }) => key === 'indication' || key === 'history')
    .flatMap((section) => findSided(section, ({ isHistory }) => !isHistory));
  const sides = new Set(indicated.map(({ word }) => word.value));
  const [first] = indicated;
  const side = first?.word.value;
  if (!first || side === undefined || side === 'both' || sides.size !== 1) return [];
  const regions = new Set(indicated.flatMap((each) => findPairedRegions(each, rules)));
  if (regions.size === 0) return [];
  const seen = sections
    .filter((section) => describesFindings(section) || isConclusion(section))
    .flatMap((section) => findSided(section, isOfNow));
  // If the side of the indication occurs anywhere, the other one is compared with it, or found as well.
  if (seen.some(({ sentence }) => sidesOf(sentence).has(side) || sidesOf(sentence).has('both'))) return [];
  const other = seen.find((each) => findPairedRegions(each, rules).some((region) => regions.has(region)));
  if (!other) return [];
  const { section, word } = other;
  return [
    {
      kind: 'side_differs_between_sections',
      severity: 'warning',
      section: section.key,
      start: word.start,
      end: word.end,
      words: {
        written: textAt(sections, section.key, word),
        other: textAt(sections, first.section.key, first.word),
      },
      evidence: [citeSentence(first.sentence, first.word)],
    },
  ];
}

const findSided = (section: ReadSection, isMeant: (sentence: Sentence) => boolean): SidedWord[] =>
  section.sentences
    .filter(isMeant)
    .flatMap((sentence) => sentence.words.filter(isSide).map((word) => ({ section, sentence, word })));

const findPairedRegions = ({ section, sentence }: SidedWord, { lexicon }: Rules): string[] =>
  placesIn(section, sentence, lexicon.regions)
    .map(({ value }) => value)
    .filter((region) => pairedRegions.has(region));

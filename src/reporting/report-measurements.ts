/** Measurements of this exam that a report gives: for receivers that take values as well as text. */
import type { Section } from '../contract/document.ts';
import type { Language } from '../contract/shared.ts';
import { readSection } from './checks/reading.ts';
import type { ReadSection, ReadWord, Sentence } from './checks/reading.ts';
import { describesFindings, isOfNow, isSide } from './checks/comparing.ts';
import { findMeasured } from './checks/measured-noun.ts';
import { isDifference, isLimit, measuresIn } from './checks/measures.ts';
import type { Measure } from './checks/measures.ts';
import { findRules } from './rules.ts';
import type { Rules } from './rules.ts';
import type { Span } from './words/token.ts';

/** Longer than any report, as for the checks. */
const maxLength = 200_000;

export type Side = 'right' | 'left' | 'both';

/** Its place is that of its figures and unit in the text of the section. */
export interface ReportMeasurement extends Span {
  /** As decimals with a point, one per axis. */
  readonly values: readonly string[];
  /** Symbol of the unit, as reports write it: `mm`, `cm³`. */
  readonly unit: string;
  /** Absent if the sentence names no side, or does not say which one it measures. */
  readonly side?: Side;
  /** A key of the languages' `measured` words. Absent: unknown. */
  readonly measured?: string;
}

/** A sentence, by its place in the text of the section. */
export interface MeasuredSentence extends Span {
  readonly measurements: readonly ReportMeasurement[];
}

/**
 * The sentences with measurements, in their order. Leaves out what is no measurement of this exam: limits, differences, distances
 * and ranges, prior exams, negations. A text that is longer than the checks read has none.
 */
export function readMeasurements(section: Section, language: Language): readonly MeasuredSentence[] {
  if (section.text.length > maxLength || !/\d/.test(section.text)) return [];
  const rules = findRules(language);
  const read = readSection(section, rules);
  if (!describesFindings(read)) return [];
  return read.sentences.flatMap((sentence) => {
    const measurements = measurementsIn(sentence, read, rules);
    return measurements.length === 0 ? [] : [{ start: sentence.start, end: sentence.end, measurements }];
  });
}

function measurementsIn(sentence: Sentence, { tokens }: ReadSection, rules: Rules): readonly ReportMeasurement[] {
  if (!isOfNow(sentence) || sentence.isHistory || isDenied(sentence)) return [];
  const measures = measuresIn(sentence);
  const findSide = sideByMeasure(sentence, measures);
  let before: { measure: Measure; of: string | undefined } | undefined;
  return measures.flatMap((measure): ReportMeasurement[] => {
    const of = findMeasured({ sentence, measure, tokens, rules, before });
    before = { measure, of };
    if (isLimit(sentence, measure, rules) || isDifference(sentence, measure, rules)) return [];
    if (isDistanceOrRange(sentence, measure, rules)) return [];
    const words = sentence.words.slice(measure.at, measure.last + 1);
    const values = words.filter(({ fact }) => fact === 'number').flatMap(({ value }) => value ?? []);
    const side = of !== undefined && unpaired.has(of) ? undefined : findSide(measure);
    const unit = words.at(-1)?.value ?? '';
    const { start, end } = measure;
    return [
      { start, end, values, unit, ...(side !== undefined && { side }), ...(of !== undefined && { measured: of }) },
    ];
  });
}

/** Whether all findings that it names are absent or suspected: "sem nódulos, exceto" affirms. */
const isDenied = ({ mentions }: Sentence): boolean =>
  mentions.length > 0 && mentions.every((each) => (each.isDenied && !each.hasException) || each.isHypothetical);

/** "a 4 cm da carina", "2 cm above", "3 a 5 mm", "3-5 mm", "5 ± 1 mm". */
function isDistanceOrRange({ words }: Sentence, { at, last }: Measure, { lexicon, numbers }: Rules): boolean {
  const { and, range } = numbers.grammar.decimals;
  const [join, number] = [words[at - 1], words[at - 2]];
  const isJoined = join !== undefined && (and.has(join.key) || range.has(join.key));
  const isRange = join?.fact === 'number' || (number?.fact === 'number' && isJoined);
  return (
    isRange ||
    lexicon.distances.has(words[last + 1]?.key ?? '') ||
    (join !== undefined && lexicon.distanceMarks.has(join.key))
  );
}

/**
 * The side of the only measure is that of its sentence. Of several measures each needs a side between the one before and itself, as
 * in "direito 10 cm, esquerdo 11 cm". A doubtful side is left out: a wrong one does harm.
 */
function sideByMeasure({ words }: Sentence, measures: readonly Measure[]): (measure: Measure) => Side | undefined {
  const sides = words.flatMap((word, at) => (isSide(word) ? [{ at, side: readSide(word) }] : []));
  const isOne = new Set(sides.map(({ side }) => side)).size === 1;
  if (measures.length <= 1) return () => (isOne ? sides[0]?.side : undefined);
  const isAfterAll = (sides.at(-1)?.at ?? 0) > (measures.at(-1)?.at ?? 0);
  return (measure) => {
    const from = measures[measures.indexOf(measure) - 1]?.last ?? -1;
    const near = sides.filter(({ at }) => at > from && at < measure.at);
    return isAfterAll || near.length !== 1 ? undefined : near[0]?.side;
  };
}

/** Organs without a side: a side in their sentence is that of something else. */
const unpaired = new Set(
  'liver spleen gallbladder_wall bile_duct portal_vein aorta endometrium uterus prostate appendix midline'.split(' '),
);

const readSide = ({ value }: ReadWord): Side | undefined =>
  value === 'right' || value === 'left' || value === 'both' ? value : undefined;

/** Compares sides, places and measures of the impression with those of the findings. */
import type { Rules } from '../rules.ts';
import { common, citeSentence, isConclusion, isOfNow, isSide, isSingle, sidesOf, textAt } from './comparing.ts';
import type { FoundFinding } from './finding.ts';
import { isDifference, isDistance, isLimit, measuresIn } from './measures.ts';
import type { Measure } from './measures.ts';
import type { ReadSection, ReadWord, Sentence } from './reading.ts';
import {
  areNear,
  grouped,
  naming,
  isElliptic,
  organsOf,
  splitClauses,
  sameTopic,
  topicOf,
  withElliptic,
} from './topics.ts';
import type { Topics } from './topics.ts';
import { textBefore } from '../../domain/text-before.ts';
import { findElement } from '../../domain/elements.ts';

interface Context {
  readonly sections: readonly ReadSection[];
  readonly topics: Topics;
  readonly rules: Rules;
  readonly sided: Readonly<Record<'all' | 'telling', SidedThing>>;
  /** All measures of the findings, by unit. */
  readonly measured: ReadonlyMap<string, readonly FindingsMeasure[]>;
}

/** A measure of the findings. */
interface FindingsMeasure {
  readonly other: Sentence;
  readonly each: Measure;
}

/** Things that the findings give a side. */
interface SidedThing {
  readonly sides: ReadonlySet<string>;
  /** Words of the sentences that name both sides; whether one of them names nothing else. */
  readonly both: ReadonlySet<string>;
  readonly hasEllipticBoth: boolean;
  /** The first sentence with one side. */
  readonly single: Sentence | undefined;
}

export function checkConsistency(sections: readonly ReadSection[], topics: Topics, rules: Rules): FoundFinding[] {
  const seen = topics.all.map(({ sentence }) => sentence);
  const sided = seen.filter((each) => hasOwnSide(each) && sidesOf(each).size > 0);
  const context = {
    sections,
    topics,
    rules,
    sided: {
      all: sidedIn(sided, rules),
      telling: sidedIn(
        sided.filter(({ isNormal }) => !isNormal),
        rules,
      ),
    },
    measured: byUnit(seen),
  };
  const concluded = sections.filter(isConclusion).flatMap(({ sentences }) => sentences);
  return concluded.flatMap((sentence) => checkSentence(sentence, context));
}

function sidedIn(sentences: readonly Sentence[], rules: Rules): SidedThing {
  const both = sentences.filter((each) => sidesOf(each).has('both'));
  return {
    sides: new Set(sentences.flatMap((each) => [...sidesOf(each)])),
    both: new Set(both.flatMap((each) => [...topicOf(each, rules)])),
    hasEllipticBoth: both.some(isElliptic),
    single: sentences.find((each) => isSingle(sidesOf(each))),
  };
}

/** A side counts everywhere, except in the history; in a comparison only on the side that is compared. */
const hasOwnSide = ({ compares, isHistory, words }: Sentence): boolean =>
  !isHistory && (!compares || words.some(({ fact, isElsewhere }) => fact === 'side' && isElsewhere));

/** A sentence of the impression whose side, place or measure differs from the findings on the same subject. */
function checkSentence(sentence: Sentence, context: Context): FoundFinding[] {
  const parts = splitClauses(sentence, context.rules);
  return parts.flatMap((part) => {
    const sided = hasOwnSide(part) ? findSameClauses(part, hasOwnSide, context) : [];
    const measured = isOfNow(part) ? findSameClauses(part, isOfNow, context) : [];
    const named = naming(part, sided);
    return [
      ...(hasOwnSide(part) ? (checkSide(part, named, context) ?? checkLoneSide(part, context)) : []),
      ...checkPlace(part, named, context),
      ...checkMeasure(part, measured, context),
    ];
  });
}

/** The clauses of the findings on the same subject. */
function findSameClauses(part: Sentence, isMeant: (of: Sentence) => boolean, { topics, rules }: Context): Sentence[] {
  const topic = topicOf(part, rules);
  const speaksOfIt = (other: Sentence): boolean =>
    (isElliptic(other) && areNear(part, other)) ||
    (areNear(part, other) && (common(topic, topicOf(other, rules)) > 0 || common(organsOf(part), organsOf(other)) > 0));
  const found = withElliptic(sameTopic(part, rules, topics).filter(isMeant), topics);
  const parts = found.flatMap((other) => splitClauses(other, rules));
  return parts.length > found.length ? parts.filter(speaksOfIt) : parts;
}

const isOf =
  (fact: ReadWord['fact']) =>
  (word: ReadWord): boolean =>
    word.fact === fact;

function sideFinding(
  part: Sentence,
  word: ReadWord,
  other: Sentence,
  otherWord: ReadWord,
  { sections }: Context,
): FoundFinding {
  return {
    kind: 'side_differs_between_sections',
    severity: 'warning',
    section: part.section,
    start: word.start,
    end: word.end,
    words: { written: textAt(sections, part.section, word), other: textAt(sections, other.section, otherWord) },
    evidence: [citeSentence(other, otherWord)],
  };
}

/** Removes normal statements if the part concludes something: a normal right foot is no fracture of the right foot. */
const selectTelling = (part: Sentence, sentences: readonly Sentence[]): readonly Sentence[] =>
  part.isNormal ? sentences : sentences.filter(({ isNormal }) => !isNormal);

/** `undefined` if the findings give the subject no side. */
function checkSide(part: Sentence, same: readonly Sentence[], context: Context): FoundFinding[] | undefined {
  const sides = sidesOf(part);
  const [side] = sides;
  const sided = selectTelling(
    part,
    same.filter((other) => sidesOf(other).size > 0),
  );
  const [other] = sided;
  if (side === undefined || !isSingle(sides)) return [];
  if (!other) return undefined;
  if (sided.some((each) => sidesOf(each).has(side) || sidesOf(each).has('both'))) return [];
  return [sideFinding(part, findElement(part.words, isSide), other, findElement(other.words, isSide), context)];
}

/** A side that the findings never name, while they name the other one. */
function checkLoneSide(part: Sentence, context: Context): FoundFinding[] {
  const [side] = sidesOf(part);
  // "Sem alterações à direita" concludes nothing that the findings would name.
  if (side === undefined || part.words.some(isOf('negation'))) return [];
  const { sides, both, hasEllipticBoth, single: other } = context.sided[part.isNormal ? 'all' : 'telling'];
  const isNamed = sides.has(side) || hasEllipticBoth || common(topicOf(part, context.rules), both) > 0;
  if (isNamed || !other) return [];
  return [sideFinding(part, findElement(part.words, isSide), other, findElement(other.words, isSide), context)];
}

/** "lobo superior" if the findings on the same subject have only "lobo inferior". */
function checkPlace(part: Sentence, same: readonly Sentence[], context: Context): FoundFinding[] {
  if (!isOfNow(part)) return [];
  const isPlace = isOf('place');
  const rowOf = ({ value }: ReadWord): string | undefined => value && textBefore(value, ' ');
  const places = part.words.filter(isPlace);
  return places.flatMap((word): FoundFinding[] => {
    const isOfRow = (each: ReadWord): boolean => isPlace(each) && rowOf(each) === rowOf(word);
    const others = same.flatMap((sentence) => sentence.words.filter(isOfRow).map((each) => ({ sentence, each })));
    const [other] = others;
    if (!other || others.some(({ each }) => each.value === word.value) || places.filter(isOfRow).length > 1) return [];
    return [sideFinding(part, word, other.sentence, other.each, context)];
  });
}

/** The allowed rounding of a measure; whole centimetres may be rounded more. */
const isRounded = (a: number, b: number): boolean =>
  Math.abs(a - b) <= Math.max(0.5, (a % 10 === 0 ? 0.15 : 0.06) * Math.max(a, b));

/** Beyond this many different measures in the findings, none identifies a subject. */
const maxMeasures = 400;

/** A measure that is none of those of the subject in the findings, or none of any there. */
function checkMeasure(
  part: Sentence,
  same: readonly Sentence[],
  { sections, measured: all, rules }: Context,
): FoundFinding[] {
  const measures = measuresIn(part);
  if (part.compares || measures.length === 0) return [];
  const own = byUnit(same);
  // "9 mm, before 6 mm": the first one is of now.
  return measures.slice(0, part.isPrior ? 1 : undefined).flatMap((measure): FoundFinding[] => {
    // A distance is no size of another thing: "margens livres, a mais próxima a 2 mm".
    const others = isDistance(part, measure, rules) ? undefined : all.get(measure.unit);
    const known = own.get(measure.unit) ?? others ?? [];
    const [first] = known;
    if (!first || known.length > maxMeasures) return [];
    if (isLimit(part, measure, rules) || isDifference(part, measure, rules)) return [];
    if (known.some(({ each }) => isSame(measure, each))) return [];
    const { other, each } = first;
    return [
      {
        kind: 'measure_differs_between_sections',
        severity: 'warning',
        section: part.section,
        start: measure.start,
        end: measure.end,
        words: { written: textAt(sections, part.section, measure), other: textAt(sections, other.section, each) },
        evidence: [citeSentence(other, each)],
      },
    ];
  });
}

/** The different measures of the sentences, by unit, in order. */
function byUnit(sentences: readonly Sentence[]): Map<string, FindingsMeasure[]> {
  const different = new Map<string, FindingsMeasure>();
  for (const other of sentences)
    for (const each of measuresIn(other)) {
      const key = `${each.unit} ${each.values}`;
      if (!different.has(key)) different.set(key, { other, each });
    }
  return grouped([...different.values()], ({ each }) => [each.unit]);
}

const isSame = ({ values }: Measure, known: Measure): boolean =>
  values.every((value) => known.values.some((each) => isRounded(value, each)));

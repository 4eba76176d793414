/** The impression against the findings: sides, measures, and what the findings do not tell. */
import type { Rules } from '../rules.ts';
import { stem } from '../stem.ts';
import { common, evidenceOf, isConclusion, isOfNow, isSingle, sidesOf, tellsFindings, textAt } from './comparing.ts';
import type { Found } from './finding.ts';
import { isLimit, measuresIn } from './measures.ts';
import type { ReadSection, ReadWord, Sentence } from './reading.ts';

/** Words that say what a sentence is about. */
const topicOf = (sentence: Sentence, { lexicon }: Rules): Set<string> =>
  new Set(
    sentence.words
      .filter(({ fact, key }) => fact === undefined && key.length > 2 && !lexicon.small.has(key))
      .map(({ key }) => stem(key)),
  );

interface Topic {
  readonly sentence: Sentence;
  readonly words: ReadonlySet<string>;
}

/** Sentences of the findings, by each word that says what they are about. */
interface Topics {
  readonly all: readonly Topic[];
  readonly byWord: ReadonlyMap<string, readonly Topic[]>;
  /** By the findings that they affirm. */
  readonly byFinding: ReadonlyMap<string, readonly Topic[]>;
}

function grouped<T>(all: readonly T[], keysOf: (of: T) => Iterable<string>): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    for (const key of keysOf(each)) {
      const group = groups.get(key);
      if (group) group.push(each);
      else groups.set(key, [each]);
    }
  }
  return groups;
}

/** What a finding is wherever it is. */
const bases: Readonly<Record<string, string>> = {
  pulmonary_nodule: 'nodule',
  kidney_stone: 'stone',
  gallstone: 'stone',
};

/** The findings that a sentence affirms. */
const affirmed = ({ mentions }: Sentence): Set<string> =>
  new Set(mentions.filter(({ isDenied }) => !isDenied).map(({ key }) => bases[key] ?? key));

function topicsOf(sections: readonly ReadSection[], rules: Rules): Topics {
  const all = sections
    .filter(tellsFindings)
    .flatMap(({ sentences }) => sentences.map((sentence) => ({ sentence, words: topicOf(sentence, rules) })));
  const byWord = grouped(all, ({ words }) => words);
  const byFinding = grouped(all, ({ sentence }) => affirmed(sentence));
  return { all, byWord, byFinding };
}

/** Most sentences that one is compared with. */
const mostSentences = 100;

/**
 * Sentences of the findings that speak of the same: two words in common, or all of the shorter one's, or the finding itself
 * ("nódulo") where nothing else is called so; never those of other organs.
 */
function sameTopic(sentence: Sentence, rules: Rules, topics: Topics): Sentence[] {
  const words = topicOf(sentence, rules);
  const counted = new Map<Topic, number>();
  for (const word of words) {
    // A word of very many sentences tells none from another.
    const known = topics.byWord.get(word) ?? [];
    if (known.length <= mostSentences) for (const topic of known) counted.set(topic, (counted.get(topic) ?? 0) + 1);
  }
  const same = [...counted].filter(([topic, count]) => {
    const isSameOrgan = common(organsOf(topic.sentence), organsOf(sentence)) > 0;
    return count + (isSameOrgan ? 1 : 0) >= Math.min(2, words.size, topic.words.size);
  });
  const found = same.length > 0 ? same.map(([topic]) => topic) : onlyOne(sentence, topics);
  return found.map((topic) => topic.sentence).filter((other) => areNear(other, sentence));
}

const organsOf = ({ organs }: Sentence): Set<string> => new Set(organs.map(({ key }) => key));

/** Whether two sentences may speak of one organ. */
const areNear = (a: Sentence, b: Sentence): boolean =>
  a.organs.length === 0 || b.organs.length === 0 || common(organsOf(a), organsOf(b)) > 0;

/** The only sentence of the findings with the finding that this one names. */
function onlyOne(sentence: Sentence, { byFinding }: Topics): readonly Topic[] {
  for (const key of affirmed(sentence)) {
    const found = byFinding.get(key);
    if (found?.length === 1) return found;
  }
  return [];
}

export function checkConsistency(sections: readonly ReadSection[], rules: Rules): Found[] {
  const topics = topicsOf(sections, rules);
  const concluded = sections.filter(isConclusion).flatMap(({ sentences }) => sentences);
  return [
    ...concluded.flatMap((sentence) => differences(sentence, topics, sections, rules)),
    ...unsupported(concluded, sections, topics, rules),
    ...againstNormal(concluded, topics, sections, rules),
  ];
}

/** A sentence of the impression whose side or measure is another than in the findings that speak of the same. */
function differences(sentence: Sentence, topics: Topics, sections: readonly ReadSection[], rules: Rules): Found[] {
  if (!isOfNow(sentence)) return [];
  return partsOf(sentence, rules).flatMap((part) => {
    const topic = topicOf(part, rules);
    const speaksOfIt = (other: Sentence): boolean =>
      isElliptic(other) ||
      (areNear(part, other) &&
        (common(topic, topicOf(other, rules)) > 0 || common(organsOf(part), organsOf(other)) > 0));
    const found = withElliptic(sameTopic(part, rules, topics).filter(isOfNow), topics);
    const parts = found.flatMap((other) => partsOf(other, rules));
    const same = parts.length > found.length ? parts.filter(speaksOfIt) : parts;
    return [...otherSide(part, naming(part, same), sections), ...otherMeasure(part, same, sections, rules)];
  });
}

/** Names neither a finding nor an organ: "Mild narrowing on the right", "and 9 mm in the left lobe". */
const isElliptic = ({ mentions, organs }: Sentence): boolean => mentions.length === 0 && organs.length === 0;

/** With the elliptic sentence that goes on after each. */
function withElliptic(found: readonly Sentence[], { all }: Topics): Sentence[] {
  const next = new Map(all.map(({ sentence }, at) => [sentence, all[at + 1]?.sentence]));
  return found.flatMap((sentence) => {
    const after = next.get(sentence);
    return after?.section === sentence.section && isElliptic(after) && sidesOf(after).size > 0 && !found.includes(after)
      ? [sentence, after]
      : [sentence];
  });
}

/** Of sentences about one thing those that affirm the same finding, where some do: "mama direita sem alterações" is none. */
function naming(sentence: Sentence, same: readonly Sentence[]): readonly Sentence[] {
  const keys = affirmed(sentence);
  const affirms = (other: Sentence): boolean => common(keys, affirmed(other)) > 0;
  return same.some(affirms) ? same.filter((other) => isElliptic(other) || affirms(other)) : same;
}

/** The clauses of a sentence, which may each have a side of their own: "nódulo à direita e cisto à esquerda". */
function partsOf(sentence: Sentence, rules: Rules): Sentence[] {
  const sides = sentence.words.filter(({ fact }) => fact === 'side');
  if (sides.length < 2) return [sentence];
  const parts: Sentence[] = [];
  let from = 0;
  sides.forEach((side, at) => {
    const to = at === sides.length - 1 ? sentence.words.length : endOfPart(sentence.words, side, sides[at + 1]!, rules);
    const words = sentence.words.slice(from, to);
    const [start, end] = [words[0]!, words.at(-1)!];
    const isIn = ({ token }: { readonly token: number }): boolean => token >= start.token && token <= end.token;
    const own = { mentions: sentence.mentions.filter(isIn), organs: sentence.organs.filter(isIn) };
    parts.push({ ...sentence, ...own, words, start: start.start, end: end.end });
    from = to;
  });
  return parts;
}

/** Where the clause of one side ends: before the last joint that stands between it and the next side, else after it. */
function endOfPart(words: Sentence['words'], side: ReadWord, next: ReadWord, { numbers, lexicon }: Rules): number {
  const from = words.indexOf(side) + 1;
  for (let at = words.indexOf(next) - 1; at >= from; at -= 1) {
    const { key } = words[at]!;
    if (numbers.grammar.decimals.and.has(key) || lexicon.joints.has(key)) return at;
  }
  return from;
}

function otherSide(part: Sentence, same: readonly Sentence[], sections: readonly ReadSection[]): Found[] {
  const sides = sidesOf(part);
  const [side] = sides;
  const sided = same.filter((other) => sidesOf(other).size > 0);
  if (!isSingle(sides) || sided.length === 0) return [];
  if (sided.some((other) => sidesOf(other).has(side!) || sidesOf(other).has('both'))) return [];
  const word = part.words.find(({ fact }) => fact === 'side')!;
  const [other] = sided as [Sentence];
  const otherWord = other.words.find(({ fact }) => fact === 'side')!;
  return [
    {
      kind: 'side_differs_between_sections',
      severity: 'warning',
      section: part.section,
      start: word.start,
      end: word.end,
      words: { written: textAt(sections, part.section, word), other: textAt(sections, other.section, otherWord) },
      evidence: [evidenceOf(other, otherWord)],
    },
  ];
}

/** How far a measure may be rounded. */
const isRounded = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(0.5, 0.06 * Math.max(a, b));

function otherMeasure(
  part: Sentence,
  same: readonly Sentence[],
  sections: readonly ReadSection[],
  rules: Rules,
): Found[] {
  return measuresIn(part).flatMap((measure): Found[] => {
    if (isLimit(part, measure, rules)) return [];
    const measured = same
      .flatMap((other) => measuresIn(other).map((each) => ({ other, each })))
      .filter(({ each }) => each.unit === measure.unit);
    if (measured.length === 0) return [];
    const isThere = measured.some(({ each }) =>
      measure.values.every((value) => each.values.some((known) => isRounded(value, known))),
    );
    if (isThere) return [];
    const { other, each } = measured[0]!;
    return [
      {
        kind: 'measure_differs_between_sections',
        severity: 'warning',
        section: part.section,
        start: measure.start,
        end: measure.end,
        words: { written: textAt(sections, part.section, measure), other: textAt(sections, other.section, each) },
        evidence: [evidenceOf(other, each)],
      },
    ];
  });
}

/** Findings that both sections name by the same word. */
const sameWord = new Set([
  'pneumothorax',
  'free_air',
  'pleural_effusion',
  'pericardial_effusion',
  'joint_effusion',
  'free_fluid',
  'hydronephrosis',
  'consolidation',
]);

/** A finding of the impression that the findings do not name at all. */
function unsupported(
  concluded: readonly Sentence[],
  sections: readonly ReadSection[],
  { all, byWord }: Topics,
  rules: Rules,
): Found[] {
  if (all.length === 0) return [];
  const known = new Set(all.flatMap(({ sentence }) => sentence.mentions.map(({ key }) => key)));
  const organs = new Set(all.flatMap(({ sentence }) => [...organsOf(sentence)]));
  const isNew = (sentence: Sentence): boolean =>
    common(organsOf(sentence), organs) === 0 && !sharesWords(sentence, { byWord }, rules);
  return concluded.flatMap((sentence) =>
    sentence.mentions
      .filter(
        (mention) =>
          !mention.isDenied &&
          !mention.isHypothetical &&
          !known.has(mention.key) &&
          (sameWord.has(mention.key) || isNew(sentence)),
      )
      .filter((mention) => !sentence.words.some(({ token, key }) => token === mention.token && byWord.has(stem(key))))
      .map((mention): Found => ({
        kind: 'impression_not_supported',
        severity: 'question',
        section: sentence.section,
        start: mention.start,
        end: mention.end,
        words: { written: textAt(sections, sentence.section, mention) },
      })),
  );
}

const sharesWords = (sentence: Sentence, { byWord }: Pick<Topics, 'byWord'>, rules: Rules): boolean =>
  [...topicOf(sentence, rules)].some((word) => byWord.has(word));

/** A conclusion about organs that the findings do not name, or only as normal: "Abscesso hepático" after "fígado de aspecto normal". */
function againstNormal(
  concluded: readonly Sentence[],
  topics: Topics,
  sections: readonly ReadSection[],
  rules: Rules,
): Found[] {
  const byOrgan = grouped(topics.all, ({ sentence }) => organsOf(sentence));
  return concluded.flatMap((sentence): Found[] => {
    if (sentence.isNormal || sentence.organs.length === 0 || !isOfNow(sentence)) return [];
    if (sentence.words.some(({ fact }) => fact === 'negation')) return [];
    const told = [...organsOf(sentence)].flatMap((organ) => byOrgan.get(organ) ?? []);
    const [first] = told;
    const isNew = told.length === 0 && byOrgan.size > 1 && !sharesWords(sentence, topics, rules);
    if (!isNew && (!first || !told.every((topic) => topic.sentence.isNormal))) return [];
    const words = { written: textAt(sections, sentence.section, sentence) };
    return [
      {
        kind: 'impression_not_supported',
        severity: 'question',
        section: sentence.section,
        start: sentence.start,
        end: sentence.end,
        words,
        ...(first && { evidence: [evidenceOf(first.sentence, first.sentence)] }),
      },
    ];
  });
}

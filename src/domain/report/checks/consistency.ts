/** The document against itself: sides, measures and findings of one section against those of another. */
import { phraseAt } from '../phrases.ts';
import type { Rules } from '../rules.ts';
import { sectionKind } from '../section-kinds.ts';
import type { Evidence, Found } from './finding.ts';
import { baseUnit, lengths, plausible } from './plausible.ts';
import type { Plausible } from './plausible.ts';
import type { Mention, ReadSection, ReadWord, Sentence } from './reading.ts';

/** A measure: its numbers, in mm where it is a length. */
interface Measure {
  readonly start: number;
  readonly end: number;
  readonly values: readonly number[];
  readonly unit: string;
  /** First of its words. */
  readonly at: number;
}

/** The measures of a sentence, sizes as one. */
export function measuresIn({ words }: Sentence): Measure[] {
  const measures: Measure[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (!isFigure(words[at]!)) continue;
    const first = at;
    while (/^[x]$/.test(words[at + 1]?.key ?? '') && words[at + 2] && isFigure(words[at + 2]!)) at += 2;
    const unit = words[at + 1];
    if (unit?.fact !== 'unit') continue;
    const numbers = words.slice(first, at + 1).filter(isFigure);
    const scale = lengths[unit.value!];
    measures.push({
      start: words[first]!.start,
      end: unit.end,
      values: numbers.map(({ value }) => Number(value) * (scale ?? 1)),
      unit: scale === undefined ? unit.value! : 'mm',
      at: first,
    });
  }
  return measures;
}

const isFigure = ({ fact, value }: ReadWord): boolean => fact === 'number' && /^-?\d+(?:\.\d+)?$/.test(value ?? '');

const isConclusion = ({ key }: ReadSection): boolean => sectionKind(key)?.concludes === true;
/** What was seen: not why the exam was made, how, or what it is compared with. */
const tellsFindings = ({ key }: ReadSection): boolean => ['findings', 'examination', 'measurements'].includes(key);

/** Words that say what a sentence is about. */
const topicOf = (sentence: Sentence, { lexicon }: Rules): Set<string> =>
  new Set(
    sentence.words
      .filter(({ fact, key }) => fact === undefined && key.length > 2 && !lexicon.small.has(key))
      .map(({ key }) => stem(key)),
  );

/** Singular and plural, masculine and feminine alike, roughly. */
const stem = (word: string): string =>
  word.length > 5 ? word.replace(/(?:oes|aes|ais|eis|es|os|as|s|o|a|e)$/, '') : word.replace(/s$/, '');

const common = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => [...a].filter((word) => b.has(word)).length;

const sidesOf = ({ words }: Sentence): Set<string> =>
  new Set(words.filter(({ fact }) => fact === 'side').map(({ value }) => value!));
const isSingle = (sides: ReadonlySet<string>): boolean => sides.size === 1 && !sides.has('both');

const textAt = (
  sections: readonly ReadSection[],
  section: string,
  { start, end }: { start: number; end: number },
): string => sections.find(({ key }) => key === section)!.text.slice(start, end);

const isOfNow = (sentence: Sentence): boolean => !sentence.compares && !sentence.isPrior;

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
    ...contradictions(sections),
    ...unsupported(concluded, sections, topics),
    ...implausible(sections, rules),
  ];
}

/** A sentence of the impression whose side or measure is another than in the findings that speak of the same. */
function differences(sentence: Sentence, topics: Topics, sections: readonly ReadSection[], rules: Rules): Found[] {
  if (!isOfNow(sentence)) return [];
  return partsOf(sentence).flatMap((part) => {
    const topic = topicOf(part, rules);
    const speaksOfIt = (other: Sentence): boolean =>
      areNear(part, other) && (common(topic, topicOf(other, rules)) > 0 || common(organsOf(part), organsOf(other)) > 0);
    const found = sameTopic(part, rules, topics).filter(isOfNow);
    const parts = found.flatMap(partsOf);
    const same = parts.length > found.length ? parts.filter(speaksOfIt) : parts;
    return [...otherSide(part, naming(part, same), sections), ...otherMeasure(part, same, sections)];
  });
}

/** Of sentences about one thing those that affirm the same finding, where some do: "mama direita sem alterações" is none. */
function naming(sentence: Sentence, same: readonly Sentence[]): readonly Sentence[] {
  const keys = affirmed(sentence);
  const found = same.filter((other) => common(keys, affirmed(other)) > 0);
  return found.length > 0 ? found : same;
}

/** The clauses of a sentence, which may each have a side of their own: "nódulo à direita e cisto à esquerda". */
function partsOf(sentence: Sentence): Sentence[] {
  const sides = sentence.words.filter(({ fact }) => fact === 'side');
  if (sides.length < 2) return [sentence];
  const parts: Sentence[] = [];
  let from = 0;
  sides.forEach((side, at) => {
    const to = at === sides.length - 1 ? sentence.words.length : sentence.words.indexOf(side) + 1;
    const words = sentence.words.slice(from, to);
    const [start, end] = [words[0]!, words.at(-1)!];
    const isIn = ({ token }: { readonly token: number }): boolean => token >= start.token && token <= end.token;
    const own = { mentions: sentence.mentions.filter(isIn), organs: sentence.organs.filter(isIn) };
    parts.push({ ...sentence, ...own, words, start: start.start, end: end.end });
    from = to;
  });
  return parts;
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

const evidenceOf = ({ section }: Sentence, { start, end }: { start: number; end: number }): Evidence => ({
  section,
  start,
  end,
});

/** How far a measure may be rounded. */
const isRounded = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(0.5, 0.06 * Math.max(a, b));

function otherMeasure(part: Sentence, same: readonly Sentence[], sections: readonly ReadSection[]): Found[] {
  return measuresIn(part).flatMap((measure): Found[] => {
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

interface Named {
  readonly sentence: Sentence;
  readonly mention: Mention;
  readonly section: ReadSection;
}

/** Findings of which there is one or none on a side: a denial of them denies every one. */
const whole = new Set([
  'pneumothorax',
  'pulmonary_embolism',
  'intracranial_haemorrhage',
  'free_air',
  'pleural_effusion',
  'pericardial_effusion',
  'joint_effusion',
  'free_fluid',
  'hydronephrosis',
  'gallstone',
  'kidney_stone',
  'pulmonary_nodule',
  'consolidation',
  'appendicitis',
  'cholecystitis',
  'pancreatitis',
  'steatosis',
  'cardiomegaly',
  'aortic_dissection',
  'ectopic_pregnancy',
  'cord_compression',
  'tamponade',
  'acute_infarct',
]);

/** The same finding affirmed and denied. */
function contradictions(sections: readonly ReadSection[]): Found[] {
  const named = sections
    .filter((section) => tellsFindings(section) || isConclusion(section))
    .flatMap((section) =>
      section.sentences.flatMap((sentence) =>
        sentence.mentions.map((mention): Named => ({ sentence, mention, section })),
      ),
    )
    .filter(({ mention, sentence }) => whole.has(mention.key) && !mention.isQualified && isOfNow(sentence));
  const found: Found[] = [];
  for (const key of new Set(named.map(({ mention }) => mention.key))) {
    const all = named.filter(({ mention }) => mention.key === key);
    const denied = all.filter(({ mention }) => mention.isDenied).slice(0, mostSentences);
    for (const each of all.filter(({ mention }) => !mention.isDenied)) {
      const against = denied.find((other) => isSameName(each, other) && meet(each, other));
      if (against) found.push(contradiction(each, against));
    }
  }
  return found;
}

/** Whether both say it in the same words: a hematoma is no other hemorrhage. */
function isSameName(a: Named, b: Named): boolean {
  const [one, other] = [a, b].map(
    ({ mention, sentence }) =>
      new Set(
        sentence.words.filter(({ start }) => start >= mention.start && start < mention.end).map(({ key }) => stem(key)),
      ),
  ) as [Set<string>, Set<string>];
  return common(one, other) === Math.min(one.size, other.size);
}

/** Whether the two can be the same one: not where they are said of different sides. */
function meet(affirmed: Named, denied: Named): boolean {
  const [a, b] = [affirmed, denied].map(({ sentence }) => sidesOf(sentence)) as [Set<string>, Set<string>];
  return b.size === 0 || a.size === 0 ? b.size === 0 : [...a].some((side) => b.has(side));
}

const contradiction = ({ section, mention }: Named, against: Named): Found => ({
  kind: 'contradiction',
  severity: 'warning',
  section: section.key,
  start: mention.start,
  end: mention.end,
  words: {
    written: section.text.slice(mention.start, mention.end),
    other: against.section.text.slice(against.sentence.start, against.sentence.end),
  },
  evidence: [evidenceOf(against.sentence, against.mention)],
});

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
): Found[] {
  if (all.length === 0) return [];
  const known = new Set(all.flatMap(({ sentence }) => sentence.mentions.map(({ key }) => key)));
  return concluded.flatMap((sentence) =>
    sentence.mentions
      .filter(
        (mention) => !mention.isDenied && !mention.isQualified && !known.has(mention.key) && sameWord.has(mention.key),
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

/** Measures that nothing of the kind can have: mostly a unit or a decimal sign that is wrong. */
function implausible(sections: readonly ReadSection[], rules: Rules): Found[] {
  return sections
    .filter((section) => tellsFindings(section) || isConclusion(section))
    .flatMap(({ key, text, tokens, sentences }) =>
      sentences.flatMap((sentence) => {
        const measures = measuresIn(sentence);
        if (measures.length === 0) return [];
        return measures.flatMap((measure): Found[] => {
          const row = measuredBefore(sentence, measure, { tokens, rules });
          if (!row || isPlausible(measure, row)) return [];
          const written = text.slice(measure.start, measure.end);
          return [
            {
              kind: 'unit_implausible',
              severity: 'warning',
              section: key,
              start: measure.start,
              end: measure.end,
              words: { written },
            },
          ];
        });
      }),
    );
}

/** What is measured: named before the measure, with nothing between that could be measured instead ("rim com cálculo de 8 mm"). */
function measuredBefore(
  { words }: Sentence,
  measure: Measure,
  { tokens, rules }: { tokens: ReadSection['tokens']; rules: Rules },
): Plausible | undefined {
  const { lexicon, numbers } = rules;
  for (let at = measure.at - 1; at >= 0; at -= 1) {
    const word = words[at]!;
    const found = phraseAt(tokens, word.token, lexicon.measured);
    if (found) return plausible[found.value];
    // "com 10 cm", but "com um cisto de 2 cm"
    const isWith = /^(?:com|con|with)$/.test(word.key);
    const isSmall = isWith ? at === measure.at - 1 : lexicon.small.has(word.key);
    const isBetween = word.fact === 'side' || isSmall || numbers.measures.sizes.has(word.key);
    // The last word of a name of several: "fração de ejeção".
    if (!isBetween && !endsMeasured(tokens, word.token, rules)) return undefined;
  }
  return undefined;
}

/** Whether the token is in a phrase that names what is measured. */
const endsMeasured = (tokens: ReadSection['tokens'], at: number, { lexicon }: Rules): boolean =>
  [1, 2, 3].some((back) => (at >= back ? (phraseAt(tokens, at - back, lexicon.measured)?.to ?? 0) > at : false));

function isPlausible({ values, unit }: Measure, { unit: wanted, least, most }: Plausible): boolean {
  if (unit !== wanted && baseUnit[unit] !== wanted) return true;
  return values.every((value) => value >= least && value <= most);
}

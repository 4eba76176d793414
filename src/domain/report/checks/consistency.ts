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
}

function topicsOf(sections: readonly ReadSection[], rules: Rules): Topics {
  const all = sections
    .filter(tellsFindings)
    .flatMap(({ sentences }) => sentences.map((sentence) => ({ sentence, words: topicOf(sentence, rules) })));
  const byWord = new Map<string, Topic[]>();
  for (const topic of all) for (const word of topic.words) byWord.set(word, [...(byWord.get(word) ?? []), topic]);
  return { all, byWord };
}

/** Sentences of the findings that speak of the same: at least two words in common, or all of the shorter one's. */
function sameTopic(words: ReadonlySet<string>, { byWord }: Topics): Sentence[] {
  const counted = new Map<Topic, number>();
  for (const word of words)
    for (const topic of byWord.get(word) ?? []) counted.set(topic, (counted.get(topic) ?? 0) + 1);
  return [...counted]
    .filter(([topic, count]) => count >= Math.min(2, words.size, topic.words.size))
    .map(([{ sentence }]) => sentence);
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
    const same = sameTopic(topicOf(part, rules), topics)
      .filter(isOfNow)
      .flatMap(partsOf)
      .filter((other) => common(topicOf(part, rules), topicOf(other, rules)) > 0);
    return [...otherSide(part, same, sections), ...otherMeasure(part, same, sections)];
  });
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
    parts.push({ ...sentence, words, start: words[0]!.start, end: words.at(-1)!.end });
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
  const sides = sidesOf(part);
  const candidates = same.filter((other) => {
    const others = sidesOf(other);
    return sides.size === 0 || others.size === 0 || [...sides].some((side) => others.has(side));
  });
  return measuresIn(part).flatMap((measure): Found[] => {
    const measured = candidates
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
    const denied = all.filter(({ mention }) => mention.isDenied);
    for (const each of all.filter(({ mention }) => !mention.isDenied)) {
      const against = denied.find((other) => meet(each, other));
      if (against) found.push(contradiction(each, against));
    }
  }
  return found;
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
        (mention) => !mention.isDenied && !mention.isQualified && !known.has(mention.key) && whole.has(mention.key),
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
        return measures.flatMap((measure, at): Found[] => {
          const row = measuredBefore(sentence, measure, measures[at - 1], { tokens, rules });
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

/** What is measured: the last thing named before the measure, and after the measure before it. */
function measuredBefore(
  { words, from }: Sentence,
  measure: Measure,
  before: Measure | undefined,
  { tokens, rules }: { tokens: ReadSection['tokens']; rules: Rules },
): Plausible | undefined {
  const start = before === undefined ? from : words[before.at]!.token;
  for (let at = words[measure.at]!.token - 1; at >= start; at -= 1) {
    const found = phraseAt(tokens, at, rules.lexicon.measured);
    if (found) return plausible[found.value];
    // Another thing may have a measure of its own: "cisto no rim de 5 mm".
    if (phraseAt(tokens, at, rules.lexicon.findings)) return undefined;
  }
  return undefined;
}

function isPlausible({ values, unit }: Measure, { unit: wanted, least, most }: Plausible): boolean {
  if (unit !== wanted && baseUnit[unit] !== wanted) return true;
  return values.every((value) => value >= least && value <= most);
}

/** Conclusions of the impression that the findings do not support. */
import type { Rules } from '../rules.ts';
import { stem } from '../words/stem.ts';
import { common, citeSentence, isConclusion, isOfNow, textAt } from './comparing.ts';
import type { FoundFinding } from './finding.ts';
import type { ReadSection, Sentence } from './reading.ts';
import { grouped, organsOf, topicOf } from './topics.ts';
import type { Topics } from './topics.ts';

export function checkSupport(sections: readonly ReadSection[], topics: Topics, rules: Rules): FoundFinding[] {
  const concluded = sections.filter(isConclusion).flatMap(({ sentences }) => sentences);
  return [...unsupported(concluded, sections, topics, rules), ...againstNormal(concluded, topics, sections, rules)];
}

/** Findings that both sections must name by the same word. */
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

/** A finding of the impression that the findings do not mention. */
function unsupported(
  concluded: readonly Sentence[],
  sections: readonly ReadSection[],
  { all, byWord }: Topics,
  rules: Rules,
): FoundFinding[] {
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
      .map((mention): FoundFinding => ({
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

/**
 * A conclusion about organs that the findings do not mention, or only as normal: "Abscesso hepático" after "fígado de
 * aspecto normal".
 */
function againstNormal(
  concluded: readonly Sentence[],
  topics: Topics,
  sections: readonly ReadSection[],
  rules: Rules,
): FoundFinding[] {
  const byOrgan = grouped(topics.all, ({ sentence }) => organsOf(sentence));
  return concluded.flatMap((sentence): FoundFinding[] => {
    if (sentence.isNormal || sentence.organs.length === 0 || !isOfNow(sentence)) return [];
    if (sentence.words.some(({ fact }) => fact === 'negation')) return [];
    const described = [...organsOf(sentence)].flatMap((organ) => byOrgan.get(organ) ?? []);
    const [first] = described;
    const isNew = described.length === 0 && byOrgan.size > 1 && !sharesWords(sentence, topics, rules);
    if (!isNew && (!first || !described.every((topic) => topic.sentence.isNormal))) return [];
    const words = { written: textAt(sections, sentence.section, sentence) };
    return [
      {
        kind: 'impression_not_supported',
        severity: 'question',
        section: sentence.section,
        start: sentence.start,
        end: sentence.end,
        words,
        ...(first && { evidence: [citeSentence(first.sentence, first.sentence)] }),
      },
    ];
  });
}

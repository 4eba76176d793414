/** Sections without text that the report should have, and sentences in other sections that may belong there. */
import { phraseList } from '../../domain/fold.ts';
import type { ReportSection } from '../input.ts';
import { rads } from '../languages/rads.ts';
import type { Rules } from '../rules.ts';
import { sectionKind } from '../sections/section-kinds.ts';
import { indexVocabulary, soundsAlike } from '../vocabulary/vocabulary.ts';
import { phraseAt, phraseSet } from '../words/phrases.ts';
import type { FoundFinding } from './finding.ts';
import type { ReadSection, Sentence } from './reading.ts';

/**
 * A section that the template requires is a warning; findings and conclusions that it has but does not require are a
 * question, unless it says that they may be left out.
 */
export function checkSections(
  template: readonly ReportSection[],
  sections: readonly ReadSection[],
  rules: Rules,
): FoundFinding[] {
  return template.flatMap(({ key, title, required }): FoundFinding[] => {
    const isWanted = required ?? sectionKind(key)?.isExpected === true;
    const section = sections.find((each) => each.key === key);
    if (!isWanted || (section && section.text.trim() !== '')) return [];
    const elsewhere = belongingTo({ key, title }, sections, rules);
    const [first] = elsewhere;
    const isMissing = required === true && !section;
    return [
      {
        kind: isMissing ? 'section_missing' : 'section_empty',
        severity: required === true ? 'warning' : 'question',
        section: key,
        start: 0,
        end: 0,
        words: { section: title, ...(first && { other: quote(first, sections) }) },
        ...(first && {
          variant: 'elsewhere',
          evidence: elsewhere.map(({ section: of, start, end }) => ({ section: of, start, end })),
        }),
      },
    ];
  });
}

/** Characters of a sentence that a message quotes, and sentences that a finding rests on. */
const maxQuoted = 200;
const maxEvidence = 20;

const quote = ({ section, start, end }: Sentence, sections: readonly ReadSection[]): string =>
  (sections.find(({ key }) => key === section)?.text ?? '').slice(start, Math.min(end, start + maxQuoted));

/** Sections whose sentences belong nowhere else. */
const apart: ReadonlySet<string> = new Set(['patient', 'notice', 'comparison', 'addendum']);

const scores = phraseSet(rads.map(({ phrases, name }) => `${phrases}, ${name}`).join(', '));

/** Sentences that begin with its misheard name, or say what such a section says. */
function belongingTo(
  { key, title }: Pick<ReportSection, 'key' | 'title'>,
  sections: readonly ReadSection[],
  rules: Rules,
): Sentence[] {
  const concludes = sectionKind(key)?.concludes === true;
  const names = indexVocabulary(
    [title, ...phraseList(title)].map((write) => ({ write, for: [] })),
    rules.language,
  );
  const others = sections.filter(
    (each) => each.key !== key && !apart.has(each.key) && sectionKind(each.key)?.concludes !== true,
  );
  return others
    .flatMap(({ tokens, sentences }) =>
      sentences.filter((sentence) => {
        const first = tokens[sentence.from];
        if (first && soundsAlike([first], names) !== undefined) return true;
        return concludes ? isConclusion(sentence, tokens, rules) : isObservation(sentence);
      }),
    )
    .slice(0, maxEvidence);
}

const isObservation = ({ mentions, organs, words, isNormal, isHistory, isPrior }: Sentence): boolean => {
  if (isHistory || isPrior || mentions.some(({ isHypothetical }) => isHypothetical)) return false;
  const isMeasured = organs.length > 0 && words.some(({ fact }) => fact === 'unit');
  return mentions.length > 0 || isNormal || isMeasured;
};

const isConclusion = ({ from, to }: Sentence, tokens: ReadSection['tokens'], { lexicon }: Rules): boolean =>
  tokens
    .slice(from, to)
    .some((_, at) => phraseAt(tokens, from + at, scores) ?? phraseAt(tokens, from + at, lexicon.hypothetical));

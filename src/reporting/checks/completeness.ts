/** Open fields, text that nobody said, and critical findings without a communication. */
import { isDoubted } from '../../domain/heard-text.ts';
import type { HeardText } from '../../domain/heard-text.ts';
import type { ReportSection } from '../input.ts';
import { fieldsIn } from '../vocabulary/macros.ts';
import { phraseAt } from '../words/phrases.ts';
import { isLinear } from '../versions/provenance.ts';
import type { Provenance } from '../versions/provenance.ts';
import type { Rules } from '../rules.ts';
import type { FoundFinding } from './finding.ts';
import { placeAfter, placeOfHeard } from './heard-place.ts';
import type { Place } from './heard-place.ts';
import type { ReadSection } from './reading.ts';
import type { SpokenText } from './transcript.ts';

/** Characters of a field that a message quotes. */
const maxQuoted = 200;

/** Fields of autotexts that are not filled in. */
export const checkFields = (sections: readonly Pick<ReadSection, 'key' | 'text'>[]): FoundFinding[] =>
  sections.flatMap(({ key, text }) =>
    fieldsIn(text).map(({ start, end }): FoundFinding => {
      const words = { written: text.slice(start, Math.min(end, start + maxQuoted)) };
      return { kind: 'field_open', severity: 'warning', section: key, start, end, words };
    }),
  );

/** Text of the template or of the exam that nobody said or confirmed. */
export function checkUnsaid(
  sections: readonly ReadSection[],
  template: readonly ReportSection[],
  provenance: Provenance | undefined,
): FoundFinding[] {
  if (provenance) {
    return provenance.words.flatMap(({ section, start, end, origin }): FoundFinding[] =>
      origin === 'template' || origin === 'exam'
        ? [{ kind: 'unsaid', severity: origin === 'exam' ? 'info' : 'question', section, start, end }]
        : [],
    );
  }
  return sections.flatMap(({ key, text }): FoundFinding[] => {
    const brought = template.find((section) => section.key === key)?.text;
    return brought && text === brought
      ? [{ kind: 'unsaid', severity: 'question', section: key, start: 0, end: text.length }]
      : [];
  });
}

/** Critical findings, if the report does not say that they were communicated. */
export function checkCritical(
  sections: readonly ReadSection[],
  critical: ReadonlySet<string>,
  rules: Rules,
): FoundFinding[] {
  if (sections.some((section) => mentionsCommunication(section, rules))) return [];
  const seen = new Set<string>();
  // The impression is where a critical finding is looked for first.
  const relevant = sections
    .filter(({ key }) => !['indication', 'history', 'comparison', 'technique'].includes(key))
    .toReversed();
  return relevant.flatMap(({ key, text, tokens, sentences }) =>
    sentences.flatMap((sentence) =>
      sentence.mentions.flatMap((mention): FoundFinding[] => {
        if (
          !critical.has(mention.key) ||
          mention.isDenied ||
          mention.isHypothetical ||
          sentence.isPrior ||
          isChronic(tokens.slice(sentence.from, sentence.to), rules) ||
          seen.has(mention.key)
        )
          return [];
        seen.add(mention.key);
        const words = { written: text.slice(mention.start, mention.end) };
        return [
          {
            kind: 'critical_not_communicated',
            severity: 'warning',
            section: key,
            start: mention.start,
            end: mention.end,
            words,
          },
        ];
      }),
    ),
  );
}

/** Whether a sentence says that a critical result was communicated; "não foi possível contato telefônico" does not. */
const mentionsCommunication = ({ tokens, sentences }: ReadSection, { facts, lexicon }: Rules): boolean =>
  sentences.some(({ from, to }) => {
    for (let at = from; at < to; at += 1) {
      if (phraseAt(tokens, at, facts.negations)) return false;
      if (phraseAt(tokens, at, lexicon.communication)) return true;
    }
    return false;
  });

const isChronic = (sentence: ReadSection['tokens'], { lexicon }: Rules): boolean =>
  sentence.some(({ folded }) => lexicon.chronic.has(folded)) &&
  !sentence.some(({ folded }) => lexicon.acute.has(folded));

/** Words that the recogniser doubted, at their places in the report. */
export function checkConfidence(
  heard: HeardText,
  sections: readonly ReadSection[],
  provenance: Provenance | undefined,
): FoundFinding[] {
  const doubted = (heard.words ?? []).filter(isDoubted);
  if (!provenance || doubted.length === 0) return [];
  return doubted.slice(0, maxDoubts).flatMap((word): FoundFinding[] => {
    const run = provenance.words.find(
      (each) => each.heard !== null && each.heard.start < word.end && word.start < each.heard.end,
    );
    const section = run && sections.find(({ key }) => key === run.section);
    if (!run?.heard || !section) return [];
    const [start, end] = isLinear(run)
      ? [
          run.start + Math.max(0, word.start - run.heard.start),
          Math.min(run.end, run.start + word.end - run.heard.start),
        ]
      : [run.start, run.end];
    const touched = section.sentences
      .flatMap(({ words }) => words)
      .find((each) => each.start < end && start < each.end);
    const severity = touched?.fact === undefined ? 'info' : 'question';
    const words = { written: section.text.slice(start, end) };
    return [
      {
        kind: 'low_confidence',
        severity,
        section: run.section,
        start,
        end,
        transcript: { start: word.start, end: word.end },
        words,
      },
    ];
  });
}

/** More questions about one report than people answer. */
const maxDoubts = 100;

/** Words with more than one reading, if the report still has them as they were said. */
export function checkUnclear(
  { doubts, text }: SpokenText,
  sections: readonly ReadSection[],
  provenance: Provenance | undefined,
): FoundFinding[] {
  return doubts.slice(0, maxDoubts).flatMap((doubt): FoundFinding[] => {
    const words = text.slice(doubt.start, doubt.end);
    const after = doubt.isCommand ? placeAfter(doubt.start, sections, provenance) : undefined;
    const place = placeOfWords(words, sections) ?? placeOfHeard(doubt, provenance) ?? after;
    if (!place) return [];
    const { section, start, end } = place;
    return [
      {
        kind: 'unclear',
        severity: 'question',
        section,
        start,
        end,
        transcript: { start: doubt.start, end: doubt.end },
        words: { written: words },
      },
    ];
  });
}

function placeOfWords(words: string, sections: readonly ReadSection[]): Place | undefined {
  for (const { key, text } of sections) {
    const start = text.toLowerCase().indexOf(words.toLowerCase());
    if (start >= 0) return { section: key, start, end: start + words.length };
  }
  return undefined;
}

/** Organs that were removed, and that the report describes. */
import { describesFindings, isConclusion } from './comparing.ts';
import { maxPlaces } from './finding.ts';
import type { FoundFinding } from './finding.ts';
import type { ReadSection, Sentence } from './reading.ts';
import type { Rules } from '../rules.ts';
import { phraseAt } from '../words/phrases.ts';

export function checkRemovedOrgans(sections: readonly ReadSection[], { facts, lexicon }: Rules): FoundFinding[] {
  const removed = new Map<string, { readonly section: ReadSection; readonly start: number; readonly end: number }>();
  for (const section of sections)
    for (const { from, to, start, end } of section.sentences) {
      const isDenied = section.tokens
        .slice(from, to)
        .some((_, i) => phraseAt(section.tokens, from + i, facts.negations));
      for (let at = from; at < to && !isDenied; at += 1) {
        const organ = phraseAt(section.tokens, at, lexicon.removals)?.value;
        if (organ !== undefined && !removed.has(organ)) removed.set(organ, { section, start, end });
      }
    }
  if (removed.size === 0) return [];
  const isAbsent = ({ tokens }: ReadSection, { from, to }: Sentence): boolean =>
    tokens
      .slice(from, to)
      .some((_, i) => phraseAt(tokens, from + i, lexicon.removals) ?? phraseAt(tokens, from + i, lexicon.removedSigns));
  return sections
    .filter((section) => describesFindings(section) || isConclusion(section))
    .flatMap((section) =>
      section.sentences
        .filter((sentence) => !sentence.isPrior && !isAbsent(section, sentence))
        .flatMap((sentence): FoundFinding[] => {
          const organ = sentence.organs.find(({ key }) => removed.has(key));
          const procedure = organ && removed.get(organ.key);
          if (!procedure) return [];
          const { start, end } = sentence;
          return [
            {
              kind: 'contradiction',
              severity: 'warning',
              section: section.key,
              start,
              end,
              words: {
                written: section.text.slice(start, end),
                other: procedure.section.text.slice(procedure.start, procedure.end),
              },
              evidence: [{ section: procedure.section.key, start: procedure.start, end: procedure.end }],
            },
          ];
        }),
    )
    .slice(0, maxPlaces);
}

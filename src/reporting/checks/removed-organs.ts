/** Organs that were removed, and that the report describes. */
import { describesFindings, isConclusion, isSingle, sidesOf } from './comparing.ts';
import { maxPlaces } from './finding.ts';
import type { FoundFinding } from './finding.ts';
import type { ReadSection, Sentence } from './reading.ts';
import type { Rules } from '../rules.ts';
import { phraseAt } from '../words/phrases.ts';

/** Organs of which one may be removed: only what has the side of the procedure is gone. */
const paired: ReadonlySet<string> = new Set(['kidney', 'testis']);

/** The organ, with the only side that the sentence names if it is one of two; `undefined` if it names none. */
function nameRemoved(organ: string, sentence: Sentence): string | undefined {
  const sides = sidesOf(sentence);
  const [side] = sides;
  return paired.has(organ) ? (isSingle(sides) ? `${organ} ${side}` : undefined) : organ;
}

export function checkRemovedOrgans(sections: readonly ReadSection[], { facts, lexicon }: Rules): FoundFinding[] {
  const removed = new Map<string, { readonly section: ReadSection; readonly start: number; readonly end: number }>();
  for (const section of sections)
    for (const sentence of section.sentences) {
      const { from, to, start, end } = sentence;
      const isLeft = section.tokens
        .slice(from, to)
        .some(({ folded }, i) => lexicon.partial.has(folded) || phraseAt(section.tokens, from + i, facts.negations));
      for (let at = from; at < to && !isLeft; at += 1) {
        const removal = phraseAt(section.tokens, at, lexicon.removals)?.value;
        const organ = removal === undefined ? undefined : nameRemoved(removal, sentence);
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
          const names = sentence.organs.map(({ key }) => nameRemoved(key, sentence));
          const procedure = removed.get(names.find((name) => name !== undefined && removed.has(name)) ?? '');
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

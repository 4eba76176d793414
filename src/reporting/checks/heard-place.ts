/** The place that words of the transcript have in the report. */
import { isLinear } from '../versions/provenance.ts';
import type { Provenance } from '../versions/provenance.ts';
import type { Span } from '../words/token.ts';
import type { FoundFinding } from './finding.ts';

export type Place = Pick<FoundFinding, 'section' | 'start' | 'end'>;

export interface HeardPlace extends Place {
  /** Whether the place has exactly these words, in the form of the report. */
  readonly isExact: boolean;
}

/** `undefined` unless the report has all of the words, as they were heard or converted. */
export function placeOfHeard({ start, end }: Span, provenance: Provenance | undefined): HeardPlace | undefined {
  const runs = (provenance?.words ?? []).filter(({ heard }) => heard && heard.start < end && start < heard.end);
  const [first, last] = [runs[0], runs.at(-1)];
  if (!first?.heard || !last?.heard || first.section !== last.section) return undefined;
  if (first.heard.start > start || last.heard.end < end) return undefined;
  const partOfFirst = isLinear(first) ? start - first.heard.start : 0;
  const partOfLast = isLinear(last) ? last.heard.end - end : 0;
  return {
    section: first.section,
    start: first.start + partOfFirst,
    end: Math.max(first.start + partOfFirst, last.end - partOfLast),
    isExact: (isLinear(first) || first.heard.start === start) && (isLinear(last) || last.heard.end === end),
  };
}

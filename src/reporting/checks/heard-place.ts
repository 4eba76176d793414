/** The place that words of the transcript have in the report. */
import type { Section } from '../../contract/document.ts';
import { isHeard, isLinear } from '../versions/provenance.ts';
import type { HeardRun, Provenance } from '../versions/provenance.ts';
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

/** After the last words before this place of the transcript that the report still has; otherwise the beginning of the report. */
export function placeAfter(
  at: number,
  sections: readonly Pick<Section, 'key' | 'text'>[],
  provenance: Provenance | undefined,
): Place {
  let last: HeardRun | undefined;
  for (const run of provenance?.words ?? []) {
    if (isHeard(run) && run.heard.start < at && run.heard.start > (last?.heard.start ?? -1)) last = run;
  }
  const section = sections.find(({ key }) => key === last?.section);
  if (!last || !section) return { section: sections[0]?.key ?? '', start: 0, end: 0 };
  const isInside = isLinear(last) && at < last.heard.end;
  const end = Math.min(isInside ? last.start + at - last.heard.start : last.end, section.text.length);
  return { section: section.key, start: end, end };
}

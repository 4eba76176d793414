/** Where the words of a document come from, and what became of the words that were heard: kept with each version. */
import type { Fate, Origin } from '../../contract/provenance.ts';
import { firstWhere } from '../words/first-where.ts';
import type { Operation } from '../operation.ts';
import type { Span } from '../words/token.ts';

/**
 * Words of a section with one origin. Where they were said as they stand, `heard` is as long as the run, and each word of
 * the one is at the same place in the other.
 */
export interface Run extends Span {
  readonly section: string;
  readonly origin: Origin;
  /** In the transcript; `null` for what nobody said. */
  readonly heard: Span | null;
  /** Id of the operation that wrote them. */
  readonly operation?: string;
  /** Who wrote them (`edited`). */
  readonly by?: string;
}

/** What became of words of the transcript. */
export interface Account extends Span {
  readonly fate: Fate;
  /** Id of the operation that did it. */
  readonly operation?: string;
}

export interface Provenance {
  readonly words: readonly Run[];
  /** Every word of the transcript, once and in order. */
  readonly heard: readonly Account[];
  readonly operations: readonly Operation[];
}

/** Whether each word of the run is at the same place in what was heard. */
export const isLinear = ({ origin, heard, start, end }: Run): boolean =>
  origin === 'said' && heard !== null && heard.end - heard.start === end - start;

/** Whether a run goes on from the last one, in the document as in what was heard. */
export const goesOnFrom = (last: Run, run: Run): boolean =>
  isLinear(last) &&
  isLinear(run) &&
  last.operation === run.operation &&
  run.start - last.end <= 1 &&
  run.start - last.end === run.heard!.start - last.heard!.end;

/** Both as one run. */
export const joinedTo = (last: Run, run: Run): Run => ({
  ...last,
  end: run.end,
  heard: { start: last.heard!.start, end: run.heard!.end },
});

/** The one of some spans, which are in order, that a word is in. */
export function spanAt<T extends Span>(spans: readonly T[], { start, end }: Span): T | undefined {
  const found = spans[firstWhere(spans.length, (at) => spans[at]!.end > start)];
  return found && found.start < end ? found : undefined;
}

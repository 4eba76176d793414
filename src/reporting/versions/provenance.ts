/** The origins of the words of a report, and the fates of the heard words: stored with each version. */
import type { Fate, Origin } from '../../contract/provenance.ts';
import { findFirstIndex } from '../../domain/binary-search.ts';
import type { Operation } from '../operation.ts';
import type { Span } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';

/**
 * Words of a section with one origin. If they were written as said, `heard` is as long as the run, and each word has
 * the same offset in both.
 */
export interface Run extends Span {
  readonly section: string;
  readonly origin: Origin;
  /** In the transcript; `null` for text that nobody said. */
  readonly heard: Span | null;
  /** Id of the operation that wrote them. */
  readonly operation?: string;
  /** Who wrote them (`edited`). */
  readonly by?: string;
}

/** A run that somebody said. */
export interface HeardRun extends Run {
  readonly heard: Span;
}

export const isHeard = (run: Run): run is HeardRun => run.heard !== null;

/** The fate of words of the transcript. */
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

/** Whether each word of the run has the same offset in the transcript. */
export const isLinear = (run: Run): run is HeardRun =>
  run.origin === 'said' && isHeard(run) && run.heard.end - run.heard.start === run.end - run.start;

/** Both as one run if the second continues the first, in the report and in the transcript; else `undefined`. */
export function joinedRun(last: Run, run: Run): HeardRun | undefined {
  if (!isLinear(last) || !isLinear(run) || last.operation !== run.operation) return undefined;
  const gap = run.start - last.end;
  if (gap > 1 || gap !== run.heard.start - last.heard.end) return undefined;
  return { ...last, end: run.end, heard: { start: last.heard.start, end: run.heard.end } };
}

/** The span, of an ordered list, that holds a word. */
export function spanAt<T extends Span>(spans: readonly T[], { start, end }: Span): T | undefined {
  const found = spans[findFirstIndex(spans.length, (at) => elementAt(spans, at).end > start)];
  return found && found.start < end ? found : undefined;
}

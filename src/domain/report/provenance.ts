/** Where the words of a document come from, and what became of the words that were heard: kept with each version. */
import type { Fate, Operation } from './operation.ts';
import type { Origin, Span } from './token.ts';

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

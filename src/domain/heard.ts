/** A dictation as text: from a recogniser, or from a caller who sent the words. */

/** A word about which a recogniser knows more than its letters. */
export interface HeardWord {
  /** The word stands in the text from here up to `end` (not included), in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** When the word was spoken, in seconds from the beginning of the sound. */
  readonly from?: number;
  readonly to?: number;
  /** How sure the recogniser is, from 0 to 1. */
  readonly confidence?: number;
}

/** Text that a recogniser gave and nobody seems to have said: kept beside the words, and never in a document. */
export interface Suppressed {
  readonly text: string;
  /** Where it would stand in the text of what was heard, in UTF-16 units. */
  readonly at: number;
  /** Where it would have been spoken, in seconds from the beginning of the sound. */
  readonly from?: number;
  readonly to?: number;
  /** `silence`: nobody speaks there; `echo`: it repeats the words that the recogniser was given to expect. */
  readonly reason: 'silence' | 'echo';
}

export interface Heard {
  readonly text: string;
  /** The words in the order of the text. Some may be missing, or all. */
  readonly words?: readonly HeardWord[];
  /** In the order of the text. */
  readonly suppressed?: readonly Suppressed[];
}

/** What a recogniser hears of sound that still comes. */
export type LiveHeard =
  /** What is being said. It may change: each partial replaces the one before, and a final replaces the last one. */
  | { readonly kind: 'partial'; readonly text: string }
  /**
   * What was said since the final before, or nothing (`text` empty). It never changes. All sound before `until` has been
   * heard and is never needed again. Times are in seconds from the beginning of the sound of the call.
   */
  | { readonly kind: 'final'; readonly heard: Heard; readonly until: number };

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

export interface Heard {
  readonly text: string;
  /** The words in the order of the text. Some may be missing, or all. */
  readonly words?: readonly HeardWord[];
}

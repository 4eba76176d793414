/** What was said, as text: by a recogniser, or by somebody who sent the words themselves. */

/** A word, as far as a recogniser tells more of it than its letters. */
export interface HeardWord {
  /** From here up to `end` (not included) it stands in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** When it was said, in seconds from the beginning of the sound. */
  readonly from?: number;
  readonly to?: number;
  /** How sure the recogniser is, from 0 to 1. */
  readonly confidence?: number;
}

export interface Heard {
  readonly text: string;
  /** In the order of the text. Some may be missing, or all. */
  readonly words?: readonly HeardWord[];
}

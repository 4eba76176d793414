/** The words that an engine heard in a stretch of sound. */

/** Timing and confidence. Words of a segment without word data share one object. */
export interface WordData {
  /** In seconds from the beginning of the request's audio. */
  readonly from?: number;
  readonly to?: number;
  /** Probability from 0 to 1. */
  readonly confidence?: number;
}

/** Other words that may have been said. */
export interface OtherWords {
  /** As a report has them. */
  readonly text: string;
  /** How many words they may replace, beginning with this one. */
  readonly words: number;
  /** Between 0 and 1. */
  readonly doubt: number;
}

/** A word with its punctuation. */
export interface Word {
  readonly text: string;
  readonly data?: WordData;
  readonly other?: OtherWords;
}

/** Words that the server reports together. */
export interface Segment {
  readonly words: readonly Word[];
  readonly from?: number;
  readonly to?: number;
  /** Mean log probability of the tokens. */
  readonly logprob?: number;
  /** Probability that nobody speaks. */
  readonly noSpeech?: number;
  /** Compression ratio of the text. */
  readonly compression?: number;
  /** The detected language (ISO 639-1). */
  readonly language?: string;
}

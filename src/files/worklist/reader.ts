/** The interface of a reader of a format. */
import type { ByteSource } from './bytes.ts';
import type { Times } from './kinds.ts';
import type { Guess, Limits, Reading, ReadOptions } from './reading.ts';
import type { Text } from './text.ts';

/** The input of a reader. */
export interface Input {
  readonly bytes: ByteSource;
  readonly text: Text;
  readonly options: ReadOptions;
  readonly limits: Limits;
  readonly times: Times;
  guess(guess: Guess): void;
}

/** Yields readings in chunks, since a step of an async iteration costs more than an item. */
export type Reader = (input: Input) => AsyncIterable<readonly Reading[]>;

/** What a reader of one format is. */
import type { ByteSource } from './bytes.ts';
import type { Times } from './kinds.ts';
import type { Guess, Limits, Reading, ReadOptions } from './reading.ts';
import type { Text } from './text.ts';

/** What a reader of one format is given. */
export interface Input {
  readonly bytes: ByteSource;
  readonly text: Text;
  readonly options: ReadOptions;
  readonly limits: Limits;
  readonly times: Times;
  guess(guess: Guess): void;
}

/** Gives what it read a chunk at a time, since one step of an async iteration costs more than an item. */
export type Reader = (input: Input) => AsyncIterable<readonly Reading[]>;

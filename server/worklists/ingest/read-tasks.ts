/** Tasks that read worklist files and messages, here or in a thread. */
import type { AppError, ErrorCode } from '../../../src/contract/errors.ts';
import type { FormatName } from '../../../src/domain/worklist-formats.ts';
import type { Guess, Reading, ReadOptions } from '../../../src/files/worklist/reading.ts';
import { threadTask } from '../../runtime/workers/thread-task.ts';

/** Options that can be cloned between threads. */
export type PlainOptions = Omit<ReadOptions, 'onFound'>;

/** The result of reading a whole file. */
export interface ReadFile {
  readonly format: FormatName;
  readonly readings: readonly Reading[];
  readonly guesses: readonly Guess[];
}

/** The fields of a reader's AppError. */
export interface Refusal {
  readonly refused: { readonly code: ErrorCode; readonly message: string } & Pick<AppError, 'hint' | 'details'>;
}

export async function orRefusal<T>(read: () => Promise<T>): Promise<T | Refusal> {
  const { AppError: OwnError } = await import('../../../src/contract/errors.ts');
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof OwnError)) throw error;
    const { code, message, hint, details } = error;
    return { refused: { code, message, hint, details } };
  }
}

interface Input {
  readonly raw: Uint8Array;
  readonly options: PlainOptions;
}

/** Reads a whole file of exams. */
export const readFile = threadTask(
  import.meta.url,
  'readFile',
  ({ raw, options }: Input): Promise<ReadFile | Refusal> =>
    orRefusal(async () => {
      const { readWorklist } = await import('../../../src/files/worklist/worklist-file.ts');
      const file = await readWorklist(streamWhole(raw), options);
      const readings: Reading[] = [];
      for await (const reading of file.readings) readings.push(reading);
      return { format: file.format, readings, guesses: file.guesses };
    }),
);

export async function* streamWhole(raw: Uint8Array): AsyncGenerator<Uint8Array> {
  yield raw;
}

/** Reads one HL7 message. */
export const readHl7Message = threadTask(
  import.meta.url,
  'readHl7Message',
  ({ raw, options }: Input): Promise<readonly Reading[] | Refusal> =>
    orRefusal(async () => {
      const { createMessageReader } = await import('../../../src/files/worklist/hl7/one-message.ts');
      return createMessageReader(options)(raw).readings;
    }),
);

/** Opens a file, unpacks gzip, recognises the format by the first bytes, and reads the entries one by one. */
import { fileMessage } from '../../contract/messages/files.ts';
import { AppError } from '../../contract/errors.ts';
import type { Beginning } from './beginning.ts';
import { checkSubjects, gunzip, isGzip, openBytes } from './bytes.ts';
import type { ByteSource } from './bytes.ts';
import type { Format } from './formats.ts';
import { defaultLimits } from './reading.ts';
import type { Guess, Reading, ReadOptions } from './reading.ts';
import type { Times } from './kinds.ts';
import { openText } from './text.ts';
import { createOffsets } from './zone.ts';
import type { OffsetAt } from './zone.ts';

export interface RecognisedFile<F extends string> {
  readonly format: F;
  /** The reader's assumptions about the file, for the person. The list may grow until the last reading. */
  readonly guesses: readonly Guess[];
  /** In the order of the file; can be read once. Whoever stops early closes the source. */
  readonly readings: AsyncIterable<Reading>;
}

/** The possible formats; a file has the first one that recognises it. */
export interface FileFormats<F extends string> {
  readonly names: readonly F[];
  readonly formats: Readonly<Record<F, Format>>;
  /** The error for a file that has none of them. */
  readonly refuse: (beginning: Beginning) => AppError;
}

/** Begins to read a file; the source is read as the readings are taken. Throws what `readWorklist` throws. */
export async function readRecognised<F extends string>(
  source: AsyncIterable<Uint8Array>,
  { format: named, ...options }: Omit<ReadOptions, 'format'> & { readonly format?: F },
  kinds: FileFormats<F>,
): Promise<RecognisedFile<F>> {
  const limits = { ...defaultLimits, ...options.limits };
  const guesses: Guess[] = [];
  const guess = (made: Guess): void => void guesses.push(made);
  let bytes = await openBytes(source);
  try {
    if (isGzip(bytes.head)) {
      guess({ what: 'compression', value: 'gzip', why: 'It begins like gzip.' });
      bytes = await openBytes(gunzip(bytes.chunks, limits));
    }
    const text = openText(bytes, options.encoding, guess);
    const format = named ?? recognise(bytes, { bytes: bytes.head, text: text.head }, options, guess, kinds);
    const read = await kinds.formats[format].load();
    const input = {
      bytes,
      text,
      options,
      limits,
      times: { ...createTimes(options.timeZone ?? options.mapping?.time_zone, guess), onFound: options.onFound },
      guess,
    };
    return { format, guesses, readings: each(read(input), limits.subjects) };
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

/** Times without an offset are in the zone of the options, else in the machine's zone; it becomes a notice at its first use. */
function createTimes(timeZone: string | undefined, guess: (guess: Guess) => void): Times {
  const known = timeZone === undefined ? undefined : createOffsets(timeZone);
  let offsetAt: OffsetAt | undefined;
  const start = (): OffsetAt => {
    const zone = timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
    guess({ what: 'times', value: zone, why: `Times without an offset were taken for those of ${zone}.` });
    return known ?? createOffsets(zone);
  };
  return { offsetAt: (local) => (offsetAt ??= start())(local) };
}

function recognise<F extends string>(
  { head, isWhole }: ByteSource,
  beginning: Beginning,
  options: ReadOptions,
  guess: (guess: Guess) => void,
  { names, formats, refuse }: FileFormats<F>,
): F {
  if (isWhole && beginning.text.trim() === '') {
    throw new AppError('VALIDATION_FAILED', { message: fileMessage(head.length === 0 ? 'empty' : 'blank') });
  }
  for (const name of names) {
    const why = formats[name].recognise(beginning, options);
    if (why === undefined) continue;
    guess({ what: 'format', value: name, why });
    return name;
  }
  throw refuse(beginning);
}

async function* each(chunks: AsyncIterable<readonly Reading[]>, limit: number): AsyncGenerator<Reading> {
  let count = 0;
  for await (const readings of chunks) {
    count += readings.length;
    checkSubjects(count, limit);
    for (const reading of readings) yield reading;
  }
}

/** Reads the exams of a worklist file, whatever its format: the door to this folder. */
import { AppError } from '../contract/errors.ts';
import { strangerIn } from './beginning.ts';
import type { Beginning } from './beginning.ts';
import { gunzip, isGzip, openBytes } from './bytes.ts';
import type { ByteSource } from './bytes.ts';
import { formats } from './formats.ts';
import { formatNames } from '../domain/worklist-formats.ts';
import type { FormatName } from '../domain/worklist-formats.ts';
import type { Reader } from './reader.ts';
import { defaultLimits } from './reading.ts';
import type { Guess, Reading, ReadOptions } from './reading.ts';
import type { Times } from './kinds.ts';
import { openText } from './text.ts';
import { offsetsOf } from './zone.ts';
import type { OffsetAt } from './zone.ts';

export interface WorklistFile {
  readonly format: FormatName;
  /** The reader's assumptions about the file, for the person. The list may grow until the last reading. */
  readonly guesses: readonly Guess[];
  /** In the order of the file; can be read once. Whoever stops early closes the source. */
  readonly readings: AsyncIterable<Reading>;
}

/**
 * Begins to read a file; the source is read as the readings are taken. Items are as the file has them, in the fields of
 * the contract, neither normalised nor checked. Throws (here or while reading) what nothing can be read after, with the
 * position and without content: UNSUPPORTED_MEDIA_TYPE where it is no worklist, INVALID_JSON or VALIDATION_FAILED where
 * it is broken, PAYLOAD_TOO_LARGE beyond a limit, USAGE for options that mean nothing.
 */
export async function readWorklist(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): Promise<WorklistFile> {
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
    const format = options.format ?? recognise(bytes, { bytes: bytes.head, text: text.head }, options, guess);
    const read: Reader = await formats[format].load();
    const input = { bytes, text, options, limits, times: timesOf(options.timeZone, guess), guess };
    return { format, guesses, readings: each(read(input)) };
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

/**
 * Times without an offset are in the zone of the options, else in the machine's zone, which becomes a notice at its
 * first use.
 */
function timesOf(timeZone: string | undefined, guess: (guess: Guess) => void): Times {
  if (timeZone !== undefined) return { offsetAt: offsetsOf(timeZone) };
  let offsetAt: OffsetAt | undefined;
  const start = (): OffsetAt => {
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    guess({
      what: 'times',
      value: own,
      why: 'Times without an offset were taken for those of this computer’s time zone.',
    });
    return offsetsOf(own);
  };
  return { offsetAt: (local) => (offsetAt ??= start())(local) };
}

function recognise(
  { head, isWhole }: ByteSource,
  beginning: Beginning,
  options: ReadOptions,
  guess: (guess: Guess) => void,
): FormatName {
  if (isWhole && beginning.text.trim() === '') {
    throw new AppError('VALIDATION_FAILED', {
      message: head.length === 0 ? 'The file is empty.' : 'The file is blank.',
    });
  }
  for (const name of formatNames) {
    const why = formats[name].recognise(beginning, options);
    if (why === undefined) continue;
    guess({ what: 'format', value: name, why });
    return name;
  }
  const stranger = strangerIn(beginning);
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
    message: stranger
      ? `This is no worklist: it is ${stranger.what}.`
      : 'The beginning of this is no worklist in a known format.',
    hint:
      stranger?.hint ??
      `Known are ${formatNames.join(', ')}; on the command line, --format names the format and --map the columns of a CSV.`,
  });
}

async function* each(chunks: AsyncIterable<readonly Reading[]>): AsyncGenerator<Reading> {
  for await (const readings of chunks) for (const reading of readings) yield reading;
}

/** Reads the named files as one sequence of entries. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { AppError } from '../../src/contract/errors.ts';
import { counted } from '../../src/domain/counted.ts';
import { readContent } from '../../src/sending/entries.ts';
import type { Content } from '../../src/sending/entries.ts';
import { formats } from '../../src/files/worklist/formats.ts';
import type { Guess, Position, ReadOptions } from '../../src/files/worklist/reading.ts';
import { readWorklist } from '../../src/files/worklist/worklist-file.ts';
import { unreadable } from '../../src/node/files/outgoing-file.ts';
import { isStdin, nameOf } from '../shell/input-file.ts';
import type { Io } from '../shell/io.ts';
import type { Shift } from './shift.ts';

/** A notice about a file: a guess or an assumption of the reader. */
export interface FileNotice {
  readonly file: string;
  readonly text: string;
}

export interface EntriesOptions {
  readonly io: Io;
  readonly files: readonly string[];
  readonly read: ReadOptions;
  readonly acceptsPatientChange: boolean;
  readonly shift: Shift | undefined;
  /** Keeps the fields of each item for display. */
  readonly showsFields: boolean;
  readonly onBytes: (count: number) => void;
  readonly onNotice: (notice: FileNotice) => void;
}

/**
 * Total bytes of the files, `undefined` if standard input is among them. USAGE for an unreadable file, before sending.
 */
export async function sizeOfFiles(files: readonly string[]): Promise<number | undefined> {
  let total = 0;
  for (const file of files) {
    if (isStdin(file)) continue;
    try {
      const status = await stat(file);
      if (status.isDirectory()) throw Object.assign(new Error('directory'), { code: 'EISDIR' });
      for await (const _ of createReadStream(file, { end: 0 })) break;
      total += status.size;
    } catch (error) {
      throw unreadable(file, error);
    }
  }
  return files.some(isStdin) ? undefined : total;
}

/** Throws errors that end the reading, prefixed with the file's name. */
export async function* readEntries(options: EntriesOptions): AsyncGenerator<Content, void, void> {
  let index = 0;
  for (const file of options.files) {
    try {
      const worklist = await readWorklist(readBytes(file, options), options.read);
      const { format, guesses } = worklist;
      const tell = createNotices({ title: formats[format].title, guesses }, file, options);
      const { acceptsPatientChange, shift, showsFields } = options;
      const sending = { format, acceptsPatientChange, showsFields, ...(shift && { change: shift.move }) };
      let isBegun = false;
      let skipped = 0;
      for await (const reading of worklist.readings) {
        // The reader has now parsed the header and recognised its columns.
        if (!isBegun) tell();
        isBegun = true;
        if (reading.kind === 'skipped') skipped += 1;
        else yield readContent(reading, { file, index: index++ }, sending);
      }
      tell();
      if (skipped > 0)
        options.onNotice({ file, text: `${counted(skipped, 'exam')} passed over by rules of the mapping` });
    } catch (error) {
      throw named(error, file);
    }
  }
}

export async function* readBytes(
  file: string,
  { io, onBytes }: Pick<EntriesOptions, 'io' | 'onBytes'>,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    for await (const chunk of isStdin(file) ? io.stdin : createReadStream(file, { highWaterMark: 256 * 1024 })) {
      onBytes((chunk as Uint8Array).length);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Prefixes the message with the file's name. */
export function named(error: unknown, file: string): unknown {
  if (!(error instanceof AppError) || error.message.startsWith(nameOf(file))) return error;
  const { code, message, hint, details } = error;
  return new AppError(code === 'UNSUPPORTED_MEDIA_TYPE' ? 'USAGE' : code, {
    message: `${nameOf(file)}: ${message}`,
    cause: error,
    ...(hint !== undefined && { hint }),
    ...(details && { details }),
  });
}

/** Reports guesses that are new since the last call. */
export function createNotices(
  { title, guesses }: { readonly title: string; readonly guesses: readonly Guess[] },
  file: string,
  { onNotice }: Pick<EntriesOptions, 'onNotice'>,
): () => void {
  let isFirst = true;
  let reported = 0;
  return () => {
    const fresh = guesses.slice(reported).filter(isWorthTelling);
    reported = guesses.length;
    const parts = [...(isFirst ? [title] : []), ...fresh.map(({ what, value }) => `${what} ${value}`)];
    if (parts.length > 0) onNotice({ file, text: parts.join('; ') });
    isFirst = false;
  };
}

/** Obvious guesses need no notice. */
const isWorthTelling = ({ what, value }: Guess): boolean => what !== 'format' && value !== 'utf-8';

/** The position in a file: the line, if the format has lines. */
export function positionWords({ line, message, item, offset }: Position): string {
  if (message !== undefined) return line === undefined ? `message ${message}` : `message ${message}, line ${line}`;
  if (line !== undefined) return `line ${line}`;
  return item === undefined ? `byte ${offset ?? 0}` : `item ${item}`;
}

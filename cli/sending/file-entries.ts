/** The files that a person named, as one sequence of entries. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { AppError } from '../../src/contract/errors.ts';
import { contentOf } from '../../src/sending/entries.ts';
import type { Content } from '../../src/sending/entries.ts';
import { formats } from '../../src/worklist-files/formats.ts';
import type { Guess, Position, ReadOptions } from '../../src/worklist-files/reading.ts';
import { readWorklist } from '../../src/worklist-files/worklist-file.ts';
import type { WorklistFile } from '../../src/worklist-files/worklist-file.ts';
import { isStdin, nameOf, unreadable } from '../input-file.ts';
import type { Io } from '../io.ts';
import type { Shift } from './shift.ts';

/** Something to be told about a file: what was guessed, or taken for granted. */
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
  readonly onBytes: (count: number) => void;
  readonly onNotice: (notice: FileNotice) => void;
}

/** Bytes of all files, `undefined` where one is standard input. USAGE where one cannot be read: before anything is sent. */
export async function sizeOfFiles(files: readonly string[]): Promise<number | undefined> {
  let total = 0;
  for (const file of files) {
    if (isStdin(file)) continue;
    try {
      const found = await stat(file);
      if (found.isDirectory()) throw Object.assign(new Error('directory'), { code: 'EISDIR' });
      for await (const _ of createReadStream(file, { end: 0 })) break;
      total += found.size;
    } catch (error) {
      throw unreadable(file, error);
    }
  }
  return files.some(isStdin) ? undefined : total;
}

/** Throws what nothing can be read after, with the file's name before it. */
export async function* entriesOf(options: EntriesOptions): AsyncGenerator<Content, void, void> {
  let index = 0;
  for (const file of options.files) {
    try {
      const worklist = await readWorklist(bytesOf(file, options), options.read);
      const tell = noticesOf(worklist, file, options);
      const { acceptsPatientChange, shift } = options;
      const sending = { format: worklist.format, acceptsPatientChange, ...(shift && { change: shift.move }) };
      let isBegun = false;
      for await (const reading of worklist.readings) {
        // By now the header was read, and what it is taken for.
        if (!isBegun) tell();
        isBegun = true;
        yield contentOf(reading, { file, index: index++ }, sending);
      }
      tell();
    } catch (error) {
      throw named(error, file);
    }
  }
}

async function* bytesOf(file: string, { io, onBytes }: EntriesOptions): AsyncGenerator<Uint8Array, void, void> {
  try {
    for await (const chunk of isStdin(file) ? io.stdin : createReadStream(file, { highWaterMark: 256 * 1024 })) {
      onBytes((chunk as Uint8Array).length);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** A sentence about a file begins with its name. */
function named(error: unknown, file: string): unknown {
  if (!(error instanceof AppError) || error.message.startsWith(nameOf(file))) return error;
  const { code, message, hint, details } = error;
  return new AppError(code === 'UNSUPPORTED_MEDIA_TYPE' ? 'USAGE' : code, {
    message: `${nameOf(file)}: ${message}`,
    cause: error,
    ...(hint !== undefined && { hint }),
    ...(details && { details }),
  });
}

/** Tells what was guessed until now and not told yet. */
function noticesOf({ format, guesses }: WorklistFile, file: string, { onNotice }: EntriesOptions): () => void {
  let isFirst = true;
  let told = 0;
  return () => {
    const fresh = guesses.slice(told).filter(isWorthTelling);
    told = guesses.length;
    const parts = [...(isFirst ? [formats[format].title] : []), ...fresh.map(({ what, value }) => `${what} ${value}`)];
    if (parts.length > 0) onNotice({ file, text: parts.join('; ') });
    isFirst = false;
  };
}

/** What goes without saying is not said. */
const isWorthTelling = ({ what, value }: Guess): boolean => what !== 'format' && value !== 'utf-8';

/** Where it stands, as a person looks for it: the line where there is one. */
export function positionWords({ line, message, item, offset }: Position): string {
  if (message !== undefined) return line === undefined ? `message ${message}` : `message ${message}, line ${line}`;
  if (line !== undefined) return `line ${line}`;
  return item === undefined ? `byte ${offset ?? 0}` : `item ${item}`;
}

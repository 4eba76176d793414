/**
 * A log that never delays its writer: lines wait in bounded memory until the file or the pipe accepts them. While it
 * accepts none (a full disk, a reader that stopped), new lines are dropped and counted, and a line gives their number
 * as soon as lines are accepted again.
 */
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { AppError } from '../../contract/errors.ts';
import { explain, isSystemError, ofFile } from '../system-error.ts';

export interface BoundedLog {
  /** Adds a line, without its end. It returns at once and never throws. */
  add(line: string): void;
  /** Writes the waiting lines, but does not wait for long if none are accepted. */
  close(): Promise<void>;
}

/** The destination of the lines. */
export interface LogSink {
  /** Rejects if some of the text was not accepted. */
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

export interface BoundedLogOptions {
  /** The line that replaces so many dropped lines. */
  readonly dropped: (count: number) => string;
  /** Called when the sink begins to refuse, with the code of the error, and again after each recovery. */
  readonly onTrouble: (code: string) => void;
  /** The largest number of waiting characters. */
  readonly limit?: number;
}

/** In ms: lines within this time are written together. */
const gatherMs = 50;
/** In ms: the pause after a refusal. */
const retryMs = 1000;
/** In ms: how long `close` waits for a sink that accepts nothing. */
const closeMs = 1000;
const patience = () => new Promise<void>((resolve) => void setTimeout(resolve, closeMs));
/** Characters that are written at once. */
const chunk = 64 * 1024;

export function createBoundedLog(
  sink: LogSink,
  { dropped, onTrouble, limit = 4 * 2 ** 20 }: BoundedLogOptions,
): BoundedLog {
  let waiting: string[] = [];
  let size = 0;
  let lost = 0;
  let isRefused = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  const later = (ms: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      begin();
    }, ms).unref();
  };

  const begin = (): void => {
    writing ??= writeAll().finally(() => {
      writing = undefined;
      if (waiting.length > 0) later(isRefused ? retryMs : gatherMs);
    });
  };

  async function writeAll(): Promise<void> {
    while (waiting.length > 0 || lost > 0) {
      const [lines, gone] = [waiting, lost];
      waiting = [];
      size = lost = 0;
      const text = lines.join('');
      try {
        await sink.write(gone > 0 ? `${text}${dropped(gone)}\n` : text);
        isRefused = false;
      } catch (error) {
        // Some of the text may have been accepted: a second write could duplicate it.
        lost += gone + lines.length;
        if (!isRefused) onTrouble(String((error as NodeJS.ErrnoException).code));
        isRefused = true;
        return later(retryMs);
      }
    }
  }

  return {
    add(line) {
      if (size > limit) {
        lost++;
        return;
      }
      waiting.push(`${line}\n`);
      size += line.length + 1;
      if (size < chunk || isRefused) later(gatherMs);
      else begin();
    },
    async close() {
      clearTimeout(timer);
      const written = (async () => {
        await writing;
        if (!isRefused) await writeAll();
      })();
      await Promise.race([written, patience()]);
      await Promise.race([sink.close(), patience()]);
    },
  };
}

/** In ms: how often the file's name is looked up, to notice a rotation by renaming. */
const lookMs = 1000;

/**
 * A file to which lines are appended (O_APPEND), created with mode 0600. Both ways of rotation work: a file that is
 * copied and truncated continues at its new end; if the file was renamed, a new one is created under the old name
 * within a second. CONFIGURATION if it cannot be written.
 */
export async function openLogFile(path: string): Promise<LogSink> {
  const openFile = () => open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600);
  let file: FileHandle;
  try {
    const present = await stat(path).catch(() => undefined);
    // Opening a pipe would wait for its reader.
    if (present && !present.isFile() && !present.isCharacterDevice()) throw new Error('not a file');
    file = await openFile();
  } catch (error) {
    const { message, hint } = isSystemError(error)
      ? explain(ofFile(path, error) as typeof error)
      : { message: 'The log is no file.', hint: 'Name a file, or - for standard output.' };
    throw new AppError('CONFIGURATION', { message, hint, cause: error });
  }
  let looked = performance.now();
  let isWhole = true;

  async function followName(): Promise<void> {
    if (performance.now() - looked < lookMs) return;
    looked = performance.now();
    const [named, opened] = await Promise.all([stat(path).catch(() => undefined), file.stat()]);
    if (named?.ino === opened.ino && named.dev === opened.dev) return;
    const fresh = await openFile();
    await file.close();
    file = fresh;
    isWhole = true;
  }

  return {
    async write(text) {
      await followName();
      const bytes = Buffer.from(isWhole ? text : `\n${text}`);
      // The part of a line that a full disk accepted must not run into the next line.
      isWhole = false;
      for (let from = 0; from < bytes.length;) from += (await file.write(bytes, from)).bytesWritten;
      isWhole = true;
    },
    close: () => file.close(),
  };
}

/** Standard output or the like. A slow reader makes the lines wait; one that left refuses them. */
export function streamSink(stream: Writable): LogSink {
  // Each write reports its error; without a listener the event would end the process.
  stream.on('error', () => {});
  return {
    write: (text) =>
      new Promise((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve()))),
    async close() {
      // The process ends only once its output is accepted, which a stopped reader would prevent.
      if (stream.writableLength > 0) stream.destroy();
    },
  };
}

/** The file of a recording: an HTTP Archive that is valid after each call, and readable even if it was truncated. */
import { open, readFile, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { HarEntry } from '../../../src/client/har.ts';
import { buildHar } from '../../../src/client/har.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import { isPlainObject } from '../../../src/domain/normalise.ts';
import { explain, isSystemError } from '../../../src/node/system-error.ts';
import { syncHandle } from '../../../src/node/files/sync-handle.ts';

/** Closes the archive after the last entry. */
const closing = '\n]}}\n';

export interface HarFile {
  /** Writes the entry and the closing brackets at once. Entries are written in the order of these calls. */
  append(entry: HarEntry): Promise<void>;
  /** Settles when everything is on the disk. */
  close(): Promise<void>;
}

/** Creates an archive, mode 0600. USAGE if the file exists and must not be replaced, or cannot be written. */
export async function createHarFile(
  path: string,
  { version, replaces }: { readonly version: string; readonly replaces: boolean },
): Promise<HarFile> {
  const file = await openFile(path, replaces);
  const head = JSON.stringify(buildHar([], version)).replace(/\]\}\}$/, '');
  let end = Buffer.byteLength(head);
  await file.write(`${head}${closing}`, 0);
  let isFirst = true;
  const inOrder = createOrder();
  return {
    // Tries a later entry even if there was no space for an earlier one.
    append: (entry) =>
      inOrder(async () => {
        const line = Buffer.from(`${isFirst ? '' : ','}\n${JSON.stringify(entry)}`);
        await file.write(Buffer.concat([line, Buffer.from(closing)]), 0, line.length + closing.length, end);
        end += line.length;
        isFirst = false;
      }),
    async close() {
      await inOrder.idle();
      await syncHandle(file).catch(() => undefined);
      await file.close();
    },
  };
}

async function openFile(path: string, replaces: boolean): Promise<FileHandle> {
  try {
    const file = await open(path, replaces ? 'w' : 'wx', 0o600);
    // Independent of the umask and of the mode of a replaced file.
    await file.chmod(0o600);
    return file;
  } catch (error) {
    if (Object(error).code === 'EEXIST')
      throw new AppError('USAGE', { message: `${path} exists already.`, hint: 'Choose another file, or add --force.' });
    throw rejectFile(path, 'cannot be written', error);
  }
}

const rejectFile = (path: string, what: string, error: unknown): AppError =>
  new AppError('USAGE', {
    message: `${path} ${what} (${String(Object(error).code)}).`,
    ...(isSystemError(error) && { hint: explain(error).hint }),
    cause: error,
  });

/** Maximum size in bytes of an archive, which is read into memory. */
const maxArchiveBytes = 512 * 1024 * 1024;

export interface ReadArchive {
  readonly entries: readonly HarEntry[];
  /** Whether the end of the file was missing, because its writer was killed or the disk was full. */
  readonly isRecovered: boolean;
}

/** Entries of an archive, ordered by start. USAGE, with the reason, if the file is no archive. */
export async function readHarFile(path: string): Promise<ReadArchive> {
  const text = await readText(path);
  const whole = parseJson(text);
  const log = isPlainObject(whole) ? whole['log'] : undefined;
  if (whole !== undefined && !isPlainObject(log)) throw rejectArchive(path, 'it has no log');
  const given = isPlainObject(log) ? log['entries'] : entriesOfLines(text);
  if (!Array.isArray(given)) throw rejectArchive(path, 'its log has no list of entries');
  if (whole === undefined && given.length === 0) throw rejectArchive(path, 'it is not JSON');
  const bad = given.findIndex((entry) => !isEntry(entry));
  if (bad >= 0) throw rejectArchive(path, `entry ${bad + 1} lacks a method, a whole URL, a status or its headers`);
  const entries = (given as HarEntry[]).toSorted((a, b) => startOf(a) - startOf(b));
  return { entries, isRecovered: whole === undefined };
}

const startOf = ({ startedDateTime }: HarEntry): number => Date.parse(startedDateTime) || 0;

async function readText(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > maxArchiveBytes)
      throw new AppError('USAGE', {
        message: `${path} has ${Math.round(size / 2 ** 20)} MiB; a recording of at most ${maxArchiveBytes / 2 ** 20} MiB is replayed.`,
        hint: 'Record fewer calls, or take those of files and sound out of the archive.',
      });
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw rejectFile(path, 'cannot be read', error);
  }
}

const rejectArchive = (path: string, why: string): AppError =>
  new AppError('USAGE', {
    message: `${path} is no HTTP Archive: ${why}.`,
    hint: 'Make one with "laudio serve --record FILE --upstream URL", "laudio server requests --har FILE", or the network tools of a browser.',
  });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** `createHarFile` writes one entry per line, so that truncation loses only the last one. */
const entriesOfLines = (text: string): unknown[] =>
  text
    .split('\n')
    .map((line) => parseJson(line.replace(/,$/, '').replace(/^,/, '')))
    .filter(isEntry);

const isPairs = (value: unknown): boolean =>
  Array.isArray(value) && value.every((pair) => isPlainObject(pair) && typeof pair['name'] === 'string');

const isEntry = (value: unknown): boolean => {
  if (!isPlainObject(value)) return false;
  const { request, response } = value;
  return (
    isPlainObject(request) &&
    typeof request['method'] === 'string' &&
    typeof request['url'] === 'string' &&
    URL.canParse(request['url']) &&
    isPairs(request['headers']) &&
    isPlainObject(response) &&
    Number.isInteger(response['status']) &&
    isPairs(response['headers'])
  );
};

/**
 * Downloads one large file over unreliable networks: resumes where it broke off and verifies the SHA-256 as it arrives.
 * The partial file and its validator stay on disk, so that another process can resume.
 */
import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Dispatcher } from 'undici';
import { AppError } from '../../../../src/contract/errors.ts';
import { backoffDelay } from '../../../../src/domain/backoff.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import { pause } from '../../../../src/domain/pause.ts';
import { readPrivateFile, writePrivateFile } from '../../../../src/node/files/private-file.ts';
import { requestFile, isUnreachable, isTransient } from './request.ts';
import type { FileResponse } from './request.ts';
import { syncHandle } from '../../../../src/node/files/sync-handle.ts';

export interface Download {
  readonly url: URL;
  /** The file on disk; `PATH.json` holds the validator. */
  readonly path: string;
  /** Expected size of the whole file, if known. */
  readonly bytes: number | undefined;
  readonly sha256: string;
}

export interface DownloadDeps {
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Bytes so far and their total, if known. */
  readonly onProgress: (done: number, of: number | undefined) => void;
}

/** How long a server may be silent, and how often it is retried without a MiB of progress. */
const patience = { silentMs: 30_000, tries: 6, gain: 2 ** 20 };
const backoff = { base: 1000, factor: 2, max: 30_000, random: Math.random };
/** Limit for a file of unknown size. */
const maxBytes = 16 * 2 ** 30;

/**
 * Resolves once the file is complete and verified. Rejects with NETWORK if the server is unreachable or keeps breaking
 * off (the partial file is kept), with BAD_ANSWER if it sends another file (the file is deleted), and with INTERRUPTED
 * by the signal.
 */
export async function download(wanted: Download, deps: DownloadDeps): Promise<void> {
  const part = await openPart(wanted, deps.signal);
  try {
    await fetchAll(part, wanted, deps);
    // The parts may come from two versions, so it is downloaded once more from the beginning.
    if (part.sha256() !== wanted.sha256 && part.isMixed) {
      await part.restart();
      await fetchAll(part, wanted, deps);
    }
    if (part.sha256() !== wanted.sha256) throw otherFile(wanted.url, 'its SHA-256 differs');
    await part.keep();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'BAD_ANSWER') await part.discard();
    throw error.code === 'INTERRUPTED' && part.size > 0 ? withHint(error, part.size) : error;
  } finally {
    await part.close();
  }
}

async function fetchAll(part: Part, wanted: Download, deps: DownloadDeps): Promise<void> {
  let tries = 0;
  let gained = part.size;
  const before = part.size;
  while (part.size !== wanted.bytes && part.sha256() !== wanted.sha256) {
    try {
      await fetchOnce(part, wanted, deps);
      return;
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (part.size === before && isUnreachable(error)) throw withHint(error, before);
      if (part.size - gained >= patience.gain) [tries, gained] = [0, part.size];
      tries += 1;
      if (tries >= patience.tries) throw withHint(error, part.size);
      const asked = (error.retryAfter ?? 0) * 1000;
      await pause(deps.clock, Math.max(Math.min(asked, 60_000), backoffDelay(tries, backoff)), deps.signal);
    }
  }
}

/** Requests the missing bytes and appends them. */
async function fetchOnce(part: Part, wanted: Download, deps: DownloadDeps): Promise<void> {
  const { url, bytes } = wanted;
  const watch = watchSilence(deps.clock, deps.signal);
  try {
    const answer = await requestFile(url, rangeFrom(part), deps.dispatcher, watch.signal);
    const total = readTotal(answer, part.size);
    if (total === 'elsewhere') {
      // The server sent another range or none, so the download restarts.
      await part.restart();
      throw new AppError('NETWORK', { message: `${url.host} cannot resume the download.` });
    }
    if (bytes !== undefined && total !== undefined && total !== bytes) {
      throw otherFile(url, `it has ${total} bytes instead of ${bytes}`);
    }
    if (answer.status === 200) await part.restart();
    await part.remember(answer.validator);
    const limit = bytes ?? total ?? maxBytes;
    for await (const piece of answer.body) {
      watch.sign();
      if (part.size + piece.length > limit) throw otherFile(url, `it has more than ${limit} bytes`);
      await part.add(piece);
      deps.onProgress(part.size, bytes ?? total);
    }
    const expected = bytes ?? total;
    if (expected !== undefined && part.size < expected)
      throw new AppError('NETWORK', { message: `${url.host} closed the connection early.` });
  } catch (error) {
    throw watch.explained(error, url);
  } finally {
    watch.end();
  }
}

const rangeFrom = ({ size, validator }: Part): Record<string, string> =>
  size === 0 ? {} : { range: `bytes=${size}-`, ...(validator !== undefined && { 'if-range': validator }) };

/** The size of the whole file; `undefined` if unknown; `elsewhere` if the answer doesn't continue at `size`. */
function readTotal({ status, headers }: FileResponse, size: number): number | undefined | 'elsewhere' {
  if (status === 416) return 'elsewhere';
  if (status === 200) {
    const length = Number(headers['content-length'] ?? Number.NaN);
    return Number.isSafeInteger(length) ? length : undefined;
  }
  const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
  if (Number(from) !== size) return 'elsewhere';
  return total === '*' ? undefined : Number(total);
}

/** Aborts a request when nothing arrives for too long. */
function watchSilence(clock: Clock, signal: AbortSignal) {
  const silence = new AbortController();
  const listen = (): (() => void) => clock.schedule(clock.now() + patience.silentMs, () => silence.abort());
  let callOff = listen();
  return {
    signal: AbortSignal.any([signal, silence.signal]),
    sign() {
      callOff();
      callOff = listen();
    },
    explained: (error: unknown, { host }: URL): unknown =>
      silence.signal.aborted && !signal.aborted
        ? new AppError('NETWORK', { message: `${host} sent nothing for ${patience.silentMs / 1000} s.` })
        : error,
    end: () => callOff(),
  };
}

interface Part {
  readonly size: number;
  /** The strong ETag or modification date of the partial file's source. */
  readonly validator: string | undefined;
  /** Whether the bytes came from several responses. */
  readonly isMixed: boolean;
  sha256(): string;
  add(bytes: Uint8Array): Promise<void>;
  remember(validator: string | undefined): Promise<void>;
  restart(): Promise<void>;
  /** Syncs the file to disk. */
  keep(): Promise<void>;
  discard(): Promise<void>;
  close(): Promise<void>;
}

async function openPart({ url, path, bytes }: Download, signal: AbortSignal): Promise<Part> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    return await createPart(file, { url, path, bytes }, signal);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function createPart(
  file: FileHandle,
  { url, path, bytes }: Pick<Download, 'url' | 'path' | 'bytes'>,
  signal: AbortSignal,
): Promise<Part> {
  const notes = `${path}.json`;
  // Hashed, because the address may contain a secret.
  const from = createHash('sha256').update(url.href).digest('hex');
  let { size } = await file.stat();
  let hash: Hash = createHash('sha256');
  let validator: string | undefined;
  let answers = 0;
  const restart = async (): Promise<void> => {
    await file.truncate(0);
    [size, hash, validator, answers] = [0, createHash('sha256'), undefined, 0];
  };
  if (bytes !== undefined && size > bytes) await restart();
  if (size > 0) {
    validator = await readValidator(notes, from);
    answers = 1;
    for await (const piece of createReadStream(path, { highWaterMark: 2 ** 20, signal })) hash.update(piece as Buffer);
  }
  return {
    get size() {
      return size;
    },
    get validator() {
      return validator;
    },
    get isMixed() {
      return answers > 1;
    },
    sha256: () => hash.copy().digest('hex'),
    async add(piece) {
      hash.update(piece);
      for (let written = 0; written < piece.length;) {
        written += (await file.write(piece, written, piece.length - written, size + written)).bytesWritten;
      }
      size += piece.length;
    },
    async remember(next) {
      answers += 1;
      if (next === validator) return;
      validator = next;
      await writePrivateFile(notes, JSON.stringify({ from, validator }));
    },
    restart,
    keep: () => syncHandle(file),
    async discard() {
      await rm(path, { force: true });
      await rm(notes, { force: true });
    },
    close: () => file.close(),
  };
}

async function readValidator(path: string, from: string): Promise<string | undefined> {
  try {
    const notes = JSON.parse((await readPrivateFile(path)) ?? '{}') as { from?: unknown; validator?: unknown };
    return notes.from === from && typeof notes.validator === 'string' ? notes.validator : undefined;
  } catch {
    return undefined;
  }
}

const otherFile = ({ host }: URL, how: string): AppError =>
  new AppError('BAD_ANSWER', {
    message: `The file on ${host} is not the expected one: ${how}.`,
    hint: 'It was deleted. Get the archive from another place with --from ADDRESS|FOLDER|FILE.',
  });

const withHint = (error: AppError, size: number): AppError =>
  new AppError(error.code, {
    message: error.message,
    hint:
      size > 0
        ? 'The partial download is kept: the same command resumes it.'
        : 'Check the address and the network; --from takes the archive from a mirror or from the disk.',
    ...(error.details && { details: error.details }),
  });

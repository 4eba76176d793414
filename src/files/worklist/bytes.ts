/** Reads the bytes of a file: the beginning, which shows the format, and all bytes in order, with gzip unpacked. */
import type { Message } from '../../contract/messages/message.ts';
import { fileMessage } from '../../contract/messages/files.ts';
import { AppError } from '../../contract/errors.ts';
import type { Limits } from './reading.ts';
import { decompression } from './web-standards.ts';

export interface ByteSource {
  /** The first 64 KiB, or the whole file. */
  readonly head: Uint8Array;
  /** Whether `head` holds the whole file. */
  readonly isWhole: boolean;
  /** All bytes from the first, in chunks of at most 64 KiB; can be read once. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Releases the source where nobody reads the chunks. */
  close(): Promise<void>;
}

export const chunkSize = 64 * 1024;

/** Reads the beginning of `source`. */
export async function openBytes(source: AsyncIterable<Uint8Array>): Promise<ByteSource> {
  const iterator = inChunks(source);
  const parts: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  while (size < chunkSize && !isWhole) {
    const { done, value } = await iterator.next();
    if (done) isWhole = true;
    else {
      parts.push(value);
      size += value.length;
    }
  }
  const all = joined(parts, size);
  const head = all.subarray(0, chunkSize);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      if (head.length > 0) yield head;
      if (all.length > chunkSize) yield all.subarray(chunkSize);
      yield* iterator;
    } finally {
      await iterator.return();
    }
  }
  return {
    head,
    isWhole: isWhole && all.length <= chunkSize,
    chunks: chunks(),
    close: async () => void (await iterator.return()),
  };
}

/** No chunk larger than 64 KiB, so that limits are met before much memory is used; none empty. */
async function* inChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += chunkSize) yield chunk.subarray(at, at + chunkSize);
  }
}

export function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const only = parts[0];
  if (parts.length === 1 && only) return only;
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** All bytes at once, at most `limit`; PAYLOAD_TOO_LARGE where there are more. */
export async function wholeBytes(chunks: AsyncIterable<Uint8Array>, limit: number, what: Message): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) throw tooLarge(what, limit, fileMessage('at_byte', { at: limit }));
    parts.push(chunk);
  }
  return joined(parts, size);
}

const MiB = 1024 * 1024;

export const tooLarge = (what: Message, limit: number, where: Message): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', {
    message: fileMessage('larger', { what, size: limit % MiB === 0 ? `${limit / MiB} MiB` : `${limit} bytes`, where }),
    details: { limit_bytes: limit },
    hint: fileMessage('stops'),
  });

/** Refuses more than `limit` exams or patients. */
export function checkSubjects(count: number, limit: number): void {
  if (count <= limit) return;
  throw new AppError('PAYLOAD_TOO_LARGE', {
    message: fileMessage('too_many_items', { limit }),
    details: { limit_items: limit },
    hint: fileMessage('several_requests'),
  });
}

/** RFC 1952 2.3.1: the two identifying bytes and the one compression method there is. */
export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b && head[2] === 8;

/**
 * The content of a gzip stream. VALIDATION_FAILED where it is damaged or ends early, PAYLOAD_TOO_LARGE
 * where it unpacks to more than `ratio` times its size.
 */
export async function* gunzip(
  chunks: AsyncIterable<Uint8Array>,
  { ratio, unpackedFree }: Pick<Limits, 'ratio' | 'unpackedFree'>,
): AsyncGenerator<Uint8Array> {
  let packed = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      packed += chunk.length;
      yield chunk;
    }
  };
  let unpacked = 0;
  for await (const chunk of decompressed(counted(), 'gzip', () => damagedGzip(packed))) {
    unpacked += chunk.length;
    if (unpacked > unpackedFree && unpacked > packed * ratio) {
      throw tooLarge(
        fileMessage('unpacked_gzip', { ratio }),
        unpackedFree,
        fileMessage('at_gzip_byte', { at: packed }),
      );
    }
    yield chunk;
  }
}

const damagedGzip = (at: number): AppError =>
  new AppError('VALIDATION_FAILED', {
    message: fileMessage('gzip_damaged', { at }),
    hint: fileMessage('get_gzip'),
  });

/**
 * `damaged` makes the error for content that cannot be unpacked; errors of the source itself come through as they are.
 */
export async function* decompressed(
  chunks: AsyncIterable<Uint8Array>,
  format: 'gzip' | 'deflate-raw',
  damaged: () => AppError,
): AsyncGenerator<Uint8Array> {
  const { readable, writable } = decompression(format);
  const reader = readable.getReader();
  const writer = writable.getWriter();
  let failure: { error: unknown } | undefined;
  const feed = async (): Promise<void> => {
    const iterator = chunks[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await iterator.next().catch((error: unknown) => {
          failure = { error };
          throw error;
        });
        if (done) break;
        await writer.write(value);
      }
      await writer.close();
    } catch (error) {
      // The reader gets the error: a failed source ends the stream, and damaged content has ended the stream already.
      await writer.abort(error).catch(() => undefined);
      await iterator.return?.().then(undefined, () => undefined);
    }
  };
  // Runs without await: the copy ends when the reader is cancelled, or with the next chunk of a slow source.
  void feed();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (value) yield value;
    }
  } catch (error) {
    throw failure ? failure.error : isOwn(error) ? error : damaged();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const isOwn = (error: unknown): error is AppError => error instanceof AppError;

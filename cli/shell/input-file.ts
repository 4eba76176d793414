/** FILE arguments: a path, or `-` for standard input. Errors name the argument, never the content. */
import { createReadStream } from 'node:fs';
import { AppError } from '../../src/contract/errors.ts';
import type { OutgoingFile } from '../../src/client/transport.ts';
import { audioFile, soundType, unreadable } from '../../src/node/files/outgoing-file.ts';
import type { Io } from './io.ts';

export const isStdin = (file: string): boolean => file === '-';
/** The file's name in messages. */
export const nameOf = (file: string): string => (isStdin(file) ? 'Standard input' : file);
const sizeWords = (bytes: number): string =>
  bytes % (1024 * 1024) === 0 ? `${bytes / (1024 * 1024)} MiB` : `${bytes / 1e6} MB`;

/** The whole file, at most `limit` bytes. */
export async function readInput(io: Io, file: string, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of isStdin(file) ? io.stdin : createReadStream(file)) {
      size += (chunk as Buffer).length;
      if (size > limit) {
        throw new AppError('USAGE', { message: `${nameOf(file)} is larger than ${sizeWords(limit)}.` });
      }
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    throw error instanceof AppError ? error : unreadable(file, error);
  }
  return Buffer.concat(chunks);
}

/** The file as UTF-8 text, without a byte order mark. */
export async function readText(io: Io, file: string, limit: number): Promise<string> {
  const bytes = await readInput(io, file, limit);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('USAGE', { message: `${nameOf(file)} is not UTF-8 text.` });
  }
}

/** At most a million characters, of up to four bytes each. */
const clinicalBytes = 4_000_000;

/**
 * Clinical text: from a file or standard input, never from the argument list, which everyone on the machine can read
 * and the shell stores. Without the final newline of an editor.
 */
export async function clinicalText(io: Io, file: string): Promise<string> {
  const words = (await readText(io, file, clinicalBytes)).replace(/\r?\n$/, '');
  if (words.trim() === '') throw new AppError('USAGE', { message: `${nameOf(file)} is empty.` });
  return words;
}

/** The file as JSON. */
export async function readJson(io: Io, file: string, limit: number): Promise<unknown> {
  const text = await readText(io, file, limit);
  if (text.trim() === '') throw new AppError('USAGE', { message: `${nameOf(file)} is empty.` });
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = /position \d.*$/s.exec((error as Error).message)?.[0];
    throw new AppError('USAGE', {
      message: `${nameOf(file)} is not valid JSON${place ? ` (${place})` : ''}.`,
    });
  }
}

/** Streams the file to the server. */
export const outgoingFile = async (io: Io, file: string): Promise<OutgoingFile> =>
  isStdin(file) ? { contentType: soundType, open: () => io.stdin, once: true } : audioFile(file);

/** The file's bytes while reading; USAGE if it can't be read. */
export async function* inputBytes(io: Io, file: string): AsyncGenerator<Uint8Array, void> {
  try {
    yield* isStdin(file) ? io.stdin : createReadStream(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

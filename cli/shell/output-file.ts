/**
 * `--output FILE`: written to a temporary file and then renamed, so that an aborted transfer leaves no partial file.
 */
import { dirname, resolve } from 'node:path';
import { AppError } from '../../src/contract/errors.ts';
import { explainFullDisk } from '../../src/node/disk-space.ts';
import { replaceFile } from '../../src/node/files/replace-file.ts';
import { explain, isSystemError } from '../../src/node/system-error.ts';
import { text } from '../command.ts';
import type { Context } from '../context.ts';
import { bytesView, messageView } from './view.ts';
import type { View } from './view.ts';

export const outputOption = { output: text('Write to this file', { short: 'o', placeholder: 'FILE' }) };

/** Saves the bytes, or writes them to standard output if no file is named (or the name is `-`). */
export async function save(
  { io }: Context,
  body: AsyncIterable<Uint8Array>,
  output: string | undefined,
  binary: boolean,
): Promise<View> {
  if (output !== undefined && output !== '-') {
    await saveFile(output, body);
    return messageView(`Saved as ${output}.`, { saved: output });
  }
  if (io.output === 'json') throw new AppError('USAGE', { message: 'With --json, save it to a file: --output FILE.' });
  if (binary && io.output === 'table' && output !== '-') {
    throw new AppError('USAGE', {
      message: 'This is binary: name a file with --output FILE, or - for standard output.',
    });
  }
  return bytesView(body);
}

/** Writes the whole file, 0600 and flushed to disk, or nothing. USAGE if it can't be written. */
export async function saveFile(output: string, body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await replaceFile(output, async (file) => {
      // Piece by piece: under yarn's Plug'n'Play a handle takes no iterable.
      for await (const piece of body) await file.writeFile(piece);
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (Object(error).code === 'ENOSPC') {
      const { message, hint } = await explainFullDisk(dirname(resolve(output)));
      throw new AppError('USAGE', { message: `${message}. ${output} was not written.`, hint, cause: error });
    }
    throw new AppError('USAGE', {
      message: `${output} cannot be written (${(error as NodeJS.ErrnoException).code}).`,
      ...(isSystemError(error) && { hint: explain(error).hint }),
      cause: error,
    });
  }
}

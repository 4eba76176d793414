/** `--output FILE`: written beside its place and then moved there, so that a broken transfer leaves no half of a file. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../src/contract/errors.ts';
import { text } from './command.ts';
import type { Context } from './context.ts';
import { bytesView, messageView } from './view.ts';
import type { View } from './view.ts';

export const outputOption = { output: text('Write to this file', { short: 'o', placeholder: 'FILE' }) };

/** Saves the bytes, or gives them to standard output where no file is named (or it is `-`). */
export async function save(
  { io }: Context,
  body: AsyncIterable<Uint8Array>,
  output: string | undefined,
  binary: boolean,
): Promise<View> {
  if (output !== undefined && output !== '-') {
    const part = `${output}.part`;
    try {
      await pipeline(Readable.from(body), createWriteStream(part, { mode: 0o600 }));
      await rename(part, output);
    } catch (error) {
      await rm(part, { force: true });
      if (error instanceof AppError) throw error;
      throw new AppError('USAGE', {
        message: `${output} cannot be written (${(error as NodeJS.ErrnoException).code}).`,
        cause: error,
      });
    }
    return messageView(`Saved as ${output}.`, { saved: output });
  }
  if (io.output === 'json') throw new AppError('USAGE', { message: 'With --json, name a file: --output FILE.' });
  if (binary && io.output === 'table' && output !== '-') {
    throw new AppError('USAGE', {
      message: 'This is no text: name a file with --output FILE, or - for standard output.',
    });
  }
  return bytesView(body);
}

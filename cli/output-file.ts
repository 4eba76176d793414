/** `--output FILE`: written beside its place and then moved there, so that a broken transfer leaves no half of a file. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../src/contract/errors.ts';
import { syncDirectory } from '../src/node/private-file.ts';
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
    await saveFile(output, body);
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

/** Writes the whole file, 0600 and on disk for certain, or nothing. USAGE where it cannot be written. */
export async function saveFile(output: string, body: AsyncIterable<Uint8Array>): Promise<void> {
  const part = join(dirname(output), `.${basename(output)}.${randomUUID()}.part`);
  try {
    const file = await open(part, 'wx', 0o600);
    try {
      await file.writeFile(body);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, output);
    await syncDirectory(dirname(output));
  } catch (error) {
    await rm(part, { force: true });
    if (error instanceof AppError) throw error;
    throw new AppError('USAGE', {
      message: `${output} cannot be written (${(error as NodeJS.ErrnoException).code}).`,
      cause: error,
    });
  }
}

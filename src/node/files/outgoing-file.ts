/** A file of this computer, to upload. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { AppError } from '../../contract/errors.ts';
import type { OutgoingFile } from '../../client/transport.ts';

/** USAGE with the reason why the file cannot be read. */
export function unreadable(file: string, error: unknown): AppError {
  const { code } = error as NodeJS.ErrnoException;
  const reason =
    code === 'ENOENT'
      ? 'does not exist'
      : code === 'EACCES'
        ? 'may not be read by you'
        : code === 'EISDIR'
          ? 'is a directory'
          : `cannot be read (${code})`;
  return new AppError('USAGE', { message: `${file} ${reason}.`, cause: error });
}

/** Sound is recognised by its content, whatever the file's name. */
export const soundType = 'application/octet-stream';

/** Sound for `records.generate({ body, file })`, read while it is sent. USAGE if the file cannot be read. */
export async function audioFile(path: string): Promise<OutgoingFile> {
  try {
    const { size } = await stat(path);
    // Opens the file once now, so that an unreadable file fails before anything is sent.
    await readable(path);
    return { contentType: soundType, size, open: () => createReadStream(path) };
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function readable(path: string): Promise<void> {
  const stream = createReadStream(path, { end: 0 });
  for await (const _chunk of stream) break;
}

/** Whether a path still leads to the same file: nobody removed or moved the file, or mounted another volume over the path. */
import type { Stats } from 'node:fs';
import { AppError } from '../../src/contract/errors.ts';
import type { FileSystem } from './private-files.ts';

export interface Place {
  /** Rejects with AppError STORAGE_UNAVAILABLE while the path leads to another file or to none. The same file may come back. */
  check(): Promise<Stats>;
}

/** Rejects as `stat` does. */
export async function rememberPlace(fs: FileSystem, path: string): Promise<Place> {
  const { dev, ino } = await fs.stat(path);
  return {
    async check() {
      const now = await fs.stat(path).catch((cause: unknown) => {
        throw displaced(cause);
      });
      if (now.dev !== dev || now.ino !== ino) throw displaced();
      return now;
    },
  };
}

export const isThere = (place: Place): Promise<boolean> =>
  place.check().then(
    () => true,
    () => false,
  );

const displaced = (cause?: unknown): AppError =>
  new AppError('STORAGE_UNAVAILABLE', {
    message: 'The data directory, or a file of it, is not where it was. Nothing was done.',
    hint: 'Put the very same directory back; where there is only a copy, stop the server first and start it again.',
    details: { displaced: true },
    retryAfter: 1,
    cause,
  });

export const isDisplaced = (error: unknown): boolean =>
  error instanceof AppError && error.details?.['displaced'] === true;

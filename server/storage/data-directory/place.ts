/** Whether a path still leads to the same file: nobody removed or moved the file, or mounted another volume over the path. */
import type { Stats } from 'node:fs';
import { AppError } from '../../../src/contract/errors.ts';
import type { FileSystem } from './private-files.ts';

export interface Place {
  /**
   * Throws AppError STORAGE_UNAVAILABLE while the path leads to another file or to none. The same file may come back.
   * At once: each commit asks, and the system knows without a disk where an open file is.
   */
  check(): Stats;
}

/** Rejects as `stat` does. */
export async function rememberPlace(fs: FileSystem, path: string): Promise<Place> {
  const { dev, ino } = await fs.stat(path);
  return {
    check() {
      let now: Stats;
      try {
        now = fs.statNow(path);
      } catch (cause) {
        throw displaced(cause);
      }
      if (now.dev !== dev || now.ino !== ino) throw displaced();
      return now;
    },
  };
}

/** `undefined` where `check` throws. */
export function foundAt(place: Place): Stats | undefined {
  try {
    return place.check();
  } catch {
    return undefined;
  }
}

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

/** The port of a place for planned backups. */
import type { BackupName } from './names.ts';

export interface BackupTarget {
  /** For the operator; holds no secret. */
  readonly place: string;
  /** Removes what interrupted attempts of the store with that mark left behind. */
  prepare(mark: string | undefined, signal: AbortSignal): Promise<void>;
  /** The names of whole backups, of any store. */
  list(signal: AbortSignal): Promise<readonly string[]>;
  /** Keeps the archive under its name once `check` has read it back from there. */
  write<T>(
    name: BackupName,
    archive: AsyncIterable<Uint8Array>,
    check: CheckStored<T>,
    signal: AbortSignal,
  ): Promise<T>;
  remove(name: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export type CheckStored<T> = (stored: AsyncIterable<Uint8Array>) => Promise<T>;

export interface TargetChoice {
  /** A directory, `s3://HOST/BUCKET[/PREFIX]`, or `command:` and a command line. */
  readonly to: string;
  /** The key of the bucket, `ID:SECRET`. */
  readonly key?: string | undefined;
}

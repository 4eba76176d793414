/** Where planned backups go: a directory, a bucket, or a command that keeps them. */
import { AppError } from '../../../src/contract/errors.ts';
import { isBucketAddress, parseAccessKey, parseBucketAddress } from '../../../src/protocols/s3/address.ts';
import { createDirectoryTarget } from './directory-target.ts';
import type { BackupName } from './names.ts';

export interface BackupTarget {
  /** For the operator; holds no secret. */
  readonly place: string;
  /** Removes what interrupted attempts of the store with that mark left behind. */
  prepare(mark: string | undefined): Promise<void>;
  /** The names of whole backups, of any store. */
  list(): Promise<readonly string[]>;
  /** Keeps the archive under its name once `check` has read it back from there. */
  write<T>(
    name: BackupName,
    archive: AsyncIterable<Uint8Array>,
    check: CheckStored<T>,
    signal: AbortSignal,
  ): Promise<T>;
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

export type CheckStored<T> = (stored: AsyncIterable<Uint8Array>) => Promise<T>;

export interface TargetChoice {
  /** A directory, `s3://HOST/BUCKET[/PREFIX]`, or `command:` and a command line. */
  readonly to: string;
  /** The key of the bucket, `ID:SECRET`. */
  readonly key?: string | undefined;
}

const commandScheme = 'command:';
const bucketNames = { setting: '--backup-to', variable: 'LAUDIO_BACKUP_KEY' } as const;

/** Whether the choice is a directory of this computer. */
export const isDirectory = ({ to }: TargetChoice): boolean => !isBucketAddress(to) && !to.startsWith(commandScheme);

/** Throws AppError CONFIGURATION if the choice cannot be meant. Nothing is reached yet. */
export function checkTarget(choice: TargetChoice): void {
  if (isBucketAddress(choice.to)) readBucketChoice(choice);
  if (choice.to.startsWith(commandScheme)) readCommand(choice);
}

function readBucketChoice({ to, key }: TargetChoice) {
  const address = parseBucketAddress(to, bucketNames);
  return { address, key: parseAccessKey(key, bucketNames, address.name) };
}

function readCommand({ to }: TargetChoice): string {
  const command = to.slice(commandScheme.length).trim();
  if (command !== '') return command;
  throw new AppError('CONFIGURATION', {
    message: '--backup-to names no command.',
    hint: 'Say --backup-to "command:PROGRAM"; it is called with put NAME, get NAME, remove NAME, or list.',
  });
}

export async function openTarget(choice: TargetChoice, now: () => number): Promise<BackupTarget> {
  if (isDirectory(choice)) return createDirectoryTarget(choice.to);
  const { createRemoteTarget } = await import('./remote-target.ts');
  if (!isBucketAddress(choice.to)) {
    const { createCommandFiles } = await import('./command-files.ts');
    return createRemoteTarget(createCommandFiles(readCommand(choice)), now);
  }
  const { createBucketFiles } = await import('./bucket-files.ts');
  return createRemoteTarget(createBucketFiles(readBucketChoice(choice), now), now);
}

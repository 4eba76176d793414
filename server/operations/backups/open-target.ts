/** Chooses the place of planned backups: a directory, a bucket, or a command that keeps them. */
import { AppError } from '../../../src/contract/errors.ts';
import { machineClockOf } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { isBucketAddress, parseAccessKey, parseBucketAddress } from '../../../src/protocols/s3/address.ts';
import { createDirectoryTarget } from './directory-target.ts';
import type { BackupTarget, TargetChoice } from './target.ts';

const commandScheme = 'command:';
const bucketNames = { setting: '--backup-to', variable: 'LAUDIO_BACKUP_KEY' } as const;

/** Whether the choice is a directory of this computer. */
const isDirectory = ({ to }: TargetChoice): boolean => !isBucketAddress(to) && !to.startsWith(commandScheme);

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

export async function openTarget(choice: TargetChoice, clock: Clock): Promise<BackupTarget> {
  if (isDirectory(choice)) return createDirectoryTarget(choice.to);
  const { createRemoteTarget } = await import('./remote-target.ts');
  if (!isBucketAddress(choice.to)) {
    const { createCommandFiles } = await import('./command-files.ts');
    return createRemoteTarget(createCommandFiles(readCommand(choice), machineClockOf(clock)), clock);
  }
  const { createBucketFiles } = await import('./bucket-files.ts');
  return createRemoteTarget(createBucketFiles(readBucketChoice(choice), clock), clock);
}

/** The operator's plan for backups by schedule. */
import { resolve } from 'node:path';
import { AppError } from '../../src/contract/errors.ts';
import { minPassphrase } from '../../src/contract/maintenance.ts';
import { defaultKeepRule, parseKeepRule } from '../../src/domain/backup-generations.ts';
import { durationForm, durationMs } from '../../src/domain/duration.ts';
import type { ServerOptions } from '../../server/index.ts';
import type { Context } from '../context.ts';
import { readSecretFile } from '../shell/secret.ts';
import { dataDirectoryOf } from './data-directory.ts';
import { isInside } from './inside.ts';

interface BackupWords {
  readonly backupTo?: string | undefined;
  readonly backupEvery?: string | undefined;
  readonly backupKeep?: string | undefined;
  readonly backupPassphraseFile?: string | undefined;
}

const dayMs = 24 * 3600 * 1000;
/** Shorter than that, one would begin before the last has ended. */
const minEvery = 10 * 60 * 1000;

/** `undefined`: none are planned. USAGE or CONFIGURATION for words that cannot be meant. */
export async function readBackupPlan(
  context: Context,
  { backupTo, backupEvery, backupKeep, backupPassphraseFile }: BackupWords,
): Promise<ServerOptions['backups']> {
  if (backupTo === undefined) {
    if (backupEvery === undefined && backupKeep === undefined && backupPassphraseFile === undefined) return undefined;
    throw new AppError('USAGE', { message: 'Options of backups need --backup-to.' });
  }
  const to = await readTarget(context, backupTo);
  const every = backupEvery === undefined ? dayMs : durationMs(backupEvery);
  if (every === undefined || every < minEvery) {
    throw new AppError('USAGE', { message: `--backup-every takes ${durationForm}, of ten minutes or more.` });
  }
  const keep = backupKeep === undefined ? defaultKeepRule : parseKeepRule(backupKeep);
  if (!keep) throw new AppError('USAGE', { message: '--backup-keep takes generations such as 7d,4w,12m.' });
  const key = context.env['LAUDIO_BACKUP_KEY'] || undefined;
  return { to, key, every, keep, passphrase: await readPassphrase(context, backupPassphraseFile) };
}

/** The absolute path of a directory; other places stay as they are. */
async function readTarget(context: Context, to: string): Promise<string> {
  // A drive of Windows has one letter.
  if (/^[a-z][a-z0-9]+:/.test(to)) {
    if (/^(?:s3|command):/.test(to)) return to;
    throw new AppError('USAGE', { message: '--backup-to takes a directory, s3://HOST/BUCKET, or command:COMMAND.' });
  }
  const directory = resolve(context.cwd, to);
  if (!isInside(directory, await dataDirectoryOf(context))) return directory;
  throw new AppError('CONFIGURATION', {
    message: '--backup-to is in the data directory, which is lost together with its backups.',
    hint: 'Choose a directory on another disk.',
  });
}

/** Read as a restore reads it: the first line, as it is. */
async function readPassphrase(context: Context, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const passphrase = await readSecretFile(context, file, '--backup-passphrase-file');
  if (passphrase.length >= minPassphrase) return passphrase;
  throw new AppError('CONFIGURATION', {
    message: `The passphrase of --backup-passphrase-file needs ${minPassphrase} characters or more.`,
  });
}
